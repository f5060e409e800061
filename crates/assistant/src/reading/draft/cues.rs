//! Words with a fixed meaning.

use super::{Reader, Said, SaidNum, Split};
use crate::language::cues::{Aggregate, Cue};
use crate::language::grain::Grain;
use crate::language::unit::Unit;
use crate::reading::atoms::{Atom, What};
use crate::world::{Kind, Thing};

impl Reader<'_> {
    pub(super) fn said_cue(&mut self, cue: Cue) {
        self.at += 1;
        match cue {
            Cue::HowMany => self.said_how_many(),
            Cue::Aggregate(how) => self.said_aggregate(how),
            Cue::By => self.said_by(),
            Cue::Grain(grain) => self.said_grain(grain),
            Cue::Which => self.said_which(),
            Cue::Top(end) => self.said_top(end),
            Cue::Extreme(end, hint) => self.said_extreme(end, hint),
            Cue::Than(comparison) => self.said_than(comparison),
            Cue::ThanOf(comparison, hint) => {
                let before = self.draft.bounds.len();
                self.said_than(comparison);
                if let Some(bound) = self.draft.bounds.get_mut(before) {
                    bound.hint = Some(hint);
                }
            }
            Cue::Between => self.said_between(),
            Cue::Not => self.not = true,
            Cue::Direction(direction) => self.direction = Some(direction),
            Cue::Days(days) => {
                let not = std::mem::take(&mut self.not);
                let known = self.draft.days.get_or_insert((Vec::new(), not));
                known.0.extend(days);
            }
            Cue::Distinct => {
                if let Some(said) = self.thing() {
                    self.draft.numbers.push(SaidNum { how: None, counted: true, different: true, of: said });
                }
            }
            Cue::Share => self.draft.share = true,
            Cue::Versus => self.draft.versus = true,
            Cue::OverTime => self.draft.trend = true,
            Cue::Growth => self.draft.growth = true,
            Cue::Sort => self.said_sort(),
            Cue::YearBefore => {
                self.draft.year_before = true;
                self.draft.versus = true;
            }
            Cue::Moment => self.draft.unknown.push(self.atoms[self.at - 1].text.clone()),
            Cue::Running => self.draft.running = true,
            Cue::Basket => self.draft.basket = true,
            Cue::Moving => self.draft.moving = Some(self.number.take().map_or(3, |(value, _)| value.clamp(2.0, 1000.0) as u16)),
            Cue::Chart(kind) => self.draft.chart = Some(kind),
            Cue::List => self.draft.list = true,
            Cue::Show => self.draft.show = true,
            Cue::Distribution | Cue::Relation => self.draft.distribution = true,
            Cue::How => match self.term() {
                Some((field, _)) => {
                    let of = Said { thing: Thing::Field(field), owner: None, direction: None, quality: 1.0, plural: false };
                    let how = Some(Aggregate::Average);
                    self.draft.numbers.push(SaidNum { how, counted: false, different: false, of });
                }
                None => self.draft.how = self.draft.how.or(Some(Aggregate::Average)),
            },
            Cue::HowMuch(hint) => {
                self.draft.rank = None;
                self.draft.how = self.draft.how.or(Some(Aggregate::Average));
                self.draft.how_much = Some(hint);
            }
            Cue::FollowUp(follow) => self.draft.follow = self.draft.follow.or(Some(follow)),
            Cue::Only => self.draft.only = true,
            Cue::Those => self.draft.those = true,
            Cue::Beyond => self.draft.beyond = true,
            Cue::Help => self.draft.help = true,
            Cue::Greeting => self.draft.greeting = true,
            Cue::Thanks => self.draft.thanks = true,
            Cue::As => {
                // "Boston and Chicago as destinations"
                let key = match self.peek(0) {
                    Some(What::Thing(Thing::Field(field))) => {
                        Some(*field).filter(|field| self.world.fields[*field].refers.is_some())
                    }
                    _ => None,
                };
                if let (Some(_), Some(values)) = (key, self.draft.values.last_mut()) {
                    values.through = key;
                    self.at += 1;
                }
            }
            Cue::Unit(unit) => {
                // "in hours"
                if self.atoms[self.at - 1].text.starts_with("in ") {
                    self.draft.in_unit = Some(unit);
                }
            }
            Cue::OrMore(_) | Cue::Times | Cue::And | Cue::With | Cue::Filler => {}
        }
    }

    pub(super) fn said_how_many(&mut self) {
        self.draft.how_many = true;
        let different = self.cue(0) == Some(Cue::Distinct);
        self.at += usize::from(different);
        // "how many discontinued products"
        let flag =
            matches!(self.peek(0), Some(What::Thing(Thing::Field(field))) if self.world.fields[*field].kind == Kind::Flag);
        if flag {
            self.counting = true;
        } else if let Some(said) = self.thing() {
            self.near = Some(said.thing);
            self.draft.numbers.push(SaidNum { how: None, counted: true, different, of: said });
        } else if let Some(unit) = self.unit(0).filter(|_| !matches!(self.cue(0), Some(Cue::Grain(_)))) {
            self.at += 1;
            self.said_measured(unit);
        } else {
            self.counting = matches!(self.peek(0), Some(What::Value(_) | What::Thing(Thing::Term(..) | Thing::Field(_))));
        }
    }

    pub(super) fn said_aggregate(&mut self, how: Aggregate) {
        self.draft.amount |= self.atoms[self.at - 1].text == "how much";
        if self.cue(0) == Some(Cue::HowMany) {
            // "average number of orders per customer"
            self.at += 1;
            if let Some(said) = self.thing() {
                let how = (how != Aggregate::Sum).then_some(how);
                self.draft.numbers.push(SaidNum { how, counted: true, different: false, of: said });
            }
            return;
        }
        // "average monthly revenue"
        let adjective = matches!(
            self.atoms.get(self.at).map(|atom| &*atom.text),
            Some("daily" | "weekly" | "monthly" | "quarterly" | "yearly" | "annual")
        );
        if let (Aggregate::Average, true, Some(grain)) = (how, adjective, self.atoms.get(self.at).and_then(Atom::grain)) {
            self.at += 1;
            self.draft.each_period = Some(grain);
            if let Some(of) = self.thing() {
                self.near = Some(of.thing);
                self.draft.numbers.push(SaidNum {
                    how: None,
                    counted: matches!(of.thing, Thing::Table(_)),
                    different: false,
                    of,
                });
            }
            return;
        }
        let Some(said) = self.thing() else {
            self.draft.how = Some(how);
            return;
        };
        self.near = Some(said.thing);
        // "average order value": money for each order.
        if let (Thing::Table(_), Some(What::Thing(Thing::Money(_) | Thing::Declared(_)))) = (said.thing, self.peek(0))
            && how == Aggregate::Average
            && let Some(money) = self.thing()
        {
            self.draft.per = Some(said);
            self.draft.numbers.push(SaidNum { how: None, counted: false, different: false, of: money });
            return;
        }
        let counted = matches!(said.thing, Thing::Table(_));
        let how = if counted && how == Aggregate::Sum { None } else { Some(how) };
        self.draft.numbers.push(SaidNum { how, counted, different: false, of: said });
        // "average delay and distance"
        while self.cue(0) == Some(Cue::And)
            && matches!(self.peek(1), Some(What::Thing(Thing::Field(field))) if self.world.fields[*field].kind.is_measure())
        {
            self.at += 1;
            let Some(next) = self.thing() else { break };
            self.draft.numbers.push(SaidNum { how, counted: false, different: false, of: next });
        }
    }

    pub(super) fn said_by(&mut self) {
        let word = self.atoms[self.at - 1].text.clone();
        let ranked = self.draft.rank.as_ref().is_some_and(|rank| rank.count.is_some());
        self.draft.each |= word.contains("each") || word.contains("every") || word == "per" && ranked;
        loop {
            while let Some(Cue::Direction(direction)) = self.cue(0) {
                self.direction = Some(direction);
                self.at += 1;
            }
            if let Some(grain) = self.atoms.get(self.at).and_then(Atom::grain) {
                self.draft.splits.push(Split::Grain(grain));
                self.at += 1;
            } else if self.cue(0) == Some(Cue::HowMany) {
                // "by number of orders"
                self.said_cue(Cue::HowMany);
                self.draft.how_many = false;
            } else if let Some(Cue::Aggregate(how)) = self.cue(0) {
                self.at += 1;
                self.said_aggregate(how);
            } else if self.cue(0) == Some(Cue::Share) {
                self.draft.share = true;
                self.at += 1;
            } else if let Some(What::Thing(Thing::Term(field, term, rate))) = self.peek(0) {
                self.draft.terms.push((*field, *term, *rate));
                self.at += 1;
                continue;
            } else if let Some(said) = self.thing() {
                if word == "per" && self.is_event(said) && self.draft.rank.is_none() && !matches!(said.thing, Thing::Field(_)) {
                    self.draft.per = Some(said);
                } else {
                    self.draft.splits.push(Split::Thing(said));
                }
            } else {
                // "revenue per km": a unit is nothing to split by, and no number of rows.
                if let Some(Cue::Unit(_)) = self.cue(0) {
                    self.draft.unknown.push(self.atoms[self.at].text.clone());
                }
                break;
            }
            let joined = matches!(self.peek(0), Some(What::Comma | What::Cue(Cue::And | Cue::By)));
            let goes_on = matches!(self.peek(1), Some(What::Thing(thing)) if !matches!(thing, Thing::Term(..)))
                || self.atoms.get(self.at + 1).and_then(Atom::grain).is_some()
                || matches!(self.cue(1), Some(Cue::By));
            if !(joined && goes_on) {
                break;
            }
            self.at += 1;
            // "by revenue each month": the word before is another `by`.
            let joint = &self.atoms[self.at - 1];
            self.draft.each |= joint.cue() == Some(Cue::By) && (joint.text.contains("each") || joint.text.contains("every"));
            self.at += usize::from(self.cue(0) == Some(Cue::By));
        }
    }

    pub(super) fn said_grain(&mut self, grain: Grain) {
        // "hours booked in May": what has this unit. "By hour" is read with "by".
        let asked = self.at.checked_sub(2).and_then(|at| self.atoms[at].cue());
        if self.atoms[self.at - 1].text == "hours" && !matches!(asked, Some(Cue::Which | Cue::Extreme(..) | Cue::Top(_))) {
            self.said_measured(Unit::Hour);
            return;
        }
        // "over 20 hours a week": what the number is like, and nothing to split by.
        let is_rate = !self.atoms[self.at - 1].plural && matches!(asked, Some(Cue::Unit(_) | Cue::Grain(_)));
        if is_rate && self.draft.bounds.last().is_some_and(|bound| bound.unit.is_some()) {
            return self.said_rate(grain);
        }
        // "weekends and weekdays"
        if let (Grain::Weekday, Some((days, _)), true) = (grain, &mut self.draft.days, self.draft.versus) {
            days.extend(0..5);
            return;
        }
        if grain == Grain::Weekday && self.is_on_weekdays() {
            let not = std::mem::take(&mut self.not);
            self.draft.days.get_or_insert((Vec::new(), not)).0.extend(0..5);
            return;
        }
        if self.draft.rank.is_some() && self.draft.focus.is_none() && self.draft.splits.is_empty() {
            self.draft.focus = Some(Split::Grain(grain));
            if let Some(rank) = &mut self.draft.rank {
                rank.plural |= self.atoms[self.at - 1].plural;
            }
        } else {
            self.draft.splits.push(Split::Grain(grain));
        }
    }

    /// "20 hours a week": fits only a number that is called so.
    fn said_rate(&mut self, grain: Grain) {
        let word = grain.words();
        let of = self.draft.bounds.last().and_then(|bound| bound.of).map(|of| of.thing);
        let is_called = |field: &crate::world::Field| field.called.iter().flatten().any(|own| own.starts_with(word));
        let has = |field: &crate::world::Field| field.kind.is_measure() && field.unit.is_some() && is_called(field);
        let fits = match of {
            Some(Thing::Field(field)) => is_called(&self.world.fields[field]),
            _ => self.world.fields.iter().any(has),
        };
        if !fits {
            self.draft.unknown.push(self.atoms[self.at - 1].text.clone());
        }
    }

    /// "how many miles": the sum of what has this unit, if something has.
    fn said_measured(&mut self, unit: Unit) {
        let has = |field: &crate::world::Field| field.kind.is_measure() && field.unit == Some(unit);
        if self.world.fields.iter().any(has) {
            self.draft.measured = Some(unit);
        } else {
            self.draft.unknown.push(self.atoms[self.at - 1].text.clone());
        }
    }

    /// "average weekday orders", "weekday vs weekend": Monday to Friday.
    fn is_on_weekdays(&self) -> bool {
        let atom = &self.atoms[self.at - 1];
        let before = self.at.checked_sub(2).and_then(|at| self.atoms[at].cue());
        let is_asked = matches!(before, Some(Cue::By | Cue::Which | Cue::Extreme(..) | Cue::Top(_)));
        let is_beside = |cue: Option<Cue>| matches!(cue, Some(Cue::Versus | Cue::And));
        let weekend = |ahead: usize| matches!(self.cue(ahead), Some(Cue::Days([5, 6])));
        let compared = is_beside(self.cue(0)) && weekend(1);
        let narrows = matches!(self.peek(0), Some(What::Thing(thing)) if !matches!(thing, Thing::Term(..)));
        matches!(&*atom.text, "weekday" | "weekdays") && !is_asked && (compared || narrows)
    }

    pub(super) fn said_which(&mut self) {
        let word = self.atoms[self.at - 1].text.as_str();
        self.draft.which = true;
        self.draft.who |= word == "who";
        if word == "when" {
            self.draft.when = true;
        }
        if let Some(grain) = self.atoms.get(self.at).and_then(Atom::grain) {
            self.draft.focus = Some(Split::Grain(grain));
            self.at += 1;
            return;
        }
        if word.starts_with("which") || word == "what" {
            let count = match self.peek(0) {
                // "what 2023 for laptops": a year.
                Some(What::Number(value)) if value.fract() == 0.0 && *value <= 1000.0 => Some(*value),
                _ => None,
            };
            if count.is_some() {
                self.at += 1;
            }
            if let Some(value) = count {
                self.number = Some((value, self.at));
            }
            if matches!(self.peek(0), Some(What::Thing(Thing::Table(_) | Thing::Field(_))))
                && let Some(said) = self.thing()
            {
                self.near = Some(said.thing);
                // "what revenue did we make"
                if self.is_number(said) {
                    self.draft.loose.push(said);
                } else {
                    self.draft.focus = Some(Split::Thing(said));
                }
            }
        }
    }
}
