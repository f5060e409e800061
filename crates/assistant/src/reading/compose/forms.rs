//! Shares, ratios, growth, running totals.

use super::{Composer, count_of};
use crate::language::cues::Aggregate;
use crate::language::grain::Grain;
use crate::reading::draft::SaidNum;
use crate::reading::meaning::{Condition, Group, Meaning, Num, Place};
use crate::reading::places::Places;

impl Composer<'_> {
    /// Shares, ratios, growth, running totals.
    pub(super) fn forms(&mut self, places: &mut Places<'_>, meaning: &mut Meaning) -> Option<()> {
        self.rate(places, meaning)?;
        if self.draft.share && !self.draft.growth && meaning.rows.is_none() {
            self.share(meaning)?;
        }
        self.each(places, meaning)?;
        self.distribution(meaning)?;
        if self.draft.growth {
            self.growth(meaning)?;
        }
        self.running(places, meaning)
    }

    /// "punctuality": a term that names a share of rows.
    fn rate(&self, places: &mut Places<'_>, meaning: &mut Meaning) -> Option<()> {
        let Some((field, term, _)) = self.draft.terms.iter().find(|(.., rate)| *rate) else { return Some(()) };
        let term = &self.context.world.fields[*field].terms[*term];
        let place = places.field(*field, None, None)?;
        let condition = super::conditions::of_term(term, place, term.rates.first());
        meaning.numbers = vec![Num::Part(Box::new(Num::Count), vec![condition])];
        Some(())
    }

    /// A number for each of another: order value, revenue per order, orders per customer.
    fn each(&mut self, places: &mut Places<'_>, meaning: &mut Meaning) -> Option<()> {
        let world = self.context.world;
        if self.draft.basket {
            // The document is what has the time.
            let table = world.time_of(self.fact).map_or(self.fact, |time| world.fields[time].table);
            let by = if table == self.fact {
                Num::Count
            } else {
                Num::Distinct(places.field(world.tables[table].key?, None, None)?)
            };
            meaning.numbers = vec![Num::Per(Box::new(meaning.numbers.first().cloned()?), Box::new(by))];
            return Some(());
        }
        if let Some(per) = self.draft.per {
            let by = self.number(places, &count_of(per))?;
            self.cost -= if matches!(by, Num::Distinct(_)) { 0.6 } else { 0.0 };
            // "average freight per order": of the orders themselves.
            meaning.numbers[0] = match (meaning.numbers.first().cloned()?, by) {
                (Num::Of(how, place), Num::Count) if how != Aggregate::Sum => Num::Of(how, place),
                (number, by) => Num::Per(Box::new(number), Box::new(by)),
            };
            return Some(());
        }
        if let Some(grain) = self.draft.each_period {
            return self.each_period(places, meaning, grain);
        }
        let mean = |number: &SaidNum| number.counted && number.how.or(self.draft.how) == Some(Aggregate::Average);
        if self.roles.numbers.first().is_some_and(mean) { self.mean_of_counts(meaning) } else { Some(()) }
    }

    /// "average monthly revenue": the mean of the months' sums. What is a mean already is told for each month.
    fn each_period(&self, places: &mut Places<'_>, meaning: &mut Meaning, grain: Grain) -> Option<()> {
        let time = places.time(grain)?;
        let of = match meaning.numbers.as_slice() {
            [Num::Count] => None,
            [Num::Of(Aggregate::Sum, of)] if of.way.columns.is_empty() => Some(of.clone()),
            [Num::Of(Aggregate::Average, _)] => {
                meaning.groups.insert(0, time);
                return Some(());
            }
            _ => return None,
        };
        if !meaning.groups.is_empty() || !time.place.way.columns.is_empty() {
            return None;
        }
        meaning.numbers = vec![Num::PerPeriod(time.place, grain, of)];
        Some(())
    }

    /// "average number of orders per customer"
    fn mean_of_counts(&self, meaning: &mut Meaning) -> Option<()> {
        let world = self.context.world;
        let [group, rest @ ..] = meaning.groups.as_slice() else { return None };
        if let (Some(grain), []) = (group.grain, rest) {
            meaning.numbers[0] = Num::PerPeriod(group.place.clone(), grain, None);
            meaning.groups.clear();
            return Some(());
        }
        if group.grain.is_some() || !rest.is_empty() && self.roles.splits.len() > 1 {
            return None;
        }
        let by = group.place.clone();
        let table = &world.tables[world.fields[by.field].table];
        let key = table.key.filter(|_| table.title.contains(&by.field));
        let by = key.map_or(by.clone(), |key| Place { field: key, way: by.way.clone() });
        meaning.groups.clear();
        meaning.numbers[0] = Num::Per(Box::new(meaning.numbers[0].clone()), Box::new(Num::Distinct(by)));
        Some(())
    }

    fn distribution(&self, meaning: &mut Meaning) -> Option<()> {
        if !self.draft.distribution {
            return Some(());
        }
        match (meaning.numbers.as_slice(), meaning.groups.as_slice()) {
            ([Num::Of(_, place)], []) if place.way.columns.is_empty() => {
                let place = place.clone();
                meaning.groups.push(Group { place: place.clone(), grain: None });
                meaning.numbers = vec![Num::Spread(place)];
                Some(())
            }
            // The distribution over a category is what there is of each.
            (_, [_]) => Some(()),
            _ => None,
        }
    }

    /// Running totals and moving means.
    fn running(&self, places: &mut Places<'_>, meaning: &mut Meaning) -> Option<()> {
        if !self.draft.running && self.draft.moving.is_none() {
            return Some(());
        }
        if !meaning.groups.iter().any(|group| group.grain.is_some_and(Grain::is_calendar)) {
            meaning.groups.push(places.time(Grain::Month)?);
        }
        let number = meaning.numbers.first().cloned()?;
        meaning.numbers = vec![match self.draft.moving {
            Some(periods) => Num::Moving(Box::new(number), periods),
            None => Num::Running(Box::new(number)),
        }];
        Some(())
    }

    pub(super) fn share(&mut self, meaning: &mut Meaning) -> Option<()> {
        // "what part of the bookings were no-shows": a declared count out of all rows.
        if let [Num::Declared(part)] | [Num::Declared(part), Num::Count] | [Num::Count, Num::Declared(part)] =
            meaning.numbers.as_slice()
            && self.roles.counts_all
            && self.context.world.numbers[*part].counts_rows()
        {
            meaning.numbers = vec![Num::Out(Box::new(Num::Declared(*part)), Box::new(Num::Count))];
            return Some(());
        }
        let number = meaning.numbers.first().cloned().unwrap_or(Num::Count);
        // Only what adds up has parts.
        if let Num::Declared(at) = number {
            self.context.world.numbers[at].aggregate.filter(|aggregate| aggregate.adds_up())?;
        }
        // "share of revenue by country"
        if !meaning.groups.is_empty()
            && !meaning
                .conditions
                .iter()
                .any(|condition| matches!(condition, Condition::Number { .. } | Condition::Flag { .. }))
        {
            meaning.numbers = vec![Num::OfTotal(Box::new(number))];
            return Some(());
        }
        // "what share of the orders goes to Germany": the last condition is the part.
        let is_part = |condition: &Condition| !matches!(condition, Condition::Spans { .. });
        let at = meaning
            .conditions
            .iter()
            .rposition(|condition| {
                matches!(condition, Condition::Number { .. } | Condition::Flag { .. } | Condition::Present { .. })
            })
            .or_else(|| meaning.conditions.iter().rposition(is_part));
        let part = meaning.conditions.remove(at?);
        meaning.numbers = vec![Num::Part(Box::new(number), vec![part])];
        Some(())
    }

    pub(super) fn growth(&mut self, meaning: &mut Meaning) -> Option<()> {
        let number = meaning.numbers.first().cloned()?;
        let along = meaning.groups.iter().any(|group| group.grain.is_some_and(Grain::is_calendar));
        let at = meaning.conditions.iter().position(|condition| matches!(condition, Condition::Spans { .. }));
        match at.map(|at| meaning.conditions.remove(at)) {
            Some(Condition::Spans { place, mut spans }) => {
                spans.sort_by_key(|span| span.from);
                let pair = match spans.as_slice() {
                    [one] if !along => [one.before()?, *one],
                    [first, second] => [*first, *second],
                    _ => {
                        meaning.conditions.push(Condition::Spans { place, spans });
                        self.cost += 0.3;
                        return Some(());
                    }
                };
                meaning.numbers[0] = Num::Growth(Box::new(number), place, pair);
            }
            // The course shows the growth.
            _ if along => self.cost += 0.2,
            _ => {
                let mut places = Places::new(self.context.world, self.fact, None);
                meaning.groups.insert(0, places.time(Grain::Fitting)?);
                self.cost += 0.3;
            }
        }
        Some(())
    }
}
