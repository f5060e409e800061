//! The columns that a query names, of any table. Used to find what a hidden column would break.

use crate::{
    error::QueryError,
    name::{fold, fold_ident},
    source::SourceKind,
    sql::{
        check::{Author, check},
        on_deep_stack, parse, parse_expression,
    },
};
use inlay_sql_walk::walk;
use sqlparser::ast::{Expr, Ident, JoinConstraint, JoinOperator, ObjectName, Select, Visitor};
use std::{collections::BTreeSet, ops::ControlFlow};

/// The columns that a query names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnNames {
    kind: SourceKind,
    names: BTreeSet<String>,
}

impl ColumnNames {
    /// The columns that a query names in its expressions and joins. `*` names none.
    ///
    /// # Errors
    /// [`QueryError::Failed`]: the query is not allowed.
    pub fn of(kind: SourceKind, sql: &str) -> Result<Self, QueryError> {
        on_deep_stack(|| {
            let statement = parse(kind, sql)?;
            check(kind, Author::Chart, &statement)?;
            let mut found = Self { kind, names: BTreeSet::new() };
            let _ = walk(&statement, &mut found);
            Ok(found)
        })
    }

    /// The columns that an expression of one table's rows names.
    ///
    /// # Errors
    /// [`QueryError::Failed`]: it cannot be read.
    pub fn of_expression(kind: SourceKind, text: &str) -> Result<Self, QueryError> {
        on_deep_stack(|| {
            let mut found = Self { kind, names: BTreeSet::new() };
            let _ = walk(&parse_expression(kind, text)?, &mut found);
            Ok(found)
        })
    }

    /// The names that no column of a table has, as the database spells those.
    #[must_use]
    pub fn missing_from<'c>(&self, columns: impl IntoIterator<Item = &'c str>) -> Vec<&str> {
        let columns: BTreeSet<String> = columns.into_iter().map(|column| fold(self.kind, column)).collect();
        self.names.iter().filter(|name| !columns.contains(*name)).map(String::as_str).collect()
    }

    /// Whether they include this column, as the database spells it.
    #[must_use]
    pub fn contains(&self, column: &str) -> bool {
        self.names.contains(&fold(self.kind, column))
    }

    fn note(&mut self, name: Option<&Ident>) {
        self.names.extend(name.map(|name| fold_ident(self.kind, name)));
    }

    fn note_joined(&mut self, columns: &[ObjectName]) {
        for column in columns {
            self.note(column.0.last().and_then(|part| part.as_ident()));
        }
    }
}

impl Visitor for ColumnNames {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Identifier(name) => self.note(Some(name)),
            Expr::CompoundIdentifier(parts) => self.note(parts.last()),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        for join in select.from.iter().flat_map(|from| &from.joins) {
            if let Some(JoinConstraint::Using(columns)) = constraint(&join.join_operator) {
                self.note_joined(columns);
            }
        }
        ControlFlow::Continue(())
    }
}

const fn constraint(join: &JoinOperator) -> Option<&JoinConstraint> {
    match join {
        JoinOperator::Join(constraint)
        | JoinOperator::Inner(constraint)
        | JoinOperator::Left(constraint)
        | JoinOperator::LeftOuter(constraint)
        | JoinOperator::Right(constraint)
        | JoinOperator::RightOuter(constraint)
        | JoinOperator::FullOuter(constraint) => Some(constraint),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(kind: SourceKind, sql: &str) -> Vec<String> {
        ColumnNames::of(kind, sql).expect(sql).names.into_iter().collect()
    }

    #[test]
    fn columns_are_found_wherever_a_query_names_them() {
        let sql = "with late as (select Origin from flights where delay > 15) select f.distance, count(*) from flights f \
            left join airports using (code) where f.origin in (select origin from late) group by 1 order by max(day)";
        assert_eq!(names(SourceKind::Sqlite, sql), ["code", "day", "delay", "distance", "origin"]);
        assert!(names(SourceKind::Sqlite, "select 'delay' as x, * from flights").is_empty(), "texts and aliases name nothing");
    }

    #[test]
    fn an_expression_names_columns_of_its_table() {
        let named = ColumnNames::of_expression(SourceKind::Sqlite, "case when Status = 'late' then amount end").expect("read");
        assert_eq!(named.missing_from(["status", "AMOUNT"]), [""; 0]);
        assert_eq!(named.missing_from(["amount"]), ["status"]);
        assert!(ColumnNames::of_expression(SourceKind::Sqlite, "amount +").is_err());
    }

    #[test]
    fn names_are_compared_as_the_database_compares_them() {
        let named = |kind, sql, column| ColumnNames::of(kind, sql).expect(sql).contains(column);
        assert!(named(SourceKind::Sqlite, "select DELAY from flights", "Delay"));
        assert!(named(SourceKind::Postgres, "select DELAY from flights", "delay"));
        assert!(!named(SourceKind::Postgres, "select \"DELAY\" from flights", "delay"));
    }
}
