//! The fields of a metric, for each kind.

use super::fields::{NamedColumn, choice, suggestions};
use crate::ui::{
    draft::Draft,
    form::{Control, Field},
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// How a metric is made of other numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the project file's own")]
pub enum MetricKind {
    Ratio,
    Formula,
    Running,
    ToDate,
    Moving,
    Total,
    Share,
    Only,
}

impl MetricKind {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::Ratio, Self::Formula, Self::Running, Self::ToDate, Self::Moving, Self::Total, Self::Share, Self::Only];

    /// Its name in the project file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ratio => "ratio",
            Self::Formula => "formula",
            Self::Running => "running",
            Self::ToDate => "toDate",
            Self::Moving => "moving",
            Self::Total => "total",
            Self::Share => "share",
            Self::Only => "only",
        }
    }

    const fn label(self) -> &'static str {
        match self {
            Self::Ratio => "Ratio",
            Self::Formula => "Formula",
            Self::Running => "Running sum",
            Self::ToDate => "Sum to date",
            Self::Moving => "Moving average",
            Self::Total => "Total",
            Self::Share => "Share of the total",
            Self::Only => "Some rows only",
        }
    }

    const fn told(self) -> &'static str {
        match self {
            Self::Ratio => "One number divided by another: refunds / revenue.",
            Self::Formula => "Numbers with + - * / and parentheses: revenue - coalesce(refunds, 0).",
            Self::Running => "The sum of a measure from the first period of the answer up to each.",
            Self::ToDate => "The same, starting again with each month, quarter or year.",
            Self::Moving => "The average of a measure over the last periods.",
            Self::Total => "A number of all rows of the answer together.",
            Self::Share => "A number divided by its total.",
            Self::Only => "A number of the rows that meet conditions: revenue from Germany.",
        }
    }
}

/// A row of the conditions of [`MetricKind::Only`].
#[derive(Clone, Debug)]
pub enum Condition {
    /// Fields for dimension and values.
    Typed,
    /// One that the form cannot express, as text. It is kept as it is.
    Kept(String),
}

/// The fields of a metric.
#[derive(Clone, Debug)]
pub struct MetricFields {
    /// Its kind.
    pub kind: MetricKind,
    /// The kinds with the addresses of their forms.
    pub kinds: Vec<(MetricKind, String)>,
    /// The measures and metrics that it can be made of: name, and name with label.
    pub numbers: Vec<(String, String)>,
    /// Those of them that add up over time.
    pub sums: Vec<(String, String)>,
    /// The dimensions that conditions can name: `customers.country`.
    pub dimensions: Vec<String>,
    /// The rows of conditions.
    pub conditions: Vec<Condition>,
}

/// The choice of a kind.
#[must_use]
pub fn kinds(back: (String, &str), kinds: &[(MetricKind, String)]) -> Html {
    let row =
        |(kind, address): &(MetricKind, String)| vec![parts::link(address.clone(), kind.label()), parts::text(kind.told())];
    let rows = kinds.iter().map(row).collect();
    view! {
        {parts::head("New metric", Some(back), ())}
        {parts::part("Kind", "A metric is a number made of measures and other metrics.", parts::table("Kinds of metrics", &["Kind", "Computed as"], rows))}
    }
    .html()
}

/// Links to the forms of other kinds.
pub(super) fn others(metric: &MetricFields) -> Option<Html> {
    let links = metric.kinds.iter().filter(|(kind, _)| *kind != metric.kind);
    let links = links.map(|(kind, address)| view! { <li>{parts::link(address.clone(), kind.label())}</li> }).collect_view();
    let list = view! {
        <p>{metric.kind.label()}": "{metric.kind.told()}</p>
        <details class="more"><summary>"Another kind"</summary><ul class="plain columned">{links}</ul></details>
    };
    (metric.kinds.len() > 1).then(|| list.html())
}

/// The fields of its kind.
pub(super) fn fields(metric: &MetricFields, draft: &Draft) -> Html {
    let kind = view! { <input type="hidden" name="kind" value=metric.kind.name() /> };
    let number = |name: &str, label: &str| of(name, label, &metric.numbers, draft);
    let sum = || of("of", "Measure", &metric.sums, draft);
    let own = match metric.kind {
        MetricKind::Ratio => view! { {number("ratio.0", "Number")}{number("ratio.1", "Divided by")} }.html(),
        MetricKind::Formula => formula(metric, draft),
        MetricKind::Running => sum(),
        MetricKind::ToDate => {
            let grains = [("week", "Week"), ("month", "Month"), ("quarter", "Quarter"), ("year", "Year"), ("day", "Day")];
            view! { {sum()}{choice("grain", "Starts again with each", &grains).draw(draft)} }.html()
        }
        MetricKind::Moving => {
            let periods = Field::new("periods", "Periods", Control::Input("number")).like("3");
            let periods = periods.hint("2 to 1,000, this one included. Periods without rows do not count.");
            view! { {sum()}{periods.draw(draft)} }.html()
        }
        MetricKind::Total | MetricKind::Share => {
            let within = Field::text("within", "Within").optional().like("region, month");
            let within = within.hint("Columns of the answer, separated by commas: rows that are alike in them form a whole. Default: all rows of the answer.");
            view! { {number("of", "Number")}{within.draw(draft)} }.html()
        }
        MetricKind::Only => view! { {number("of", "Number")}{conditions(metric, draft)} }.html(),
    };
    view! { {kind}{own} }.html()
}

/// A choice among numbers. One that is not offered any more stays chosen.
fn of(name: &str, label: &str, numbers: &[(String, String)], draft: &Draft) -> Html {
    let now = draft.value(name);
    let mut options = vec![(String::new(), "Choose a number".to_owned())];
    options.extend(numbers.iter().cloned());
    if options.iter().all(|(value, _)| value != now) {
        options.push((now.to_owned(), format!("{now} (not offered)")));
    }
    Field::new(name, label, Control::Choice(options)).draw(draft)
}

fn formula(metric: &MetricFields, draft: &Draft) -> Html {
    let names = metric.numbers.iter().map(|(name, shown)| view! { <li><code>{name.clone()}</code>" "<span class="muted">{(shown != name).then(|| shown.clone())}</span></li> });
    view! {
        {Field::new("formula", "Formula", Control::Code(2)).like("revenue - coalesce(refunds, 0)")
            .hint("Names of measures and metrics, numbers, + - * / and parentheses. coalesce(refunds, 0) is 0 where there are no refunds.").draw(draft)}
        <details class="more"><summary>"Measures and metrics"</summary><ul class="plain columned">{names.collect_view()}</ul></details>
    }
    .html()
}

fn conditions(metric: &MetricFields, draft: &Draft) -> Html {
    let row = |(number, condition): (usize, &Condition)| {
        let field = |part: &str| format!("filters.{number}.{part}");
        let label = |what: &str| format!("{what} of condition {}", number + 1);
        match condition {
            Condition::Typed => view! {
                <fieldset class="group">
                    <legend>{format!("Condition {}", number + 1)}</legend>
                    {Field::text(&field("dimension"), &label("Dimension")).at_times().among("metric-dimensions").like("customers.country").draw(draft)}
                    {Field::new(&field("value"), &label("Values"), Control::Area(1)).at_times().like("DE")
                        .hint("One value a line. Numbers are numbers: write \"7\" for a text. Also a period such as last_30_days, or {\"from\": 10, \"to\": 20}.").draw(draft)}
                    {Field::new(&field("not"), &format!("Condition {} keeps all other rows", number + 1), Control::Tick).draw(draft)}
                </fieldset>
            }
            .html(),
            Condition::Kept(told) => view! {
                <fieldset class="group">
                    <legend>{format!("Condition {}", number + 1)}</legend>
                    <input type="hidden" name=field("kept") value=draft.value(&field("kept")).to_owned() />
                    <p>{parts::code(told.clone())}</p>
                    <p class="muted">"This form cannot express this condition. It is kept as it is; change it in the project file."</p>
                    {Field::new(&field("remove"), &format!("Remove condition {}", number + 1), Control::Tick).draw(draft)}
                </fieldset>
            }
            .html(),
        }
    };
    let dimensions: Vec<NamedColumn> = metric.dimensions.iter().map(|name| (name.clone(), None)).collect();
    view! {
        {suggestions("metric-dimensions", &dimensions)}
        <h3>"Conditions"</h3>
        <p class="muted">"Only rows that meet all conditions count. To remove a condition, clear its dimension and its values."</p>
        {metric.conditions.iter().enumerate().map(row).collect_view()}
    }
    .html()
}
