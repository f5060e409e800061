//! Third stage: turns phrases into the parts of a message. [`super::follow`] turns them into a question.

mod bounds;
mod finish;
mod names;
mod table;
mod values;

pub(super) use names::rank_descends;

use super::{
    intent::{Aggregate, ColumnPath, ColumnRef, Dimension, Grain, Intent, IntentCondition, Measure},
    knowledge::Knowledge,
    phrases::{Phrase, What},
};
use crate::language::{
    cues::{Cue, Direction, FollowUp, Hint, Rank, Unit},
    span::Spoken,
};
use crate::scope::Comparison;
use chrono::NaiveDate;
use inlay_contract::chart::definition::ChartType;

/// The parts of one message. Missing parts come from the message before or from defaults.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    /// Its table, and whether the message names it.
    pub table: usize,
    pub names_table: bool,
    pub measures: Vec<Measure>,
    /// "the maximum" of the measure before.
    pub aggregate: Option<Aggregate>,
    pub counts: bool,
    pub dimensions: Vec<Mention>,
    pub conditions: Vec<IntentCondition>,
    /// The condition on a group's measure.
    pub having: Option<(Comparison, f64)>,
    pub order: Option<(Rank, Hint)>,
    pub limit: Option<usize>,
    pub top: bool,
    pub chart: Option<ChartType>,
    pub lists: bool,
    /// The column whose greatest or smallest rows are listed.
    pub listed_by: Option<ColumnRef>,
    pub shares: bool,
    pub compares: bool,
    pub distribution: bool,
    pub relation: bool,
    pub follow: Option<FollowUp>,
    pub starts_with_and: bool,
    pub starts_with_only: bool,
    pub those: bool,
    /// The unknown words.
    pub unknown: Vec<String>,
    /// It asks for causes or forecasts.
    pub beyond: bool,
    pub help: bool,
    pub greeting: bool,
    pub thanks: bool,
    /// "how far": the measure if none is named.
    pub asked: Option<Hint>,
    /// A measure that rows are grouped by: "flights by distance".
    pub split_by: Option<ColumnRef>,
    /// Whether the message names something to measure.
    pub has_subject: bool,
}

/// A dimension in the message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mention {
    pub dimension: Dimension,
    pub plural: bool,
    /// Introduced by "by" or "per": all its values are wanted.
    pub by: bool,
}

/// The context of a message.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub knowledge: &'a Knowledge,
    pub today: NaiveDate,
    /// The question before.
    pub previous: Option<&'a Intent>,
}

/// Reads phrases from left to right.
struct Reader<'a> {
    context: Context<'a>,
    phrases: &'a [Phrase],
    draft: Draft,
    at: usize,
    /// Whether "how many" still needs its subject.
    counting: bool,
    /// An aggregate that still needs its column.
    aggregate: Option<Aggregate>,
    /// The aggregates before it: "the mean and median delay".
    aggregates_before: Vec<Aggregate>,
    superlative: Option<(Rank, Hint)>,
    negated: bool,
    by: bool,
    /// A direction, and whether a value has used it.
    direction: Option<(Direction, bool)>,
    /// The last measure: its phrase, its column, its position in the draft, and whether it is aggregated.
    mentioned: Option<(usize, ColumnRef, Option<usize>, bool)>,
    /// The last condition on values, with the end of its list and the possible columns.
    listed: Option<values::Listed>,
    /// The column that the word before a value names.
    forced: Option<ColumnPath>,
    spoken: Vec<Spoken>,
}

/// Reads a message.
pub(super) fn read(phrases: &[Phrase], context: Context<'_>) -> Draft {
    let mut reader = Reader {
        context,
        phrases,
        draft: Draft::default(),
        at: 0,
        counting: false,
        aggregate: None,
        aggregates_before: Vec::new(),
        superlative: None,
        negated: false,
        by: false,
        direction: None,
        mentioned: None,
        listed: None,
        forced: None,
        spoken: Vec::new(),
    };
    (reader.draft.table, reader.draft.names_table) = table::table(phrases, context);
    while reader.at < phrases.len() {
        reader.at += reader.step();
    }
    reader.finish()
}

impl Reader<'_> {
    fn table(&self) -> usize {
        self.draft.table
    }

    fn what(&self, at: usize) -> Option<&What> {
        self.phrases.get(at).map(|phrase| &phrase.what)
    }

    fn cue(&self, at: usize) -> Option<Cue> {
        match self.what(at) {
            Some(What::Cue(cue)) => Some(*cue),
            _ => None,
        }
    }

    /// Reads the current phrase. Returns the number of phrases used.
    fn step(&mut self) -> usize {
        if let Some(took) = self.bound() {
            return took;
        }
        let phrase = &self.phrases[self.at];
        match &phrase.what {
            What::Cue(cue) => {
                self.cue_read(*cue);
            }
            What::Name { tables, columns } => self.name(&tables.clone(), &columns.clone(), phrase.plural),
            What::Term { column, term, rate } => self.term(*column, *term, *rate),
            What::Value(found) => self.value(&found.clone()),
            What::Number(number) => self.limit(*number),
            What::Period(spoken) => {
                self.spoken.push(spoken.clone());
            }
            What::Hours(hours) => {
                if let Some(time) = self.context.knowledge.time(self.table()) {
                    self.draft.conditions.push(IntentCondition::Hours {
                        place: ColumnPath::own(time),
                        from: hours.from,
                        to: hours.to,
                    });
                } else {
                    self.draft.unknown.push(phrase.text.clone());
                }
            }
            What::Comma => self.by = false,
            What::Unknown => self.draft.unknown.push(phrase.text.clone()),
        }
        1
    }

    fn cue_read(&mut self, cue: Cue) {
        match cue {
            Cue::HowMany => {
                self.counting = true;
                self.draft.counts = true;
            }
            Cue::Aggregate(aggregate) => self.aggregate(aggregate),
            Cue::Extreme(rank, hint) => self.superlative = Some((rank, hint)),
            Cue::Top(rank) => {
                self.draft.top = true;
                self.draft.order = Some((rank, Hint::Named));
            }
            Cue::By => self.by = true,
            Cue::Not => self.negated = true,
            Cue::Direction(direction) => self.direction = Some((direction, false)),
            Cue::Grain(grain) => self.grain(grain),
            Cue::OverTime => self.over_time(),
            Cue::Days(days) => self.days(days),
            // "min" is a minute only after a number.
            Cue::Unit(Unit::Minute) if self.phrases[self.at].text == "min" => self.aggregate(Aggregate::Least),
            Cue::Unit(unit) => self.counted_unit(unit),
            Cue::HowMuch(hint) => self.draft.asked = Some(hint),
            Cue::Chart(chart) => self.draft.chart = Some(chart),
            Cue::FollowUp(follow) => self.draft.follow = self.draft.follow.or(Some(follow)),
            Cue::And => self.draft.starts_with_and |= self.at == 0,
            Cue::Only => self.draft.starts_with_only |= self.at == 0,
            Cue::Those => self.draft.those = true,
            Cue::Versus => self.draft.compares = true,
            Cue::Share => self.draft.shares = true,
            Cue::List => self.draft.lists = true,
            Cue::Distribution => self.draft.distribution = true,
            Cue::Relation => self.draft.relation = true,
            Cue::Beyond => self.draft.beyond = true,
            Cue::Help => self.draft.help = true,
            Cue::Greeting => self.draft.greeting = true,
            Cue::Thanks => self.draft.thanks = true,
            // The phrases around these look for them.
            Cue::How | Cue::Distinct | Cue::As | Cue::Which | Cue::OrMore(_) | Cue::With | Cue::Filler => {}
            // A comparison without a number must not be ignored.
            Cue::Than(_) | Cue::Between => self.draft.unknown.push(self.phrases[self.at].text.clone()),
        }
    }

    /// "average delay", or after the measure: "delay on average".
    fn aggregate(&mut self, aggregate: Aggregate) {
        if let Some((at, column, Some(place), false)) = self.mentioned
            && at + 1 == self.at
            && !matches!(self.what(self.at + 1), Some(What::Name { .. }))
        {
            if let Some(measure) = self.draft.measures.get_mut(place) {
                *measure = Measure::Of(aggregate, ColumnPath::own(column));
            }
            self.mentioned = Some((at, column, Some(place), true));
        } else if let Some(before) = self.aggregate.replace(aggregate)
            && before != aggregate
            && self.at > 0
            && self.cue(self.at - 1) == Some(Cue::And)
        {
            self.aggregates_before.push(before);
        }
    }

    /// "weekdays and weekends": both are named, so neither filters.
    fn parts_of_week(&self) -> bool {
        let is_end = |cue| matches!(cue, Cue::Days(days) if days.len() == 2);
        let is_week = |cue| matches!(cue, Cue::Grain(Grain::Weekday)) || matches!(cue, Cue::Days(days) if days.len() == 5);
        let cues = || (0..self.phrases.len()).filter_map(|at| self.cue(at));
        cues().any(is_end) && cues().any(is_week)
    }

    fn grain(&mut self, grain: Grain) {
        let grain = if grain == Grain::Weekday && self.parts_of_week() { Grain::PartOfWeek } else { grain };
        let Some(time) = self.context.knowledge.time(self.table()) else {
            self.draft.unknown.push(self.phrases[self.at].text.clone());
            return;
        };
        let plural = self.phrases[self.at].plural;
        self.dimension(Dimension { place: ColumnPath::own(time), grain: Some(grain), step: None }, plural);
    }

    fn over_time(&mut self) {
        let Some(time) = self.context.knowledge.time(self.table()) else { return };
        let has_time = self.phrases.iter().any(|phrase| matches!(phrase.what, What::Cue(Cue::Grain(_))));
        if !has_time {
            self.dimension(Dimension { place: ColumnPath::own(time), grain: Some(Grain::Fitting), step: None }, true);
        }
    }

    fn days(&mut self, days: &[u8]) {
        let Some(time) = self.context.knowledge.time(self.table()) else { return };
        let place = ColumnPath::own(time);
        if self.parts_of_week() {
            self.dimension(Dimension { place, grain: Some(Grain::PartOfWeek), step: None }, true);
            return;
        }
        let negated = std::mem::take(&mut self.negated);
        // "Saturdays and Sundays"
        if let Some(IntentCondition::Days { days: known, negated: same, .. }) = self.draft.conditions.last_mut()
            && *same == negated
        {
            known.extend(days);
            return;
        }
        self.draft.conditions.push(IntentCondition::Days { place, days: days.to_vec(), negated });
    }

    /// A number without a comparison: a limit, or unknown.
    fn limit(&mut self, number: f64) {
        let whole = number.fract() == 0.0 && (1.0..=1000.0).contains(&number);
        let beside = |cue: Option<Cue>| matches!(cue, Some(Cue::Top(_) | Cue::Extreme(..)));
        let ranked = beside(self.cue(self.at + 1)) || (self.at > 0 && beside(self.cue(self.at - 1)));
        let before_name = matches!(self.what(self.at + 1), Some(What::Name { .. } | What::Cue(Cue::Grain(_))));
        let is_year = number.fract() == 0.0 && (1900.0..=2100.0).contains(&number);
        if is_year && !ranked && self.context.knowledge.time(self.table()).is_some() {
            self.spoken.push(Spoken::Year(number as i32));
        } else if whole && (ranked || before_name || self.draft.top || self.draft.lists) {
            let limit = number as usize;
            self.draft.limit = Some(limit);
        } else {
            self.draft.unknown.push(self.phrases[self.at].text.clone());
        }
    }

    fn dimension(&mut self, dimension: Dimension, plural: bool) {
        let by = std::mem::take(&mut self.by);
        if !self.draft.dimensions.iter().any(|mention| mention.dimension == dimension) {
            self.draft.dimensions.push(Mention { dimension, plural, by });
        }
    }
}
