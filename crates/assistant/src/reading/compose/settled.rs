//! What the parts of a draft say together.

use super::{is_number, said};
use crate::language::cues::{Aggregate, Hint, Rank};
use crate::language::unit::Unit;
use crate::reading::draft::{Draft, SaidNum, Split};
use crate::world::{Kind, Thing, World};

/// "first order date", "when was the last order": a time itself.
fn first_time(draft: &mut Draft, world: &World) {
    let Some(rank) = &draft.rank else { return };
    if rank.hint != Hint::Time || rank.of.is_some() || rank.count.is_some() {
        return;
    }
    let is_time =
        |one: &crate::reading::draft::Said| matches!(one.thing, Thing::Field(field) if world.fields[field].kind == Kind::Time);
    let focus = if let Some(Split::Thing(one)) = draft.focus { Some(one) } else { None };
    let named = focus.filter(|one| is_time(one)).or_else(|| draft.loose.iter().copied().find(is_time));
    let of_table = |wanted: bool| {
        let table = focus.into_iter().chain(draft.loose.iter().copied()).find_map(|one| match one.thing {
            Thing::Table(table) => world.tables[table].time,
            _ => None,
        });
        table.filter(|_| wanted).map(|time| said(Thing::Field(time)))
    };
    // "first order date": the grain is the time itself.
    let is_date = draft.splits == [Split::Grain(crate::language::grain::Grain::Day)] && !rank.plural;
    let Some(time) = named.or_else(|| of_table(draft.when || is_date)) else { return };
    let how = Some(if rank.end == Rank::Smallest { Aggregate::Least } else { Aggregate::Greatest });
    draft.numbers.push(SaidNum { how, counted: false, different: false, of: time });
    (draft.rank, draft.focus) = (None, None);
    draft.loose.retain(|one| !is_time(one));
    // The grain "date" is the time itself.
    draft.splits.retain(|split| !matches!(split, Split::Grain(crate::language::grain::Grain::Day)));
}

/// The draft with what its parts say together.
pub(super) fn settled(draft: &Draft, world: &World) -> Draft {
    let mut draft = draft.clone();
    if let Some(unit) = draft.measured {
        let has = |field: &crate::world::Field| field.kind.is_measure() && field.unit == Some(unit);
        if let Some(field) = (0..world.fields.len()).find(|at| has(&world.fields[*at])) {
            let how = Some(Aggregate::Sum);
            draft.numbers.push(SaidNum { how, counted: false, different: false, of: said(Thing::Field(field)) });
        }
    }
    // "who spent over $5000"
    if draft.who
        && let Some(paid) = super::roles::money(world).map(said)
    {
        let of_money = draft.bounds.iter_mut().filter(|bound| bound.of.is_none() && bound.unit.is_some_and(Unit::is_money));
        of_money.for_each(|bound| bound.of = Some(paid));
    }
    let alone = draft.numbers.is_empty()
        && !draft.loose.iter().any(|one| matches!(one.thing, Thing::Table(_)) || is_number(world, *one));
    // "daily departures in June": the period took the time for its own.
    if let Some(field) =
        draft.periods.iter().find_map(|period| period.of).filter(|_| alone && draft.loose.is_empty() && draft.focus.is_none())
    {
        draft.loose.push(said(Thing::Table(world.fields[field].table)));
    }
    let ranked = draft.rank.as_ref().is_some_and(|rank| rank.is_top && rank.of.is_none());
    // "departures by month", "who posted the most": the rows that have the time.
    for one in &mut draft.loose {
        if let Thing::Field(field) = one.thing
            && alone
            && (one.plural || ranked)
            && world.fields[field].kind == Kind::Time
        {
            one.thing = Thing::Table(world.fields[field].table);
            draft.time = Some(field);
        }
    }
    if let Some(rank) = &draft.rank {
        let measured = rank.of.filter(|of| matches!(of.thing, Thing::Field(_)) && is_number(world, *of));
        let of_fields = draft.focus.is_none() && !rank.is_top && rank.count.is_none() && !draft.splits.is_empty();
        // "the longest delay per destination" is a number of each.
        if let (Some(of), true, Rank::Greatest | Rank::Smallest) = (measured, of_fields, rank.end) {
            let how = if rank.end == Rank::Smallest { Aggregate::Least } else { Aggregate::Greatest };
            draft.numbers.push(SaidNum { how: Some(how), counted: false, different: false, of });
            draft.rank = None;
        }
    }
    first_time(&mut draft, world);
    // "the 10 longest flights": the flights themselves.
    let own = draft.rank.as_ref().is_some_and(|rank| !matches!(rank.hint, Hint::Named | Hint::Count) && rank.of.is_none());
    if let (Some(Split::Thing(one)), true) = (draft.focus, own)
        && matches!(one.thing, Thing::Table(table) if world.is_event(table))
    {
        draft.focus = None;
        draft.loose.push(one);
    }
    draft
}
