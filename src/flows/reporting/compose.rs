//! The mail of a report.

use super::drawing::Faults;
use crate::{
    concepts::reports::links::{self, Keys},
    ground::{
        mail::{Address, Attachment, Letter, Message},
        store::seal::Sealer,
    },
};
use inlay_contract::{
    ids::RunId,
    report::{Format, ReportEdit},
};
use serde::{Deserialize, Serialize};

/// The common content of a run's mails. It is written once, and stored until the last mail is sent.
#[derive(Serialize, Deserialize)]
pub struct Said {
    /// The report's settings.
    pub edit: ReportEdit,
    /// The dashboard's name.
    pub dashboard: String,
    /// The application's name.
    pub application: String,
    /// The report's owner.
    pub owner: String,
    /// The active filters.
    pub filters: String,
    /// When its rows were read, as text.
    pub at: String,
    /// The theme's accent, and the colour of text on it.
    pub accent: (String, String),
    /// The alert's sentence, if it is an alert.
    pub sentence: Option<String>,
    /// Charts that could not be read.
    pub faults: Faults,
    /// When the links expire, as text.
    pub until: String,
    /// The files.
    pub files: Vec<Attachment>,
}

/// The mail to a recipient.
pub fn message(embed_url: &str, sealer: &Sealer, run: RunId, to: Address, keys: &Keys, said: &Said) -> Message {
    let unsubscribe = links::unsubscribe(embed_url, &keys.unsubscribe);
    let letter = letter(embed_url, keys, said, &unsubscribe);
    Message {
        id: Some(format!("{run}.{}", &sealer.derive("report mail", &[keys.link.as_bytes()])[..16])),
        to,
        subject: said.edit.subject.clone(),
        text: letter.text(),
        html: letter.html(),
        attachments: said.files.clone(),
        unsubscribe: Some(unsubscribe),
    }
}

fn letter(embed_url: &str, keys: &Keys, said: &Said, unsubscribe: &str) -> Letter {
    let edit = &said.edit;
    let mut paragraphs: Vec<String> = said.sentence.iter().cloned().collect();
    if !edit.message.trim().is_empty() {
        paragraphs.push(edit.message.trim().to_owned());
    }
    let Faults { charts, failed, .. } = said.faults;
    if failed > 0 {
        paragraphs.push(format!("{failed} of {charts} charts could not be loaded and are missing."));
    }
    let link = edit.format == Format::Link;
    let mut notes = vec![format!("{} scheduled this in {}.", said.owner, said.application)];
    if link {
        let until = &said.until;
        notes.push(format!("The link works until {until}. Anyone with the link can open the report, so share it with care."));
    }
    let mut facts = vec![("Dashboard".to_owned(), said.dashboard.clone()), ("As of".to_owned(), said.at.clone())];
    if !said.filters.is_empty() {
        facts.push(("Filters".to_owned(), said.filters.clone()));
    }
    Letter {
        heading: edit.name.clone(),
        paragraphs,
        facts,
        action: link.then(|| ("Open the report".to_owned(), links::page(embed_url, &keys.link))),
        notes,
        way_out: Some(("Unsubscribe".to_owned(), unsubscribe.to_owned())),
        accent: said.accent.0.clone(),
        accent_text: said.accent.1.clone(),
    }
}
