//! The mail of a report.

use super::{StoredReport, cadence::words, drawing::Faults, links, links::Keys, runs::StoredRun};
use crate::{
    mail::{Address, Attachment, Letter, Message},
    time::Timestamp,
};
use chrono_tz::Tz;
use inlay_contract::report::Format;

/// What the mails of a run have in common.
pub(super) struct Said {
    /// The dashboard's name.
    pub dashboard: String,
    /// The application's name.
    pub application: String,
    /// Who scheduled it.
    pub owner: String,
    /// The filters that are on.
    pub filters: String,
    /// When its rows were read.
    pub at: Timestamp,
    /// The theme's accent, and the colour of text on it.
    pub accent: (String, String),
    /// What the alert says, if it is one.
    pub sentence: Option<String>,
    /// Charts that could not be read.
    pub faults: Option<Faults>,
    /// When the links end.
    pub until: Timestamp,
    /// The files.
    pub files: Vec<Attachment>,
}

/// The mail to a recipient.
pub(super) fn message(
    embed_url: &str,
    report: &StoredReport,
    run: &StoredRun,
    to: Address,
    keys: &Keys,
    said: &Said,
) -> Message {
    let unsubscribe = links::unsubscribe(embed_url, &keys.unsubscribe);
    let letter = letter(embed_url, report, keys, said, &unsubscribe);
    Message {
        id: Some(format!("{}.{}", run.id, &crate::organizations::secret::derived("mail", &keys.link)[..16])),
        to,
        subject: report.edit.subject.clone(),
        text: letter.text(),
        html: letter.html(),
        attachments: said.files.clone(),
        unsubscribe: Some(unsubscribe),
    }
}

fn letter(embed_url: &str, report: &StoredReport, keys: &Keys, said: &Said, unsubscribe: &str) -> Letter {
    let edit = &report.edit;
    let zone = edit.timezone.parse().unwrap_or(Tz::UTC);
    let mut paragraphs: Vec<String> = said.sentence.iter().cloned().collect();
    if !edit.message.trim().is_empty() {
        paragraphs.push(edit.message.trim().to_owned());
    }
    if let Some(Faults { charts, failed, .. }) = said.faults.filter(|faults| faults.failed > 0) {
        paragraphs.push(format!("{failed} of {charts} charts could not be read this time and are missing."));
    }
    let link = edit.format == Format::Link;
    let mut notes = vec![format!("{} scheduled this in {}.", said.owner, said.application)];
    if link {
        notes.push(format!(
            "The link opens until {}. Whoever has it can open it, so pass it on with care.",
            words(said.until, zone)
        ));
    }
    let mut facts = vec![("Dashboard".to_owned(), said.dashboard.clone()), ("As of".to_owned(), words(said.at, zone))];
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
