//! The verification: parses the final SQL again and checks it without trusting the code that created it.

use super::{
    Refusal,
    canonical::canonical,
    check::{Author, check},
    parse,
    scope::CTE,
};
use crate::{bind::Binds, dialect::dialect, source::SourceKind};
use inlay_sql_walk::walk;
use sqlparser::ast::{Query, Statement, TableFactor, Value, ValueWithSpan, Visitor};
use std::{
    collections::{BTreeSet, HashSet},
    ops::ControlFlow,
};

/// Checks that `sql` parses back to `made`, contains nothing that is not on the list, reads base tables only in `guards`, and
/// uses exactly the binds `$1` to `$binds`.
pub(crate) fn verify(
    kind: SourceKind,
    sql: &str,
    made: &Statement,
    guards: &HashSet<String>,
    binds: usize,
) -> Result<(), Refusal> {
    let read = parse(kind, sql)?;
    if read != *made {
        return Err(Refusal::new("the SQL cannot be printed as it was read"));
    }
    check(kind, Author::Inlay, &read)?;
    let mut again = read.clone();
    canonical(kind, &mut again, &mut Binds::default())?;
    if again != read {
        return Err(Refusal::new("the SQL could be read in more than one way"));
    }
    let mut relations = Relations {
        kind,
        guards,
        defined: HashSet::new(),
        named: HashSet::new(),
        bases: 0,
        guarded: 0,
        binds: BTreeSet::new(),
    };
    if walk(&read, &mut relations).is_break() {
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
    kind: SourceKind,
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

    /// A wrapper contains exactly one base table. So equal numbers of both mean that each base table is in its own wrapper.
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
                if name.starts_with(&format!("{}{CTE}", dialect(self.kind).names().quote_mark)) {
                    self.named.insert(name);
                    return ControlFlow::Continue(());
                }
                // A name without a schema is a table only if the connection sets the default schema.
                self.bases += 1;
                if dialect(self.kind).default_schema().is_empty() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::guard::guard;
    use crate::{name::TableKey, sql::parse};
    use sqlparser::ast::{Expr, Value};

    const KIND: SourceKind = SourceKind::Postgres;

    fn wrapper() -> String {
        let table = TableKey { schema: "public".to_owned(), table: "orders".to_owned() };
        let rule = Expr::value(Value::Placeholder("$1".to_owned()));
        guard(KIND, &table, &["id"], Some(&rule), &[], true).expect("a wrapper").text
    }

    fn verdict(sql: &str, binds: usize) -> Result<(), Refusal> {
        let made = parse(KIND, sql).expect("it parses");
        verify(KIND, &made.to_string(), &made, &HashSet::from([wrapper()]), binds)
    }

    #[test]
    fn what_stands_in_its_wrapper_passes() {
        let wrapper = wrapper();
        for sql in [
            format!("SELECT * FROM ({wrapper}) AS o"),
            format!("SELECT (SELECT max(id) FROM ({wrapper}) x) FROM ({wrapper}) AS o"),
            format!("WITH \"inlay_cte_1\" AS (SELECT * FROM ({wrapper}) o) SELECT * FROM \"inlay_cte_1\" AS orders"),
        ] {
            assert_eq!(verdict(&sql, 1), Ok(()), "{sql}");
        }
    }

    #[test]
    fn what_stands_elsewhere_does_not() {
        let wrapper = wrapper();
        for (sql, binds) in [
            ("SELECT id FROM orders".to_owned(), 0),
            ("SELECT id FROM \"public\".\"orders\"".to_owned(), 0),
            (format!("SELECT * FROM ({wrapper}) AS o, \"public\".\"orders\" AS p"), 1),
            (format!("SELECT * FROM ({wrapper}) AS o WHERE id IN (SELECT id FROM \"public\".\"orders\")"), 1),
            (format!("SELECT * FROM ({wrapper}) AS o UNION SELECT id FROM orders"), 1),
            (format!("SELECT * FROM ({}) AS o", wrapper.replace("$1", "true")), 0),
            (format!("SELECT * FROM ({}) AS o", wrapper.replace("($1)", "($1) OR true")), 1),
            (format!("SELECT * FROM ({}) AS o", wrapper.replace(" OFFSET 0", "")), 1),
            (format!("SELECT * FROM ({}) AS o", wrapper.replace("\"orders\"", "\"secrets\"")), 1),
            ("SELECT * FROM \"inlay_cte_1\" AS o".to_owned(), 0),
            ("WITH c AS (SELECT 1) SELECT * FROM c".to_owned(), 0),
            (format!("SELECT * FROM ({wrapper}) AS o"), 2),
            (format!("SELECT * FROM ({wrapper}) AS o WHERE id = $2"), 1),
            (format!("SELECT pg_sleep(1) FROM ({wrapper}) AS o"), 1),
            (format!("SELECT * FROM ({wrapper}) AS o FOR UPDATE"), 1),
        ] {
            assert!(verdict(&sql, binds).is_err(), "{sql}");
        }
    }

    #[test]
    fn what_does_not_read_back_as_it_was_made_is_refused() {
        let made = parse(KIND, "SELECT 1").expect("it parses");
        assert!(verify(KIND, "SELECT 2", &made, &HashSet::new(), 0).is_err());
    }
}
