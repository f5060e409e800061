//! The usage of a project.

use super::{answer::Page, visit::Visit};
use crate::concepts::{
    language_models::money,
    usage::{
        Band, MOST_FAILED_FOR,
        manage::{self, Asker, ChartUse, CustomerUse, DashboardUse, Day, FailedFor, Period, Report, Spent},
    },
};
use inlay_console::{
    Section,
    pages::usage::{self as views, ChartRow, ChatRow, CustomerRow, DashboardRow, Loads, PERIODS, Series, UsagePage},
};

/// The series by day: the store's name and the page's.
const SERIES: [(&str, &str); 4] =
    [("signIn", "Sign-ins"), ("view", "Dashboards opened"), ("chart", "Charts shown"), ("query", "Queries")];

/// `GET /console/projects/{project}/usage`
pub async fn show(visit: Visit) -> Page {
    let project = visit.project()?.id;
    let days = visit.person.query("days").parse().ok().filter(|days| PERIODS.contains(days)).unwrap_or(30);
    let period = Period::of(days);
    let Report { days: counted, customers, dashboards, charts, loads, chat, was_used } =
        manage::report(visit.app(), &visit.member, project, period).await?;
    let page = UsagePage {
        project: project.to_string(),
        days,
        series: SERIES.map(|(kind, name)| series(&counted, period, kind, name)).to_vec(),
        loads: Loads {
            bands: loads.iter().enumerate().map(|(at, count)| (Band::ENDS.get(at).copied(), *count)).collect(),
            within: [0.5, 0.95].map(|part| manage::within(&loads, part)),
            mean: load_of(&counted, |_| true),
            days: period.all().into_iter().map(|day| (day.clone(), load_of(&counted, |one| one == day))).collect(),
        },
        customers: customers.into_iter().map(customer).collect(),
        dashboards: dashboards.into_iter().map(|one| dashboard(&visit, one)).collect(),
        charts: charts.into_iter().map(|one| chart(&visit, one)).collect(),
        chat: chat.lines.into_iter().map(|(asker, spent)| questions(named(asker), spent)).collect(),
        chat_together: questions(views::Asker::Together, chat.together),
        was_used,
    };
    visit.page("Usage", Section::Usage, || views::show(&page)).await
}

fn series(counted: &[Day], period: Period, kind: &str, name: &'static str) -> Series {
    let of_day = |day: String| {
        let found = counted.iter().find(|one| one.kind == kind && one.day == day);
        (day, found.map_or(0, |one| one.events))
    };
    Series { name, days: period.all().into_iter().map(of_day).collect() }
}

/// The average load time of dashboards over some days. `None` when no browser reported one.
fn load_of(counted: &[Day], is_one: impl Fn(&str) -> bool) -> Option<i64> {
    let loads = counted.iter().filter(|one| is_one(&one.day) && one.kind.starts_with("load"));
    let (times, milliseconds) = loads.fold((0, 0), |(times, sum), one| (times + one.events, sum + one.milliseconds));
    i64::checked_div(milliseconds, times)
}

fn customer(one: CustomerUse) -> CustomerRow {
    let counts = [one.sign_ins, one.views, one.charts, one.failures];
    CustomerRow { id: one.id.to_string(), name: one.name, counts, load: one.load }
}

fn dashboard(visit: &Visit, one: DashboardUse) -> DashboardRow {
    let address = one.shared.then(|| visit.at(&format!("applications/{}/dashboards/{}", one.application, one.id)));
    DashboardRow { address, name: format!("{} / {}", one.application_name, one.name), views: one.views, load: one.load }
}

fn chart(visit: &Visit, one: ChartUse) -> ChartRow {
    let address = match &one.place {
        Some(place) => {
            place.shared.then(|| visit.at(&format!("applications/{}/dashboards/{}", place.application, place.dashboard)))
        }
        None => Some(visit.at(&format!("charts/{}", one.id))),
    };
    ChartRow {
        name: one.name,
        address,
        dashboard: one.place.map(|place| place.name),
        shown: one.asked,
        ran: one.ran,
        mean: one.mean,
        longest: one.longest,
        failures: one.failures,
        failed: one.failed.map(|(code, at)| (code, at.to_string())),
        failed_for: failed_for(visit, one.failed_for),
    }
}

fn failed_for(visit: &Visit, FailedFor { count, customers, without }: FailedFor) -> views::FailedFor {
    let customer = |(id, name, failures)| (visit.at(&format!("customers/{id}")), name, failures);
    let most = i64::try_from(MOST_FAILED_FOR).unwrap_or(i64::MAX);
    views::FailedFor { count, at_least: count >= most, customers: customers.into_iter().map(customer).collect(), without }
}

fn named(asker: Asker) -> views::Asker {
    match asker {
        Asker::Customer(name) => views::Asker::Customer(name),
        Asker::NoCustomer => views::Asker::NoCustomer,
        Asker::Others => views::Asker::Others,
        Asker::Evaluations => views::Asker::Evaluations,
    }
}

fn questions(asker: views::Asker, Spent { questions, tokens, millionths }: Spent) -> ChatRow {
    ChatRow { asker, counts: [questions, tokens], cost: money(millionths) }
}
