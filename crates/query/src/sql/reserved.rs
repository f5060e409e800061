//! Names that a query may not use: those that Inlay gives, and, where the database calls a function by them, those behind a dot
//! that nothing gives.

use super::Refusal;
use crate::{
    catalog::Catalog,
    dialect::dialect,
    name::{fold, fold_ident},
    rewrite::Columns,
    source::SourceKind,
    sql::guard::ROW,
};
use inlay_sql_walk::walk;
use sqlparser::ast::{Expr, Ident, ObjectName, Query, Select, SelectItem, Statement, TableAlias, TableFactor, Visitor};
use std::{collections::HashSet, ops::ControlFlow};

/// What the names that Inlay gives begin with.
const PREFIX: &str = "inlay_";

/// What an item without a name is called after beyond its function: the forms of SQL, and the types of casts.
#[rustfmt::skip]
const UNNAMED: &[&str] = &[
    "array", "bool", "bpchar", "btrim", "case", "coalesce", "date", "exists", "extract", "date_part", "float4", "float8", "greatest", "int2",
    "int4", "int8", "interval", "json", "jsonb", "least", "ltrim", "nullif", "numeric", "overlay", "position", "row", "rtrim", "substring", "text",
    "time", "timestamp", "timestamptz", "timetz", "timezone", "uuid", "varchar",
];

/// Refuses names that a query gives and that begin like Inlay's own. One of them could stand for a row of a wrapper, or for a part of WITH.
pub(super) fn check_given(kind: SourceKind, statement: &Statement) -> Result<(), Refusal> {
    match walk(statement, &mut Given { kind, names: HashSet::new() }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(name) => {
            Err(Refusal::new(format!("the name {name} begins with {PREFIX}, which is kept for Inlay: choose another")))
        }
    }
}

/// Refuses a name behind a dot that is neither a visible column of a table that the query reads nor a name that the query
/// gives, where the database would call a function by it: `o.to_jsonb` is `to_jsonb(o)` on PostgreSQL.
pub(crate) fn check_dots(kind: SourceKind, catalog: &Catalog, columns: &Columns, statement: &Statement) -> Result<(), Refusal> {
    if !dialect(kind).forms().calls_by_dot.is_allowed() {
        return Ok(());
    }
    let mut given = Given { kind, names: HashSet::new() };
    // The names that are kept for Inlay were refused before.
    let _ = walk(statement, &mut given);
    let mut known = given.names;
    for (name, columns) in columns {
        let Some(table) = catalog.named(kind, name) else { continue };
        let visible = columns.iter().filter(|column| !table.hides(kind, &column.name));
        known.extend(visible.map(|column| fold(kind, &column.name)));
    }
    match walk(statement, &mut Dots { kind, known: &known }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => {
            Err(Refusal::new("a name behind a dot is no column of its table: the database might call a function by it"))
        }
    }
}

/// Collects the names that a query gives, folded. Ends at one that is kept for Inlay.
struct Given {
    kind: SourceKind,
    names: HashSet<String>,
}

impl Given {
    fn give(&mut self, name: &Ident) -> ControlFlow<String> {
        if name.value.get(..PREFIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(PREFIX)) {
            return ControlFlow::Break(name.value.clone());
        }
        self.names.insert(fold_ident(self.kind, name));
        ControlFlow::Continue(())
    }

    fn alias(&mut self, alias: &TableAlias) -> ControlFlow<String> {
        self.give(&alias.name)?;
        alias.columns.iter().try_for_each(|column| self.give(&column.name))
    }

    /// A table without an alias is called by its own name, which may be like that of a wrapper's row.
    fn bare(&self, table: &ObjectName) -> ControlFlow<String> {
        let own = table.0.last().and_then(|part| part.as_ident());
        match own.filter(|name| name.value.eq_ignore_ascii_case(ROW)) {
            Some(name) => ControlFlow::Break(name.value.clone()),
            None => ControlFlow::Continue(()),
        }
    }
}

impl Visitor for Given {
    type Break = String;

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<String> {
        query.with.iter().flat_map(|with| &with.cte_tables).try_for_each(|cte| self.alias(&cte.alias))
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<String> {
        select.projection.iter().try_for_each(|item| match item {
            SelectItem::ExprWithAlias { alias, .. } => self.give(alias),
            _ => ControlFlow::Continue(()),
        })
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<String> {
        match factor {
            TableFactor::Table { alias: Some(alias), .. }
            | TableFactor::Derived { alias: Some(alias), .. }
            | TableFactor::NestedJoin { alias: Some(alias), .. } => self.alias(alias),
            TableFactor::Table { name, alias: None, .. } => self.bare(name),
            _ => ControlFlow::Continue(()),
        }
    }
}

struct Dots<'a> {
    kind: SourceKind,
    known: &'a HashSet<String>,
}

impl Visitor for Dots<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        let Expr::CompoundIdentifier(parts) = expression else { return ControlFlow::Continue(()) };
        let Some(last) = parts.last() else { return ControlFlow::Continue(()) };
        let name = fold_ident(self.kind, last);
        // An item without a name is called after its function, which is then one of those that a query may call.
        let known = self.known.contains(&name) || UNNAMED.contains(&&*name) || dialect(self.kind).functions().holds(&name);
        if known { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        catalog::{RowAccess, Table},
        schema::{Class, SourceColumn},
        sql::{
            check::{Author, check},
            on_deep_stack, parse,
        },
    };
    use std::collections::BTreeSet;

    #[test]
    fn names_that_begin_like_inlays_own_are_refused() {
        for kind in SourceKind::ALL {
            let verdict = |sql: &str| on_deep_stack(|| check(kind, Author::Chart, &parse(kind, sql).expect(sql)));
            for sql in [
                "select 1 as inlay_x",
                "select 1 as Inlay_Row",
                "select a from orders inlay_row",
                "select a from inlay_row",
                "select a from (select 1 as a) as inlay_row",
                "with inlay_cte_1 as (select 1) select * from orders",
                "with a(inlay_b) as (select 1) select * from a",
                "select * from orders o(inlay_a)",
                "select (select max(inlay_row.a) from (select 1 as a) x) from (select 1 as b) inlay_row",
                "select * from orders, (select 1 as inlay_a) x",
            ] {
                let told = verdict(sql).map_err(|refusal| refusal.0);
                assert!(told.as_ref().is_err_and(|told| told.contains("kept for Inlay")), "{kind}: {sql}: {told:?}");
            }
            for sql in [
                "select inlay_a from orders",
                "select o.inlay_a from inlay_orders o",
                "select a as not_inlay_a from inlay_orders",
            ] {
                assert_eq!(verdict(sql), Ok(()), "{kind}: {sql}");
            }
        }
    }

    fn dots(kind: SourceKind, sql: &str) -> Result<(), Refusal> {
        let table = Table { name: "orders".to_owned(), rows: RowAccess::All, hidden: BTreeSet::from(["margin".to_owned()]) };
        let columns = ["id", "n", "margin"].map(|name| SourceColumn::new(name.to_owned(), Class::Integer));
        let columns = Columns::from([("orders".to_owned(), columns.to_vec().into())]);
        on_deep_stack(|| check_dots(kind, &Catalog::new(vec![table]), &columns, &parse(kind, sql).expect(sql)))
    }

    #[test]
    fn a_function_cannot_be_called_by_a_dot() {
        for sql in [
            "select o.to_jsonb from orders o",
            "select o.pg_typeof from orders o",
            "select o.leak from orders o where o.row_to_json is not null",
            "select orders.\"to_jsonb\" from orders",
            "select public.orders.to_jsonb from orders",
            "select x.margin from orders x",
            "select (select o.query_to_xml) from orders o",
        ] {
            assert!(dots(SourceKind::Postgres, sql).is_err(), "{sql}");
            assert_eq!(dots(SourceKind::Duckdb, sql), Ok(()), "{sql}");
        }
        for sql in [
            "select o.id, O.N from orders o",
            "select x.many from (select count(*) as many from orders) x",
            "select x.count from (select count(*) from orders) x",
            "select x.coalesce, y.int4 from (select coalesce(n, 0) from orders) x, (select n::int from orders) y",
            "with x(a, b) as (select id, n from orders) select x.a, x.b from x",
            "select x.a from (values (1)) x(a)",
            "select o.*, public.orders.id from orders o, orders",
        ] {
            assert_eq!(dots(SourceKind::Postgres, sql), Ok(()), "{sql}");
        }
    }
}
