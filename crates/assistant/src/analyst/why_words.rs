//! A change in words. They tell where it happened, and claim no cause.

use super::{
    picture,
    sentences::{self, cell, small},
};
use crate::{
    causes::{Change, Compared, Finding, Kind, Split},
    language::{grain::Grain, span::Span},
    markdown::escaped,
    reading::Num,
    world::World,
};
use inlay_contract::format::{self, NumberFormat, NumberStyle, locale::Locale};

/// What stands at the end of each explanation.
const NO_CAUSE: &str = "This shows where the number changed, not why.";
/// The part of a period that may be without rows before that is told.
const UNSEEN: f64 = 0.05;
/// The part of the days that have rows where days without rows are told.
const DAYS_WITH_ROWS: f64 = 0.5;
/// The most dimensions that are named where nothing stands out.
const NAMED: usize = 4;

/// The reading of the question.
pub(super) fn understood(change: &Change, world: &World) -> String {
    let what = sentences::understood(&change.meaning, world);
    let what = what.strip_prefix(sentences::READ_AS).unwrap_or(&what).trim_end_matches('.').to_owned();
    let [before, now] = change.spans.map(|span| bare(&span));
    let mut text = format!("{}where {what} changed: {now}, compared with {before}.", sentences::READ_AS);
    if change.is_assumed {
        let unit = change.spans[1].grain.map_or("period", Grain::words);
        text += &format!(" The question names no period, so I take the newest whole {unit}.");
    }
    text
}

/// A chart's title with both periods.
pub(super) fn with_periods(title: &str, change: &Change) -> String {
    let [before, now] = change.spans.map(|span| bare(&span));
    format!("{title}, {now} and {before}")
}

/// A period without its preposition.
pub(super) fn bare(span: &Span) -> String {
    let words = span.words();
    ["in ", "on ", "from "].iter().find_map(|before| words.strip_prefix(before)).map_or(words.clone(), str::to_owned)
}

/// Writes the answer.
pub(super) struct WhyWords<'a> {
    pub change: &'a Change,
    pub world: &'a World,
    pub locale: Locale,
}

impl WhyWords<'_> {
    pub(super) fn answer(&self, compared: &Compared) -> String {
        match compared {
            Compared::OneSided(rows) => self.one_sided(*rows),
            Compared::Whole([before, now]) => {
                let values = [before.unwrap_or_default(), now.unwrap_or_default()];
                let first = self.first(values) + &self.cut();
                format!("{first}\n\nThis number cannot be split into parts, so I cannot show where it changed.")
            }
            Compared::Split(split) => self.split(split),
        }
    }

    fn one_sided(&self, rows: [bool; 2]) -> String {
        let periods = self.change.spans.map(|span| bare(&span));
        let days = self.world.fields[self.change.time.field].days;
        let day = |day: chrono::NaiveDate| day.format("%-d %B %Y").to_string();
        let cover = days.map(|(first, last)| format!(" Your data covers {} to {}.", day(first), day(last))).unwrap_or_default();
        let table = small(&self.world.tables[self.change.meaning.fact].label);
        let without = match rows {
            [true, false] => format!("for {}", periods[1]),
            [false, true] => format!("for {}", periods[0]),
            _ => format!("for {} and {}", periods[0], periods[1]),
        };
        format!("There is nothing to compare: I found no {table} {without}.{cover}")
    }

    fn split(&self, split: &Split) -> String {
        let values = split.explained.values;
        let mut text = self.first(values) + &self.cut();
        if !moved(values) {
            return text;
        }
        let noun = noun(values);
        text += &self.per_day(split);
        if split.explained.findings.is_empty() {
            let names = split.explained.dimensions.iter().filter_map(|dimension| split.groups.get(*dimension));
            let names: Vec<String> = names.take(NAMED).map(|group| small(&sentences::group_label(group, self.world))).collect();
            text += &format!(" The {noun} is spread evenly: nothing stands out by {}.", list(&names));
        } else {
            text += "\n";
            for (finding, within) in split.explained.findings.iter().zip(&split.within) {
                if finding.same {
                    text += &format!(" These are nearly the rows of {}.", self.name(finding, split));
                } else {
                    text += &format!("\n- {}", self.line(finding, split));
                    text += &within.as_ref().map_or(String::new(), |within| self.within(within, split));
                }
            }
            if split.explained.findings.iter().filter(|finding| !finding.same).count() > 1 {
                text += "\n\nThe same rows can count in several of these.";
            }
        }
        text + "\n\n" + NO_CAUSE
    }

    /// Both values, the change and its percentage.
    fn first(&self, values: [f64; 2]) -> String {
        let [before, now] = values;
        let [earlier, later] = self.change.spans.map(|span| bare(&span));
        let label = match self.change.meaning.numbers.first() {
            Some(number) => sentences::number_label(number, &self.change.meaning, self.world),
            None => String::new(),
        };
        let (before_text, now_text) = (self.written(before), self.written(now));
        if !moved(values) {
            return format!("{} did not change: **{now_text}** in both periods.", escaped(&label));
        }
        let rose = now > before;
        let wrong = match self.change.claims {
            Some(up) if up != rose => format!("It did not {}. ", if up { "rise" } else { "fall" }),
            _ => String::new(),
        };
        // A percentage of what is 0 or less says nothing.
        let part = if before > f64::EPSILON {
            format!(", {} %", signed((now - before) / before * 100.0, |value| format!("{value:.1}")))
        } else {
            String::new()
        };
        let by = self.difference(now - before);
        let verb = if rose { "rose" } else { "fell" };
        format!("{wrong}{} {verb} from **{before_text}** ({earlier}) to **{now_text}** ({later}): {by}{part}.", escaped(&label))
    }

    /// Where rows begin or end within a period, so that less of it is compared than its name says.
    pub(super) fn cut(&self) -> String {
        let time = &self.world.fields[self.change.time.field];
        let Some((first, last)) = time.days else { return String::new() };
        let known = time.distinct.unwrap_or(f64::INFINITY);
        // Rows of single days, as of the first of each month, stand for whole periods.
        if known < (last - first).num_days() as f64 * DAYS_WITH_ROWS {
            return String::new();
        }
        let day = |day: chrono::NaiveDate| day.format("%-d %B %Y").to_string();
        let end = last.succ_opt().unwrap_or(last);
        let mut text = String::new();
        for span in &self.change.spans {
            let Some((from, to)) = span.from.zip(span.to) else { continue };
            let lacks = |days: i64| days as f64 > (to - from).num_days() as f64 * UNSEEN;
            if from < first && first < to && lacks((first - from).num_days()) {
                text += &format!(" Your data begins on {}, so not all of {} is in it.", day(first), bare(span));
            }
            if from < end && end < to && lacks((to - end).num_days()) {
                text += &format!(" Your data ends on {}, so not all of {} is in it.", day(last), bare(span));
            }
        }
        text
    }

    /// The change per day, where a number that adds up has more days in one of the periods.
    fn per_day(&self, split: &Split) -> String {
        let days = self.change.spans.map(|span| span.from.zip(span.to).map_or(0, |(from, to)| (to - from).num_days()));
        let [before, now] = split.explained.values;
        if split.kind == Kind::Mean || days[0] == days[1] || days.contains(&0) || before <= 0.0 {
            return String::new();
        }
        let per_day = [before / days[0] as f64, now / days[1] as f64];
        let part = signed((per_day[1] - per_day[0]) / per_day[0] * 100.0, |value| format!("{value:.1}"));
        format!(" The periods have {} and {} days; per day that is {part} %.", days[0], days[1])
    }

    /// A difference of two values of the number. That of percentages is in points.
    pub(super) fn difference(&self, by: f64) -> String {
        let percent = matches!(self.format(by).style, NumberStyle::Percent);
        if percent {
            return signed(by * 100.0, |value| format!("{value:.1} percentage points"));
        }
        signed(by, |value| self.written(value))
    }

    /// What one part adds.
    fn line(&self, finding: &Finding, split: &Split) -> String {
        let values = split.explained.values;
        let name = self.name(finding, split);
        let share = self.share(finding.change, values);
        if split.kind != Kind::Mean {
            let [before, now] = finding.pair.amount;
            let by = self.written((now - before).abs());
            let moved = match (split.kind, now > before) {
                (Kind::Count, true) => format!("had {by} more"),
                (Kind::Count, false) => format!("had {by} fewer"),
                (_, true) => format!("was {by} higher"),
                (_, false) => format!("was {by} lower"),
            };
            // It went with all others, only less than they did.
            if finding.change * finding.beyond < 0.0 {
                let would = self.written((now - finding.beyond).max(0.0));
                return format!(
                    "{name} {moved} ({share}); at the pace of the others it would be at {would}, and it is at {}.",
                    self.written(now)
                );
            }
            return format!("{name} {moved} ({share}).");
        }
        let adds = self.difference(finding.change);
        let less = if finding.change * finding.beyond < 0.0 { ", less than elsewhere" } else { "" };
        if finding.rate.abs() >= finding.mix.abs() {
            let [before, now] = finding.pair.values(Kind::Mean);
            let verb = if now > before { "rose" } else { "fell" };
            let (before, now) = (self.written(before), self.written(now));
            return format!("{name}: its own value {verb} from {before} to {now}{less}. That makes {adds} ({share}).");
        }
        let shares = [0, 1].map(|period| {
            let whole = split.whole.weight[period];
            if whole == 0.0 { 0.0 } else { finding.pair.weight[period] / whole * 100.0 }
        });
        let verb = if shares[1] > shares[0] { "rose" } else { "fell" };
        format!("{name}: its share of all {verb} from {:.1} % to {:.1} %. That makes {adds} ({share}).", shares[0], shares[1])
    }

    /// What one part is mostly made of.
    fn within(&self, within: &Finding, split: &Split) -> String {
        format!(" Most of that is together with {}.", self.name(within, split))
    }

    fn share(&self, change: f64, values: [f64; 2]) -> String {
        let all = values[1] - values[0];
        let noun = noun(values);
        if change * all < 0.0 { format!("against the {noun}") } else { format!("{:.0} % of the {noun}", change / all * 100.0) }
    }

    /// The value, with its dimension.
    fn name(&self, finding: &Finding, split: &Split) -> String {
        let Some(group) = split.groups.get(finding.dimension) else { return String::new() };
        let value = match group.grain {
            Some(Grain::Hour) => format!("{}:00", cell(&finding.value)),
            _ => escaped(&cell(&finding.value)),
        };
        format!("**{value}** ({})", escaped(&small(&sentences::group_label(group, self.world))))
    }

    pub(super) fn written(&self, value: f64) -> String {
        format::number(value, &self.format(value), &self.locale)
    }

    fn format(&self, value: f64) -> NumberFormat {
        let number: Option<&Num> = self.change.meaning.numbers.first();
        let format = number.and_then(|number| picture::format(number, self.world));
        format.and_then(|format| serde_json::from_value(format).ok()).unwrap_or_else(|| {
            // A declared number: as many digits as tell.
            let decimals = match value.abs() {
                _ if value.fract() == 0.0 => 0,
                1000.0.. => 0,
                10.0.. => 1,
                1.0.. => 2,
                _ => 3,
            };
            NumberFormat { decimals: Some(decimals), ..NumberFormat::default() }
        })
    }
}

fn moved([before, now]: [f64; 2]) -> bool {
    (now - before).abs() > 1e-9 * before.abs().max(now.abs())
}

const fn noun([before, now]: [f64; 2]) -> &'static str {
    if now > before { "rise" } else { "fall" }
}

fn signed(value: f64, written: impl Fn(f64) -> String) -> String {
    format!("{}{}", if value < 0.0 { "−" } else { "+" }, written(value.abs()))
}

fn list(names: &[String]) -> String {
    match names {
        [] => "any column".to_owned(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}
