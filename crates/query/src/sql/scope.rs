//! Resolves relations: a name is a CTE in scope, a table of the catalogue, or refused.
//!
//! Every CTE gets a generated name, so that this code and the database cannot disagree about scopes: what this code considers a
//! CTE can never be a table for the database.

use super::Refusal;
use crate::{
    catalog::{Catalog, Table},
    name::{fold_ident, quoted},
    source::SourceKind,
};
use inlay_sql_walk::walk_mut;
use sqlparser::ast::{
    Expr, Ident, ObjectName, ObjectNamePart, Query, Select, SelectItem, SelectItemQualifiedWildcardKind, Statement, TableAlias,
    TableFactor, VisitorMut,
};
use std::ops::ControlFlow;

/// The prefix of generated CTE names.
pub(super) const CTE: &str = "inlay_cte_";

/// The replacement of a base table: a subquery, or `None` to leave it.
pub(crate) type Replacement = Result<Option<Box<Query>>, Refusal>;

/// Renames CTEs, shortens qualified columns, and replaces every base table.
pub(crate) fn replace_tables(
    kind: SourceKind,
    catalog: &Catalog,
    statement: &mut Statement,
    replacement: impl FnMut(&Table) -> Replacement,
) -> Result<(), Refusal> {
    let mut scopes = Scopes { kind, catalog, replacement, frames: Vec::new(), ctes: 0 };
    match walk_mut(statement, &mut scopes) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(refusal) => Err(*refusal),
    }
}

/// The CTEs of one query. The visitor visits a query's CTEs first and in order, so the first queries that end directly inside a
/// query are its CTEs.
#[derive(Default)]
struct Frame {
    visible: Vec<(String, Ident)>,
    pending: std::vec::IntoIter<(String, Ident)>,
}

struct Scopes<'a, F> {
    kind: SourceKind,
    catalog: &'a Catalog,
    replacement: F,
    frames: Vec<Frame>,
    ctes: usize,
}

fn refuse<T>(reason: String) -> ControlFlow<Box<Refusal>, T> {
    ControlFlow::Break(Box::new(Refusal(reason)))
}

impl<F: FnMut(&Table) -> Replacement> Scopes<'_, F> {
    fn cte(&self, name: &ObjectName) -> Option<Ident> {
        let [part] = &name.0[..] else { return None };
        let folded = fold_ident(self.kind, part.as_ident()?);
        let mut visible = self.frames.iter().rev().flat_map(|frame| &frame.visible);
        visible.find(|(known, _)| *known == folded).map(|(_, renamed)| renamed.clone())
    }

    /// `public.orders` → `orders`, if it is a table of the catalogue.
    fn shorten(&self, parts: &mut Vec<Ident>, qualifiers: usize) -> ControlFlow<Box<Refusal>> {
        if parts.len() < qualifiers + 1 {
            return ControlFlow::Continue(());
        }
        let qualifier = ObjectName::from(parts[..2].to_vec());
        if qualifiers != 2 || self.catalog.resolve(self.kind, &qualifier).is_none() {
            return refuse("a column of a table that is not listed".to_owned());
        }
        parts.remove(0);
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(&Table) -> Replacement> VisitorMut for Scopes<'_, F> {
    type Break = Box<Refusal>;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<Self::Break> {
        let mut frame = Frame::default();
        if let Some(with) = &mut query.with {
            let mut names: Vec<(String, Ident)> = Vec::new();
            for cte in &mut with.cte_tables {
                let folded = fold_ident(self.kind, &cte.alias.name);
                if names.iter().any(|(known, _)| *known == folded) {
                    return refuse("two parts of WITH have one name".to_owned());
                }
                self.ctes += 1;
                cte.alias.name = quoted(self.kind, &format!("{CTE}{}", self.ctes));
                names.push((folded, cte.alias.name.clone()));
            }
            if with.recursive {
                frame.visible.clone_from(&names);
            }
            frame.pending = names.into_iter();
        }
        self.frames.push(frame);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<Self::Break> {
        self.frames.pop();
        if let Some(parent) = self.frames.last_mut()
            && let Some(named) = parent.pending.next()
        {
            parent.visible.push(named);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<Self::Break> {
        for item in &mut select.projection {
            if let SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) = item {
                let idents = name.0.iter().map(|part| part.as_ident().cloned()).collect::<Option<Vec<_>>>();
                let Some(mut idents) = idents else { return refuse("a computed name".to_owned()) };
                if idents.len() > 1 {
                    let qualifiers = idents.len();
                    idents.push(Ident::new("*"));
                    self.shorten(&mut idents, qualifiers)?;
                    idents.pop();
                }
                *name = ObjectName::from(idents);
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<Self::Break> {
        if let Expr::CompoundIdentifier(parts) = expression
            && parts.len() > 2
        {
            let qualifiers = parts.len() - 1;
            return self.shorten(parts, qualifiers);
        }
        ControlFlow::Continue(())
    }

    fn post_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<Self::Break> {
        let TableFactor::Table { name, alias, .. } = factor else { return ControlFlow::Continue(()) };
        let Some(own_name) = name.0.last().and_then(ObjectNamePart::as_ident).cloned() else {
            return refuse("a computed table name".to_owned());
        };
        // Replaces a single-quoted string, which SQLite reads as a name.
        let own_name = if own_name.quote_style == Some('\'') { quoted(self.kind, &own_name.value) } else { own_name };
        let own_alias = || TableAlias { explicit: true, name: own_name.clone(), columns: Vec::new(), at: None };
        if let Some(renamed) = self.cte(name) {
            *name = ObjectName::from(vec![renamed]);
            alias.get_or_insert_with(own_alias);
            return ControlFlow::Continue(());
        }
        let Some(table) = self.catalog.resolve(self.kind, name) else {
            return refuse(format!("the table {name} is not listed"));
        };
        if table.name.to_lowercase().starts_with(CTE) {
            return refuse("a table's name begins as those that Inlay gives".to_owned());
        }
        match (self.replacement)(table) {
            Ok(None) => {}
            Ok(Some(subquery)) => {
                let alias = Some(alias.take().unwrap_or_else(own_alias));
                *factor = TableFactor::Derived { lateral: false, subquery, alias, sample: None };
            }
            Err(refusal) => return ControlFlow::Break(Box::new(refusal)),
        }
        ControlFlow::Continue(())
    }
}
