//! What rows and groups must meet.

use super::Composer;
use crate::language::cues::Aggregate;
use crate::language::grain::Grain;
use crate::language::span::{Span, Spoken};
use crate::reading::draft::{Said, SaidBound};
use crate::reading::meaning::{Condition, Group, Meaning, Num, Place};
use crate::reading::places::Places;
use crate::scope::{Comparison, Term, TermValue};
use crate::world::{Kind, Thing};
use serde_json::Value;

impl Composer<'_> {
    pub(super) fn conditions(&mut self, places: &mut Places<'_>, groups: &mut Vec<Group>) -> Option<Vec<Condition>> {
        let world = self.context.world;
        let mut conditions = Vec::new();
        for values in &self.draft.values {
            let (place, wanted) = places.values(values)?;
            let beside = self.draft.versus && wanted.len() > 1 || values.beside;
            if beside && !groups.iter().any(|group| group.place == place) {
                groups.push(Group { place: place.clone(), grain: None });
            }
            let same = conditions.iter_mut().find(|known: &&mut Condition| matches!(known, Condition::In { place: known, negated, .. } if *known == place && *negated == values.negated));
            if let Some(Condition::In { values, .. }) = same {
                // "paid late": nothing has both values, and nothing says that either will do.
                if !self.draft.versus && self.draft.joins == 0 {
                    return None;
                }
                values.extend(wanted);
                // "do men wait longer than women"
                if self.draft.versus && !groups.iter().any(|group| group.place == place) {
                    groups.push(Group { place: place.clone(), grain: None });
                }
            } else {
                conditions.push(Condition::In { place, values: wanted, negated: values.negated });
            }
        }
        for (field, set) in &self.draft.flags {
            // "members who never came" are no members with a row that says so.
            let counts_others = self.roles.numbers.iter().any(|number| match number.of.thing {
                Thing::Table(_) | Thing::Declared(_) => super::table_of(world, number.of.thing).is_some_and(|table| {
                    table != world.fields[*field].table && world.reaches(world.fields[*field].table, table)
                }),
                _ => false,
            });
            if !set && counts_others {
                return None;
            }
            conditions.push(Condition::Flag { place: places.field(*field, None, None)?, set: *set });
        }
        for (field, term, rate) in &self.draft.terms {
            if !rate {
                let term = &world.fields[*field].terms[*term];
                let place = places.field(*field, None, None)?;
                conditions.push(of_term(term, place, term.phrases.first()));
            }
        }
        self.row_bounds(places, &mut conditions)?;
        self.times(places, groups, &mut conditions)?;
        Some(conditions)
    }

    /// The numbers of single rows that something is compared with.
    pub(super) fn row_bounds(&mut self, places: &mut Places<'_>, conditions: &mut Vec<Condition>) -> Option<()> {
        let world = self.context.world;
        for bound in &self.draft.bounds {
            let (field, comparison, value) = match (&bound.of, bound.term, bound.unit) {
                (_, Some((field, term)), unit) => {
                    let term = &world.fields[field].terms[term];
                    let factor = unit.zip(world.fields[field].unit).and_then(|(said, own)| said.in_unit(own)).unwrap_or(1.0);
                    // "10 minutes early": the lower, the more.
                    let below = matches!(term.comparison, Comparison::Below | Comparison::AtMost);
                    let (comparison, value) = if below {
                        (mirrored(bound.comparison), -bound.value * factor)
                    } else {
                        (bound.comparison, bound.value * factor)
                    };
                    (field, comparison, value)
                }
                (Some(of), None, unit) => {
                    let Thing::Field(field) = of.thing else { continue };
                    let factor = unit.zip(world.fields[field].unit).and_then(|(said, own)| said.in_unit(own)).unwrap_or(1.0);
                    (field, bound.comparison, bound.value * factor)
                }
                (None, None, Some(unit)) => {
                    let own = world.fields_of(self.fact).find(|(_, field)| {
                        field.unit.is_some_and(|own| unit.in_unit(own).is_some()) && field.kind.is_measure()
                    });
                    let paid = || {
                        world.fields_of(self.fact).find(|(_, field)| {
                            field.kind.is_measure()
                                && unit.is_money()
                                && field.called.iter().flatten().any(|word| {
                                    matches!(
                                        word.as_str(),
                                        "total" | "amount" | "price" | "cost" | "salary" | "revenue" | "fee"
                                    )
                                })
                        })
                    };
                    let (field, known) = own.or_else(paid)?;
                    (field, bound.comparison, bound.value * known.unit.and_then(|own| unit.in_unit(own)).unwrap_or(1.0))
                }
                (None, None, None) => {
                    let Some(hint) = bound.hint else { continue };
                    let field = super::hints::hinted(world, hint, self.roles, &[super::said(Thing::Table(self.fact))])?;
                    // A day of birth is no number of years.
                    world.fields[field].kind.is_measure().then_some((field, bound.comparison, bound.value))?
                }
            };
            if bound.of.is_some() && self.is_having(bound) {
                continue;
            }
            // "over 70 %" of what is counted in hundreds, or of no share at all.
            let usual = if world.fields[field].kind == Kind::Amount { f64::INFINITY } else { 1.0 };
            let most = world.fields[field].range.map_or(usual, |(_, most)| most);
            let value = match bound.percent {
                true if most > 100.0 => return None,
                true if most > 1.5 => value * 100.0,
                _ => value,
            };
            let place = places.field(field, None, None)?;
            let upper = bound.upper.map(|upper| Condition::Number {
                place: place.clone(),
                comparison: Comparison::AtMost,
                value: upper,
                word: None,
            });
            conditions.push(Condition::Number { place, comparison, value, word: None });
            conditions.extend(upper);
        }
        Some(())
    }

    /// Whether a bound is about a number of groups, not of rows.
    pub(super) fn is_having(&self, bound: &SaidBound) -> bool {
        match bound.of {
            None => bound.hint.is_none(),
            Some(Said { thing: Thing::Field(field), .. }) => {
                let same =
                    self.roles.numbers.iter().any(|number| number.of.thing == Thing::Field(field) && number.how.is_some());
                same && !self.roles.splits.is_empty()
            }
            Some(_) => true,
        }
    }

    pub(super) fn having(&mut self, meaning: &mut Meaning) -> Option<()> {
        let counts = match meaning.numbers.as_slice() {
            [Num::Declared(at)] => self.context.world.numbers[*at].counts_rows(),
            _ => false,
        };
        if self.roles.some && counts && !meaning.groups.is_empty() {
            meaning.having.push((Comparison::Above, 0.0));
        }
        for bound in self.draft.bounds.iter().filter(|bound| bound.term.is_none() && self.is_having(bound)) {
            if bound.of.is_none() && bound.unit.is_some() {
                continue;
            }
            if meaning.groups.is_empty() || meaning.numbers.is_empty() {
                return None;
            }
            // "over 70 %" is said of shares and rates.
            let adds = |number: &Num| match number {
                Num::Declared(at) => self.context.world.numbers[*at].aggregate.is_some_and(|aggregate| aggregate.adds_up()),
                Num::Count | Num::Distinct(_) | Num::Money(_) | Num::Of(Aggregate::Sum, _) => true,
                _ => false,
            };
            if bound.percent && !self.draft.share && meaning.numbers.iter().any(adds) {
                return None;
            }
            // The number that is compared stands first.
            if let Some(of) = bound.of
                && let Some(at) = self.roles.numbers.iter().position(|number| number.of.thing == of.thing)
                && at < meaning.numbers.len()
            {
                let number = meaning.numbers.remove(at);
                meaning.numbers.insert(0, number);
            }
            meaning.having.push((bound.comparison, bound.value));
            if let Some(upper) = bound.upper {
                meaning.having.push((Comparison::AtMost, upper));
            }
        }
        Some(())
    }

    pub(super) fn times(
        &mut self,
        places: &mut Places<'_>,
        groups: &mut Vec<Group>,
        conditions: &mut Vec<Condition>,
    ) -> Option<()> {
        let world = self.context.world;
        if let Some((days, negated)) = &self.draft.days {
            let place = places.time(Grain::Day)?.place;
            let beside = self.draft.versus && days.len() > 1;
            // Weekdays and weekends together are all days.
            let all = beside && (0..7).all(|day| days.contains(&day));
            let grain = if all { Grain::PartOfWeek } else { Grain::Weekday };
            if beside && !groups.iter().any(|group| group.grain == Some(grain)) {
                groups.push(Group { place: place.clone(), grain: Some(grain) });
            }
            if !all {
                conditions.push(Condition::Days { place, days: days.clone(), negated: *negated });
            }
        }
        if let Some(hours) = self.draft.hours {
            let place = places.time(Grain::Hour)?.place;
            // Days have no hours.
            if world.fields[place.field].column_type == Some(inlay_contract::data::ColumnType::Date) {
                return None;
            }
            conditions.push(Condition::Hours { place, from: hours.from, to: hours.to });
        }
        let mut spans: Vec<(Place, Span)> = Vec::new();
        for period in &self.draft.periods {
            let (place, days) = places.period_place(period.of)?;
            let anchor = days.map_or(self.context.today, |(_, last)| last.min(self.context.today));
            if let (true, Spoken::Range(from, to)) = (self.draft.growth, &period.spoken) {
                for one in [from, to] {
                    spans.push((place.clone(), one.resolve(self.context.today, anchor)?));
                }
                continue;
            }
            let first = self.draft.periods.first().zip(spans.first().map(|(_, span)| *span));
            let beside =
                first.filter(|_| self.draft.versus).and_then(|(first, span)| as_before(&first.spoken, span, &period.spoken));
            let span = beside.or_else(|| period.spoken.resolve(self.context.today, anchor))?;
            // Nothing is known of days to come, unless there are rows of them.
            let known = days.map_or(self.context.today, |(_, last)| last.max(self.context.today));
            if span.from.is_some_and(|from| from > known) {
                return None;
            }
            spans.push((place, span));
        }
        if self.draft.year_before {
            let before = spans.iter().map(|(place, span)| Some((place.clone(), span.year_before()?)));
            let before: Option<Vec<(Place, Span)>> = before.collect();
            spans.extend(before.filter(|before| !before.is_empty())?);
        }
        let Some((place, first)) = spans.first().cloned() else { return Some(()) };
        if spans.iter().any(|(other, _)| *other != place) {
            conditions.extend(spans.into_iter().map(|(place, span)| Condition::Spans { place, spans: vec![span] }));
            return Some(());
        }
        let all: Vec<Span> = spans.into_iter().map(|(_, span)| span).collect();
        if all.len() > 1 && !self.draft.growth && !groups.iter().any(|group| group.place == place) {
            let grain = first.grain.or_else(|| Span::apart(&all)).unwrap_or(Grain::Fitting);
            groups.insert(0, Group { place: place.clone(), grain: places.grain_of(&place, grain) });
        }
        conditions.push(Condition::Spans { place, spans: all });
        Some(())
    }
}

/// "Q1 this year vs last year": the same part of the year that is said second.
fn as_before(first: &Spoken, span: Span, second: &Spoken) -> Option<Span> {
    if span.grain.is_none_or(|grain| grain == Grain::Year) || matches!(first, Spoken::Around(Grain::Year, _) | Spoken::Year(_))
    {
        return None;
    }
    let years = match second {
        Spoken::Around(Grain::Year, steps @ ..0) => *steps,
        Spoken::Year(year) => year - chrono::Datelike::year(&span.from?),
        _ => return None,
    };
    let moved = |day| crate::language::span::shifted(day, Grain::Year, years);
    (years < 0).then_some(Span { from: Some(moved(span.from?)?), to: Some(moved(span.to?)?), grain: span.grain })
}

/// The condition that a term is a word for.
pub(super) fn of_term(term: &Term, place: Place, word: Option<&String>) -> Condition {
    match &term.value {
        TermValue::Number(value) => {
            Condition::Number { place, comparison: term.comparison, value: *value, word: word.cloned() }
        }
        TermValue::Text(value) => {
            Condition::In { place, values: vec![Value::from(value.as_str())], negated: term.comparison == Comparison::NotEqual }
        }
    }
}

pub(super) const fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Above => Comparison::Below,
        Comparison::AtLeast => Comparison::AtMost,
        Comparison::Below => Comparison::Above,
        Comparison::AtMost => Comparison::AtLeast,
        other => other,
    }
}
