//! The second look: at the SQL that a database will get, parsed afresh, without trust in what made it.

use super::{
    Refusal,
    check::{Author, check},
    parse,
    scope::CTE,
};
use crate::source::SourceKind;
use sqlparser::ast::{Query, Statement, TableFactor, Value, ValueWithSpan, Visit, Visitor};
use std::{
    collections::{BTreeSet, HashSet},
    ops::ControlFlow,
};

/// Checks that `sql` reads back as `made`, holds nothing that is off the list, names no base table outside one of `guards`,
/// and uses exactly the binds `$1` to `$binds`.
pub(crate) fn verify(
    kind: SourceKind,
    sql: &str,
    made: &Statement,
    guards: &HashSet<String>,
    binds: usize,
) -> Result<(), Refusal> {
    let read = parse(kind, sql)?;
    if read != *made {
        return Err(Refusal::new("the SQL does not come back from the printer as it went in"));
    }
    check(kind, Author::Inlay, &read)?;
    let mut relations =
        Relations { guards, defined: HashSet::new(), named: HashSet::new(), bases: 0, guarded: 0, binds: BTreeSet::new() };
    if read.visit(&mut relations).is_break() {
        return Err(Refusal::new("a relation is neither a wrapper nor a part of WITH"));
    }
    if relations.bases != relations.guarded || !relations.named.is_subset(&relations.defined) {
        return Err(Refusal::new("a base table stands outside a wrapper"));
    }
    if !relations.binds.iter().copied().eq(1..=binds) {
        return Err(Refusal::new("the bound values do not match their places"));
    }
    Ok(())
}

struct Relations<'a> {
    guards: &'a HashSet<String>,
    defined: HashSet<String>,
    named: HashSet<String>,
    bases: usize,
    guarded: usize,
    binds: BTreeSet<usize>,
}

impl Visitor for Relations<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            self.defined.insert(cte.alias.name.to_string());
        }
        ControlFlow::Continue(())
    }

    /// A wrapper holds exactly one base table, so as many bases as wrappers means: each base in its own wrapper.
    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        match factor {
            TableFactor::Derived { subquery, .. } => {
                self.guarded += usize::from(self.guards.contains(&subquery.to_string()));
                ControlFlow::Continue(())
            }
            TableFactor::Table { name, .. } if name.0.len() == 2 => {
                self.bases += 1;
                ControlFlow::Continue(())
            }
            TableFactor::Table { name, .. } => {
                let name = name.to_string();
                let ours = name.starts_with(&format!("\"{CTE}"));
                self.named.insert(name);
                if ours { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            }
            TableFactor::NestedJoin { .. } => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }

    fn pre_visit_value(&mut self, value: &ValueWithSpan) -> ControlFlow<()> {
        if let Value::Placeholder(name) = &value.value {
            self.binds.extend(name.trim_start_matches('$').parse::<usize>());
        }
        ControlFlow::Continue(())
    }
}
