//! Usage: how much a project is used, by whom, how fast it is, and what fails.

use crate::ui::{
    html::{Html, IntoHtml},
    numbers::{count, whole},
    parts,
};
use leptos::prelude::*;

/// A figure per day of the period.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name.
    pub name: &'static str,
    /// Day and value, oldest first.
    pub days: Vec<(String, i64)>,
}

/// The load times of embeds in viewers' browsers.
#[derive(Clone, Debug)]
pub struct Loads {
    /// The number of loads per band, with the band's upper end in milliseconds. The last band has no end.
    pub bands: Vec<(Option<u64>, i64)>,
    /// The median and the 95th percentile.
    pub within: [Option<u64>; 2],
    /// The average in milliseconds. `None` if no page load was recorded.
    pub mean: Option<i64>,
    /// The average per day, oldest first.
    pub days: Vec<(String, Option<i64>)>,
}

/// A customer's usage.
#[derive(Clone, Debug)]
pub struct CustomerRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Sign-ins, dashboards opened, charts shown, failed queries.
    pub counts: [i64; 4],
    /// The average load time of dashboards, in milliseconds.
    pub load: Option<i64>,
}

/// A dashboard's usage.
#[derive(Clone, Debug)]
pub struct DashboardRow {
    /// Its URL in the console. `None` for a user's own dashboard.
    pub address: Option<String>,
    /// Application and name.
    pub name: String,
    /// How often it was opened.
    pub views: i64,
    /// The average load time, in milliseconds.
    pub load: Option<i64>,
}

/// A chart's usage.
#[derive(Clone, Debug)]
pub struct ChartRow {
    /// Its name.
    pub name: String,
    /// Its URL in the console: in the library or on a dashboard.
    pub address: Option<String>,
    /// The dashboard that it is on. `None` for a chart of the library.
    pub dashboard: Option<String>,
    /// How often it was shown.
    pub shown: i64,
    /// How often its query ran.
    pub ran: i64,
    /// The average duration in milliseconds.
    pub mean: Option<i64>,
    /// The longest duration in milliseconds.
    pub longest: i64,
    /// How often it failed.
    pub failures: i64,
    /// The last failure: error and time.
    pub failed: Option<(String, String)>,
    /// The customers for whom it failed.
    pub failed_for: FailedFor,
}

/// The customers for whom a chart failed.
#[derive(Clone, Debug, Default)]
pub struct FailedFor {
    /// How many customers.
    pub count: i64,
    /// Whether there may be more.
    pub at_least: bool,
    /// Some of them: URL, name and number of failures.
    pub customers: Vec<(String, String, i64)>,
    /// The failures for callers without a customer.
    pub without: i64,
}

/// Who asked questions.
#[derive(Clone, Debug)]
pub enum Asker {
    /// A customer's users.
    Customer(String),
    /// Users without a customer.
    NoCustomer,
    /// Users of customers that are not listed.
    Others,
    /// Evaluations.
    Evaluations,
    /// All together.
    Together,
}

/// The usage of the chat.
#[derive(Clone, Debug)]
pub struct ChatRow {
    /// Who asked.
    pub asker: Asker,
    /// Questions and tokens.
    pub counts: [i64; 2],
    /// In the currency of the model's prices.
    pub cost: f64,
}

/// The page.
#[derive(Clone, Debug)]
pub struct UsagePage {
    /// The project.
    pub project: String,
    /// The number of days of the period.
    pub days: u64,
    /// The figures per day.
    pub series: Vec<Series>,
    /// Load times.
    pub loads: Loads,
    /// Usage by customer.
    pub customers: Vec<CustomerRow>,
    /// Usage by dashboard.
    pub dashboards: Vec<DashboardRow>,
    /// Usage by chart: failing charts first, then the slowest.
    pub charts: Vec<ChartRow>,
    /// The usage of the chat, by who asked.
    pub chat: Vec<ChatRow>,
    /// The usage of the chat, in total.
    pub chat_together: ChatRow,
    /// Whether any use of the project is known.
    pub was_used: bool,
}

impl UsagePage {
    /// Whether nothing was counted in the period.
    fn is_empty(&self) -> bool {
        let counted = self.series.iter().flat_map(|series| &series.days).any(|(_, count)| *count > 0);
        !counted && self.chat.is_empty() && self.loads.bands.iter().all(|(_, count)| *count == 0)
    }
}

/// The periods on offer, in days.
pub const PERIODS: [u64; 3] = [7, 30, 90];

/// Draws it.
#[must_use]
pub fn show(page: &UsagePage) -> Html {
    let periods = PERIODS.map(|days| {
        let current = (days == page.days).then_some("true");
        view! { <a class="button" aria-current=current href=format!("/console/projects/{}/usage?days={days}", page.project)>{format!("{days} days")}</a> }
    });
    let periods = view! { <nav class="choices" aria-label="Period">{periods.into_iter().collect_view()}</nav> };
    view! {
        {parts::head("Usage", None, periods)}
        {if page.is_empty() { unused(page) } else { used(page) }}
    }
    .html()
}

/// The page for a period without usage.
fn unused(page: &UsagePage) -> Html {
    let (told, action) = if page.was_used {
        let longer = PERIODS.iter().rev().find(|days| **days > page.days);
        let longer = longer.map(|days| {
            parts::button(format!("/console/projects/{}/usage?days={days}", page.project), &format!("Show {days} days"))
        });
        (format!("No usage in the last {} days.", page.days), longer)
    } else {
        let told = "No usage yet. After the first embed, this page counts sign-ins, dashboards, charts and questions by customer, \
            with load times and failures.";
        let embed = parts::button(format!("/console/projects/{}/embed", page.project), "Embed this project");
        (told.to_owned(), Some(embed))
    };
    parts::empty(&told, action)
}

fn used(page: &UsagePage) -> Html {
    view! {
        <p class="muted">"Days are in UTC. Previews by members are not counted."</p>
        {counted()}
        <div class="figures">{page.series.iter().map(figure).collect_view()}</div>
        {loads(&page.loads)}
        {customers(page)}
        {dashboards(page)}
        {charts(page)}
        {chat(page)}
    }
    .html()
}

/// Explains what the figures count.
fn counted() -> Html {
    view! {
        <details class="more">
            <summary>"What is counted"</summary>
            <dl class="facts">
                <div><dt>"Charts shown"</dt><dd>"Each time a viewer receives a chart, with its rows or with the reason why it has none: on a dashboard that is opened, filtered or refreshed, through the chart-data API, in a PDF or workbook. A call with an API key counts for no customer."</dd></div>
                <div><dt>"Queries"</dt><dd>"Each time a database is queried for a chart: for charts shown, for the rows behind a mark, for the assistant and for the editor. A cached result queries no database. A refused or failed query counts as failed."</dd></div>
                <div><dt>"Neither"</dt><dd>"Reports and alerts, which have their own history; the chat; drafts of charts; choices of filters."</dd></div>
            </dl>
        </details>
    }
    .html()
}

/// A figure with a bar per day.
fn figure(series: &Series) -> Html {
    let all: i64 = series.days.iter().map(|(_, count)| *count).sum();
    let days: Vec<_> = series.days.iter().map(|(day, count)| (*count, format!("{day}: {}", whole(*count)))).collect();
    view! {
        <section class="figure">
            <h2>{series.name}</h2>
            <p class="number">{whole(all)}</p>
            {bars(&format!("{} by day", series.name), &days)}
        </section>
    }
    .html()
}

/// A duration below a heading, with a bar per day if there are any.
fn time_figure(name: &'static str, time: String, days: Option<Html>) -> Html {
    view! { <section class="figure"><h3>{name}</h3><p class="number">{time}</p>{days}</section> }.html()
}

/// A bar per day, with its value as a tooltip.
fn bars(label: &str, days: &[(i64, String)]) -> Html {
    let most = days.iter().map(|(number, _)| *number).max().unwrap_or_default().max(1);
    let step = 300.0 / f64::from(u32::try_from(days.len().max(1)).unwrap_or(1));
    let bar = |(at, (number, told)): (usize, &(i64, String))| {
        let (x, height) = (at as f64 * step, (*number as f64 / most as f64 * 44.0).max(if *number > 0 { 1.5 } else { 0.0 }));
        view! {
            <rect x=format!("{x:.1}") y=format!("{:.1}", 44.0 - height) width=format!("{:.1}", (step - 1.0).max(0.8)) height=format!("{height:.1}") rx="1">
                <title>{told.clone()}</title>
            </rect>
        }
    };
    let bars = days.iter().enumerate().map(bar).collect_view();
    view! { <svg viewBox="0 0 300 44" preserveAspectRatio="none" role="img" aria-label=label.to_owned()>{bars}</svg> }.html()
}

fn time(milliseconds: i64) -> String {
    match milliseconds {
        0..1_000 => format!("{milliseconds} ms"),
        whole if whole % 1_000 == 0 => format!("{} s", whole / 1_000),
        more => format!("{}.{} s", more / 1_000, more % 1_000 / 100),
    }
}

fn loads(loads: &Loads) -> Html {
    let all: i64 = loads.bands.iter().map(|(_, count)| *count).sum();
    let told = "From the request for a dashboard until every chart is drawn, as measured in your users' browsers.";
    if all == 0 {
        return parts::part("Load times", told, parts::empty("No page loads recorded yet.", None));
    }
    let end = |end: Option<u64>| end.map_or_else(|| "over 8 s".to_owned(), |end| time(i64::try_from(end).unwrap_or_default()));
    let [half, most] =
        loads.within.map(|within| within.map_or_else(|| "Over 8 s".to_owned(), |_| format!("Within {}", end(within))));
    let row = |(band, times): &(Option<u64>, i64)| {
        let share = *times as f64 * 100.0 / all as f64;
        let name = band.map_or_else(|| "Slower".to_owned(), |_| format!("Up to {}", end(*band)));
        let meter = view! {
            <span class="share">
                <meter min="0" max="100" value=format!("{share:.1}") aria-label=format!("Share {name}")></meter>
                <span>{format!("{share:.0}%")}</span>
            </span>
        };
        vec![parts::text(name), count(*times), meter.html()]
    };
    let table =
        parts::figures("Load times", &["Drawn", "Views", "Share"], &["Views", "Share"], loads.bands.iter().map(row).collect());
    let day = |(day, load): &(String, Option<i64>)| {
        (load.unwrap_or_default(), format!("{day}: {}", load.map_or_else(|| "no view".to_owned(), time)))
    };
    let days: Vec<_> = loads.days.iter().map(day).collect();
    let figures = view! {
        <div class="figures">
            {time_figure("Average", loads.mean.map(time).unwrap_or_default(), Some(bars("Average load time by day", &days)))}
            {time_figure("Half of all views", half, None)}
            {time_figure("95% of all views", most, None)}
        </div>
    };
    parts::part("Load times", told, view! { {figures}{table} })
}

/// The average load time in a table.
fn load_time(load: Option<i64>) -> Html {
    load.map_or_else(|| parts::muted("—"), |load| parts::text(time(load)))
}

fn customers(page: &UsagePage) -> Html {
    if page.customers.is_empty() {
        return parts::part("Customers", "", parts::empty("No customers in this period.", None));
    }
    let row = |one: &CustomerRow| {
        let [sign_ins, views, charts, failures] = one.counts;
        let name = parts::link(format!("/console/projects/{}/customers/{}", page.project, one.id), one.name.clone());
        vec![name, count(sign_ins), count(views), count(charts), count(failures), load_time(one.load)]
    };
    let columns = ["Customer", "Sign-ins", "Dashboards opened", "Charts shown", "Failed queries", "Average load time"];
    parts::part("Customers", "", parts::figures("Customers", &columns, &columns[1..], page.customers.iter().map(row).collect()))
}

fn dashboards(page: &UsagePage) -> Html {
    if page.dashboards.is_empty() {
        return ().html();
    }
    let row = |one: &DashboardRow| {
        let name = match &one.address {
            Some(address) => parts::link(address.clone(), one.name.clone()),
            None => view! { {one.name.clone()}" "{parts::badge("", "a user's own")} }.html(),
        };
        vec![name, count(one.views), load_time(one.load)]
    };
    let columns = ["Dashboard", "Opened", "Average load time"];
    parts::part(
        "Dashboards",
        "",
        parts::figures("Dashboards", &columns, &columns[1..], page.dashboards.iter().map(row).collect()),
    )
}

fn charts(page: &UsagePage) -> Html {
    if page.charts.is_empty() {
        return ().html();
    }
    let row = |one: &ChartRow| {
        let failures = if one.failures > 0 { parts::badge("bad", &whole(one.failures)) } else { count(0) };
        let last = one.failed.as_ref().map(|(code, at)| view! { <code>{code.clone()}</code><br />{parts::time(at)} });
        vec![
            chart_name(one),
            count(one.shown),
            count(one.ran),
            one.mean.map_or_else(|| parts::muted("—"), |mean| parts::text(time(mean))),
            // If every query failed, there is no duration.
            one.mean.map_or_else(|| parts::muted("—"), |_| parts::text(time(one.longest))),
            failures,
            last.map_or_else(|| parts::muted("—"), IntoHtml::html),
            failed_for(one),
        ]
    };
    let columns = ["Chart", "Shown", "Queries", "Average", "Slowest", "Failed", "Failed last", "Failed for"];
    let told = "Failing queries first, then the slowest. Cached results are shown, but query no database.";
    let table = parts::figures("Charts", &columns, &columns[1..6], page.charts.iter().map(row).collect());
    parts::part("Slow and failing queries", told, table)
}

/// The customers for whom a chart failed most often, and how many there are.
fn failed_for(one: &ChartRow) -> Html {
    let FailedFor { count, at_least, customers, without } = &one.failed_for;
    if one.failures == 0 {
        return parts::muted("—");
    }
    let number = match (at_least, *count) {
        (_, 0) => None,
        (false, count) => Some(parts::counted(count, "customer")),
        (true, count) => Some(format!("At least {}", parts::counted(count, "customer"))),
    };
    let named = customers.iter().map(|(address, name, failures)| {
        view! { <li>{parts::link(address.clone(), name.clone())}" "{parts::muted(format!("× {}", whole(*failures)))}</li> }
    });
    let more = count - i64::try_from(customers.len()).unwrap_or_default();
    let more = (more > 0).then(|| view! { <li class="muted">{format!("and {} more", whole(more))}</li> });
    let without = (*without > 0).then(|| {
        view! { <li class="muted">{format!("Callers without a customer × {}", whole(*without))}</li> }
    });
    // Failures from before customers were recorded.
    let unknown = (number.is_none() && without.is_none()).then(|| parts::muted("Not known"));
    let list = unknown.is_none().then(|| view! { <ul class="plain">{named.collect_view()}{more}{without}</ul> });
    view! { {unknown}{number}{list} }.html()
}

/// A chart's name, linked to where it can be edited.
fn chart_name(one: &ChartRow) -> Html {
    let name = match &one.address {
        Some(address) => parts::link(address.clone(), one.name.clone()),
        None => parts::text(one.name.clone()),
    };
    let on = match (&one.dashboard, &one.address) {
        (Some(dashboard), Some(_)) => parts::muted(format!("on {dashboard}")),
        (Some(dashboard), None) => parts::muted(format!("on {dashboard}, a user's own")),
        (None, _) => parts::muted("in the library"),
    };
    view! { {name}<br />{on} }.html()
}

fn chat(page: &UsagePage) -> Html {
    if page.chat.is_empty() {
        return ().html();
    }
    let row = |one: &ChatRow| {
        let [questions, tokens] = one.counts;
        let name = match &one.asker {
            Asker::Customer(name) => parts::text(name.clone()),
            Asker::NoCustomer => parts::muted("Users without a customer"),
            Asker::Others => parts::muted("Other customers"),
            Asker::Evaluations => parts::muted("Evaluations"),
            Asker::Together => view! { <strong>"Together"</strong> }.html(),
        };
        vec![name, count(questions), count(tokens), parts::text(format!("{:.2}", one.cost))]
    };
    let columns = ["Asked by", "Questions", "Tokens", "Cost"];
    parts::part(
        "Chat",
        "Questions by users in the chat and on dashboards, and by evaluations of workspaces, which belong to no customer. Cost is in the currency of the model's prices.",
        parts::figures("Chat", &columns, &columns[1..], page.chat.iter().chain([&page.chat_together]).map(row).collect()),
    )
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn times_are_told_in_their_unit() {
        assert_eq!([0, 999, 1_000, 8_000, 1_250, 61_990].map(time), ["0 ms", "999 ms", "1 s", "8 s", "1.2 s", "61.9 s"]);
    }
}
