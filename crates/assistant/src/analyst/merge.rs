//! What a follow-up question says together with what was asked before it.

use crate::{
    language::cues::FollowUp,
    reading::{Draft, Said, SaidBound, SaidValues, Split},
    world::Thing,
};

/// What was said before, with the parts that this message replaces. `and`: the message begins with that word.
pub(super) fn merged(draft: &Draft, previous: &Draft, and: bool) -> Draft {
    let mut merged = previous.clone();
    merged.seen = draft.seen.after(&previous.seen);
    let adds = and && draft.follow != Some(FollowUp::Replace) || draft.follow == Some(FollowUp::Add);
    numbers(draft, &mut merged, adds);
    if let Some(how) = draft.how {
        merged.how = Some(how);
        merged.numbers.iter_mut().for_each(|number| number.how = Some(how));
    }
    if !draft.splits.is_empty() {
        if !adds {
            merged.splits.clear();
            merged.focus = None;
            merged.rank = None;
            merged.trend = false;
        }
        merged.splits.extend(draft.splits.iter().copied());
    }
    draft.values.iter().for_each(|wanted| values(wanted, &mut merged));
    rest(draft, merged)
}

/// Numbers replace those before, unless they are added. A field alone is what is split by now.
fn numbers(draft: &Draft, merged: &mut Draft, adds: bool) {
    let named = !draft.numbers.is_empty() || draft.loose.iter().any(|said| !matches!(said.thing, Thing::Field(_)));
    if !named && !draft.how_many {
        for said in &draft.loose {
            if !adds {
                merged.splits.clear();
            }
            merged.splits.push(Split::Thing(*said));
        }
        return;
    }
    if !(adds && draft.follow == Some(FollowUp::Add)) {
        let alone = draft.numbers.is_empty() && draft.loose.is_empty();
        // "how many of those": the same things, of which fewer count.
        merged.numbers.retain(|number| alone && number.counted);
        let is_number =
            |split: &Split| matches!(split, Split::Thing(said) if matches!(said.thing, Thing::Declared(_) | Thing::Money(_)));
        merged.splits.retain(|split| !is_number(split));
        merged.share = false;
        merged.how = None;
        merged.loose.retain(|said: &Said| matches!(said.thing, Thing::Table(_)) && alone);
        if let Some(rank) = &mut merged.rank {
            rank.of = None;
        }
    }
    merged.joins += draft.joins + 1;
    merged.numbers.extend(draft.numbers.iter().cloned());
    merged.loose.extend(draft.loose.iter().copied());
    merged.how_many |= draft.how_many;
}

/// Values replace those of the same field.
fn values(wanted: &SaidValues, merged: &mut Draft) {
    let same = |known: &SaidValues| {
        known.negated == wanted.negated
            && known.found.iter().flatten().any(|a| wanted.found.iter().flatten().any(|b| a.field == b.field))
    };
    let before = merged.values.iter().find(|known| same(known)).map(|known| (known.field, known.direction, known.near));
    merged.values.retain(|known| !same(known));
    let mut values = wanted.clone();
    // "flights by destination", "only ATL": the destination.
    let split = merged.splits.iter().find_map(|split| if let Split::Thing(said) = split { Some(said.thing) } else { None });
    let holds =
        |thing: &Thing| matches!(thing, Thing::Field(field) if values.found.iter().flatten().any(|one| one.field == *field));
    let of_split = split.filter(holds);
    values.field = values.field.or(of_split);
    if let Some((field, direction, near)) = before {
        values.field = values.field.or(field);
        values.direction = values.direction.or(direction);
        values.near = values.near.or(near);
    }
    merged.values.push(values);
}

/// Periods, conditions, ranks and forms.
fn rest(draft: &Draft, mut merged: Draft) -> Draft {
    if draft.versus && !draft.periods.is_empty() && !merged.periods.is_empty() {
        // "compare with 2019"
        let of = merged.periods.iter().find_map(|period| period.of);
        merged.periods.extend(draft.periods.iter().cloned());
        merged.periods.iter_mut().for_each(|period| period.of = period.of.or(of));
    } else if !draft.periods.is_empty() {
        let of = merged.periods.iter().find_map(|period| period.of);
        merged.periods.clone_from(&draft.periods);
        merged.periods.iter_mut().for_each(|period| period.of = period.of.or(of));
    }
    merged.days = draft.days.clone().or(merged.days);
    merged.hours = draft.hours.or(merged.hours);
    // "over 10 minutes only": of the number that each group has.
    let declared = || merged.loose.iter().copied().find(|said| matches!(said.thing, Thing::Declared(_) | Thing::Money(_)));
    let number = merged.numbers.first().map(|number| number.of).or_else(declared).filter(|_| !merged.splits.is_empty());
    merged.bounds.extend(draft.bounds.iter().map(|bound| {
        let own = bound.of.is_some() || bound.term.is_some() || bound.hint.is_some();
        SaidBound { of: bound.of.or_else(|| number.filter(|_| !own)), ..bound.clone() }
    }));
    merged.terms.extend(draft.terms.iter().copied());
    merged.flags.extend(draft.flags.iter().copied());
    if let Some(rank) = &draft.rank {
        let of = merged.rank.as_ref().and_then(|rank| rank.of);
        merged.rank = Some(rank.clone());
        if let Some(rank) = &mut merged.rank {
            rank.of = rank.of.or(of);
            // "just the top 10" of what was grouped before; "which is the worst" is one.
            rank.plural |= rank.count.is_none() && !draft.which;
        }
    }
    merged.focus = draft.focus.or(merged.focus);
    merged.chart = draft.chart.or(merged.chart);
    merged.share |= draft.share;
    merged.versus |= draft.versus;
    merged.trend |= draft.trend;
    merged.growth |= draft.growth;
    merged.running |= draft.running;
    merged.each |= draft.each;
    merged.year_before |= draft.year_before;
    merged.in_unit = draft.in_unit.or(merged.in_unit);
    merged.each_period = draft.each_period.or(merged.each_period);
    merged.moving = draft.moving.or(merged.moving);
    merged.lacking.extend(draft.lacking.iter().copied());
    merged
}
