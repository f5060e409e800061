//! The form of a report or an alert.

use super::{
    cadence::{Every, Picked, WEEKDAYS, days},
    dialog_state::{DialogView, Draft, ReportsDialog},
};
use crate::{
    filters::words,
    ui::part::{IntoLatePart, IntoParts, Part},
};
use inlay_contract::report::{AlertCondition, Format, Side};
use leptos::{ev, prelude::*};

/// The suggested time zones. Others can be typed.
const ZONES: [&str; 14] = [
    "UTC",
    "Europe/London",
    "Europe/Berlin",
    "Europe/Athens",
    "Asia/Dubai",
    "Asia/Kolkata",
    "Asia/Singapore",
    "Asia/Tokyo",
    "Australia/Sydney",
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "America/Sao_Paulo",
];

/// An option of a select: value and label.
type Choice = (String, String);

/// The form.
pub fn form(dialog: ReportsDialog) -> Part {
    let Some(Draft { edit, recipients, .. }) = dialog.draft.get_untracked() else { return ().late() };
    let on_submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        dialog.save();
    };
    let (domains, most) = dialog.reports.with_untracked(|known| {
        known.as_ref().map(|known| (known.domains.join(", "), known.most_recipients)).unwrap_or_default()
    });
    let whom =
        if domains.is_empty() { format!("At most {most}, one per line") } else { format!("At most {most}, at {domains}") };
    let alert = edit.condition.clone().map(|condition| watched(dialog, condition));
    let format = edit.format.name().to_owned();
    let formats = [
        ("link", "Link to the dashboard"),
        ("pdf", "Dashboard as PDF"),
        ("csv", "Chart data as CSV"),
        ("xlsx", "Chart data as Excel workbook"),
    ];
    let formats = formats.map(|(value, label)| (value.to_owned(), label.to_owned())).to_vec();
    view! {
        <form id="report-form" class="report-form" on:submit=on_submit>
            {text("Name", edit.name, 120, move |value| dialog.change(|draft| draft.edit.name = value))}
            {alert}
            {area("Recipients", &whom, recipients, 3, move |value| dialog.change(|draft| draft.recipients = value))}
            {when(dialog, &edit.cron, edit.timezone)}
            {text("Subject", edit.subject, 200, move |value| dialog.change(|draft| draft.edit.subject = value))}
            {area("Message", "", edit.message, 3, move |value| dialog.change(|draft| draft.edit.message = value))}
            {select("Format", formats, format, move |value| dialog.change(|draft| draft.edit.format = Format::named(&value).unwrap_or(Format::Link)))}
            {frozen(dialog)}
        </form>
    }
    .late()
}

/// The buttons below the form.
pub fn buttons(dialog: ReportsDialog) -> Part {
    let made = dialog.draft.with_untracked(|draft| draft.as_ref().is_none_or(|draft| draft.id.is_none()));
    let back = dialog.reports.with_untracked(|known| known.as_ref().is_some_and(|known| !known.reports.is_empty()));
    view! {
        {back.then(|| view! { <button type="button" class="button" on:click=move |_| dialog.show(DialogView::List)>"Back"</button> })}
        {(!back).then(|| view! { <button type="button" class="button" on:click=move |_| dialog.leave()>"Cancel"</button> })}
        <button type="submit" class="button button-main" form="report-form" disabled=move || dialog.busy.get()>
            {if made { "Schedule" } else { "Save" }}
        </button>
    }
    .late()
}

/// The number that an alert watches, and its threshold.
fn watched(dialog: ReportsDialog, condition: AlertCondition) -> Part {
    let numbers = dialog.reports.with_untracked(|known| known.as_ref().map(|known| known.numbers.clone()).unwrap_or_default());
    let choices = numbers.iter().map(|(id, name)| (id.to_string(), name.clone())).collect();
    let change = move |change: &dyn Fn(&mut AlertCondition)| {
        dialog.change(|draft| {
            if let Some(condition) = &mut draft.edit.condition {
                change(condition);
            }
        });
    };
    let choose = move |value: String| {
        if let Ok(chart) = value.parse() {
            change(&|condition| condition.chart = chart);
        }
    };
    let side = move |value: String| {
        let side = if value == "below" { Side::Below } else { Side::Above };
        change(&|condition| condition.side = side);
    };
    let sides = vec![("above".to_owned(), "is above".to_owned()), ("below".to_owned(), "is below".to_owned())];
    let now = if condition.side == Side::Below { "below" } else { "above" };
    view! {
        <div class="report-line">
            {select("When", choices, condition.chart.to_string(), choose)}
            {select("Is", sides, now.to_owned(), side)}
            <label class="field">
                <span class="filter-label">"Threshold"</span>
                <input
                    class="control"
                    type="number"
                    step="any"
                    required
                    value=condition.threshold.to_string()
                    on:input=move |event| {
                        if let Ok(threshold) = event_target_value(&event).parse::<f64>() {
                            change(&|condition| condition.threshold = threshold);
                        }
                    }
                />
            </label>
        </div>
    }
    .late()
}

/// The schedule: one of the options or a cron expression, with the next runs below.
fn when(dialog: ReportsDialog, cron: &str, timezone: String) -> Part {
    let picked = RwSignal::new(Picked::of(cron));
    let say = move || {
        if let Some(cron) = picked.with_untracked(Picked::cron) {
            dialog.change(|draft| draft.edit.cron = cron);
        }
        dialog.look_ahead();
    };
    let pick = move |change: &dyn Fn(&mut Picked)| {
        picked.update(change);
        say();
    };
    // Not tracked: building the form again would interrupt the user.
    let first = picked.with_untracked(|picked| picked.every);
    let name = Every::ALL.into_iter().find(|(known, ..)| *known == first).map_or("cron", |(_, name, _)| name);
    let choices = Every::ALL.map(|(_, name, label)| (name.to_owned(), label.to_owned())).to_vec();
    let zones = ZONES.map(|zone| view! { <option value=zone></option> }.late()).into_iter().parts();
    let detail = Memo::new(move |_| picked.with(|picked| picked.every));
    view! {
        <div class="report-line">
            {select("Cadence", choices, name.to_owned(), move |value| pick(&|picked| picked.every = Every::named(&value)))}
            {move || particulars(dialog, picked, detail.get(), say)}
            <label class="field">
                <span class="filter-label">"Time zone"</span>
                <input
                    class="control"
                    type="text"
                    list="report-zones"
                    required
                    autocomplete="off"
                    value=timezone
                    on:change=move |event| {
                        let zone = event_target_value(&event);
                        dialog.change(|draft| draft.edit.timezone = zone.trim().to_owned());
                        dialog.look_ahead();
                    }
                />
            </label>
            <datalist id="report-zones">{zones}</datalist>
        </div>
        {move || coming(dialog)}
    }
    .late()
}

/// The fields of a schedule besides how often it runs.
fn particulars(dialog: ReportsDialog, picked: RwSignal<Picked>, every: Every, say: impl Fn() + Copy + 'static) -> Part {
    let now = picked.get_untracked();
    let set = move |change: &dyn Fn(&mut Picked)| {
        picked.update(change);
        say();
    };
    let time = move || {
        let value = now.time.clone();
        view! {
            <label class="field">
                <span class="filter-label">{if every == Every::Hour { "Minute past" } else { "Time" }}</span>
                <input class="control" type="time" required value=value on:change=move |event| {
                    let time = event_target_value(&event);
                    set(&|picked| picked.time.clone_from(&time));
                } />
            </label>
        }
        .late()
    };
    let picked = picked.get_untracked();
    match every {
        Every::Hour | Every::Day | Every::Workday => time(),
        Every::Week => {
            let days = WEEKDAYS.map(|(name, label)| (name.to_owned(), label.to_owned())).to_vec();
            let choose = move |day: String| set(&|picked| picked.weekday.clone_from(&day));
            view! { {select("Day", days, picked.weekday, choose)} {time()} }.late()
        }
        Every::Month => {
            let choose = move |day: String| set(&|picked| picked.day.clone_from(&day));
            view! { {select("Day", days().collect(), picked.day, choose)} {time()} }.late()
        }
        Every::Cron => {
            let cron =
                dialog.draft.with_untracked(|draft| draft.as_ref().map(|draft| draft.edit.cron.clone()).unwrap_or_default());
            let write = move |value: String| {
                dialog.change(|draft| draft.edit.cron = value.trim().to_owned());
                dialog.look_ahead();
            };
            text("Cron", cron, 100, write)
        }
    }
}

/// The next runs, or why the schedule is not valid.
fn coming(dialog: ReportsDialog) -> Part {
    match dialog.coming.get() {
        Ok(runs) => {
            let runs = runs.into_iter().map(|run| view! { <li>{run}</li> }.late()).parts();
            view! { <p class="filter-label" id="report-coming">"Next runs"</p> <ol class="report-coming" aria-labelledby="report-coming">{runs}</ol> }.late()
        }
        Err(problem) => view! { <p class="report-failed" role="alert">{problem}</p> }.late(),
    }
}

/// The filters of the report.
fn frozen(dialog: ReportsDialog) -> Part {
    let names = dialog.labels.get_value();
    let told = move || {
        let filters = dialog.draft.with(|draft| draft.as_ref().map(|draft| draft.edit.filters.clone()).unwrap_or_default());
        let name = |key: &String| {
            let own = names.iter().find(|(known, _)| known == key);
            own.map_or_else(|| words::column(key).to_owned(), |(_, label)| label.clone())
        };
        let each: Vec<String> =
            filters.iter().map(|(key, value)| format!("{}: {}", name(key), words::summary(value))).collect();
        if each.is_empty() { "No filters".to_owned() } else { each.join(" · ") }
    };
    let renew = move |_| {
        let now = dialog.board.filters.with_untracked(|filters| filters.active().clone());
        dialog.change(|draft| draft.edit.filters = now);
    };
    view! {
        <div class="report-frozen">
            <p class="filter-label">"Filters in the report. Relative dates are calculated at each run."</p>
            <p>{told}</p>
            <button type="button" class="button button-quiet" on:click=renew>"Use the page's filters"</button>
        </div>
    }
    .late()
}

fn text(label: &'static str, value: String, longest: u32, then: impl Fn(String) + 'static) -> Part {
    view! {
        <label class="field">
            <span class="filter-label">{label}</span>
            <input class="control" type="text" required maxlength=longest autocomplete="off" value=value on:input=move |event| then(event_target_value(&event)) />
        </label>
    }
    .late()
}

fn area(label: &'static str, hint: &str, value: String, rows: u32, then: impl Fn(String) + 'static) -> Part {
    let hint = hint.to_owned();
    view! {
        <label class="field">
            <span class="filter-label">{label}</span>
            <textarea class="control report-area" rows=rows placeholder=hint prop:value=value on:input=move |event| then(event_target_value(&event))></textarea>
        </label>
    }
    .late()
}

fn select(label: &'static str, choices: Vec<Choice>, now: String, then: impl Fn(String) + 'static) -> Part {
    let options = choices.into_iter().map(|(value, text)| {
        let chosen = value == now;
        view! { <option value=value selected=chosen>{text}</option> }.late()
    });
    view! {
        <label class="field">
            <span class="filter-label">{label}</span>
            <select class="control" on:change=move |event| then(event_target_value(&event))>{options.parts()}</select>
        </label>
    }
    .late()
}
