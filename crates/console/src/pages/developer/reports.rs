//! The settings of scheduled reports for an organization.

use super::Developer;
use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// The settings of scheduled reports.
#[derive(Clone, Debug)]
pub struct ReportsRow {
    /// Whether they are turned on.
    pub on: bool,
    /// The allowed domains of recipients. Empty allows any.
    pub domains: Vec<String>,
    /// Whether a mail server is set up.
    pub mails: bool,
    /// Whether the operator lets owners turn them on.
    pub owners_decide: bool,
    /// A value that detects concurrent changes.
    pub seen: String,
}

/// Draws it. `typed` is a refused form.
pub(super) fn part(page: &Developer, typed: &Draft) -> Html {
    let row = &page.reports;
    let state = if row.on { parts::badge("good", "On") } else { parts::badge("", "Off") };
    let recipients = match row.domains.as_slice() {
        _ if !row.on => parts::muted("None"),
        [] => parts::text("Anywhere"),
        domains => parts::text(format!("At {}", domains.join(", "))),
    };
    let mail =
        if row.mails { parts::text("Set up") } else { parts::muted("None: no mail is sent until INLAY_SMTP_URL is set") };
    let facts = parts::facts(vec![("State", state), ("Recipients", recipients), ("Mail server", mail)]);
    let told = "Users whose role has enableScheduleReport can schedule dashboards by mail, with the rows that they may see.";
    parts::part("Scheduled reports", told, view! { {facts}{change(page, typed)} })
}

fn change(page: &Developer, typed: &Draft) -> Html {
    let row = &page.reports;
    let address = format!("/console/organizations/{}/developer/reports", page.organization);
    if row.owners_decide {
        if !page.owns {
            return view! { <p class="muted">"Only an owner can turn them on or off."</p> }.html();
        }
        let draft = if typed.is_refused() { typed.clone() } else { stored(row) };
        let draft = draft.with("seen", row.seen.clone());
        let domains = Field::new("recipientDomains", "Allowed domains of recipients", Control::Code(3)).optional();
        let fields = view! {
            {Field::new("enabled", "Users may schedule reports and alerts", Control::Tick).optional().draw(&draft)}
            {domains.hint("One per line, for example example.com. Without a domain, any address is allowed.").draw(&draft)}
        };
        let form = Form::new(address, "Save reports").draw(&draft, fields);
        return parts::adding("Change scheduled reports", false, typed.is_refused(), form);
    }
    let off = (row.on && page.owns).then(|| {
        let told =
            view! { <p>"Existing reports stop running. Only the operator of this service can turn reports on again."</p> };
        Form::new(address, "Turn off").hiding("seen", &row.seen).asking("reports", "Turn scheduled reports off?", told)
    });
    let command = format!("inlay reports enable --organization {}", page.organization);
    view! {
        <p class="muted">
            "Reports send mail in the operator's name, so only the operator can turn them on: with the command below, or with the setting "
            <code>"INLAY_REPORTS_BY_OWNERS=true"</code>", which lets owners decide."
        </p>
        {parts::copied("Command that turns reports on", command)}
        {off}
    }
    .html()
}

fn stored(row: &ReportsRow) -> Draft {
    let draft = Draft::of([("recipientDomains", row.domains.join("\n"))]);
    if row.on { draft.with("enabled", "on") } else { draft }
}
