//! What a chart's query is made of, for asking further: which of its columns are taken for each of what, which are numbers, and
//! where its rows come from. Only a plain `SELECT` over base tables has a shape; of any other query nothing is said, so that
//! nobody is shown rows which are not those behind a mark.

use crate::{
    catalog::Catalog,
    error::QueryError,
    name::{fold_ident, quote},
    source::SourceKind,
    sql::{
        check::{Author, check},
        on_deep_stack, parse,
    },
};
use inlay_contract::chart::question::Grain;
use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr, Ident, Select, SelectItem, SetExpr,
    Statement, TableFactor, TableWithJoins, Value,
};

/// Functions that make one number of many rows.
const AGGREGATES: [&str; 7] = ["count", "sum", "avg", "min", "max", "total", "median"];

/// The parts of a chart's query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What rows are gathered by; every column of a query that gathers none.
    pub groups: Vec<Group>,
    /// The numbers: the name in the answer, and the SQL.
    measures: Vec<(String, String)>,
    /// `FROM` and `WHERE`.
    origin: String,
    /// The first table and what the query calls it.
    table: (String, String),
    kind: SourceKind,
}

/// A column of the answer and the column of a table that it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name in the answer.
    pub name: String,
    /// The table, as the catalogue names it.
    pub table: String,
    /// The column.
    pub column: String,
    /// The period that its days are gathered into.
    pub grain: Option<Grain>,
}

impl Shape {
    /// The table whose rows are listed, as the catalogue names it.
    #[must_use]
    pub fn table(&self) -> &str {
        &self.table.0
    }

    /// The rows behind the chart, with some columns of its first table.
    #[must_use]
    pub fn rows(&self, columns: &[String], limit: u32) -> String {
        let columns: Vec<String> = columns.iter().map(|column| self.named(column)).collect();
        format!("SELECT {} {} LIMIT {limit}", columns.join(", "), self.origin)
    }

    /// The chart's numbers for each value of another column of its first table.
    #[must_use]
    pub fn by(&self, column: &str, limit: u32) -> String {
        let count = ("count".to_owned(), "count(*)".to_owned());
        let measures = if self.measures.is_empty() { vec![count] } else { self.measures.clone() };
        let measures = measures.iter().map(|(name, sql)| format!("{sql} AS {}", quote(self.kind, name)));
        let measures: Vec<String> = measures.collect();
        let (table, column_sql) = (quote(self.kind, &self.table.1), quote(self.kind, column));
        format!(
            "SELECT {}, {} {} GROUP BY {table}.{column_sql} ORDER BY 2 DESC LIMIT {limit}",
            self.named(column),
            measures.join(", "),
            self.origin
        )
    }

    fn named(&self, column: &str) -> String {
        let (table, column) = (quote(self.kind, &self.table.1), quote(self.kind, column));
        format!("{table}.{column} AS {column}")
    }
}

/// A table of the query: what it is called there, folded, and its name in the catalogue.
struct Source {
    alias: String,
    spelled: String,
    name: String,
}

/// The shape of a chart's query, if it has one.
///
/// # Errors
/// The query is not one that Inlay runs.
pub fn shape(kind: SourceKind, sql: &str, catalog: &Catalog) -> Result<Option<Shape>, QueryError> {
    on_deep_stack(|| {
        let statement = parse(kind, sql)?;
        check(kind, Author::Chart, &statement)?;
        Ok(of_statement(kind, &statement, catalog))
    })
}

fn of_statement(kind: SourceKind, statement: &Statement, catalog: &Catalog) -> Option<Shape> {
    let Statement::Query(query) = statement else { return None };
    let SetExpr::Select(select) = query.body.as_ref() else { return None };
    let plain = query.with.is_none() && select.distinct.is_none() && select.having.is_none() && select.qualify.is_none();
    if !plain {
        return None;
    }
    let sources = sources(kind, &select.from, catalog)?;
    let (mut groups, mut measures) = (Vec::new(), Vec::new());
    for item in &select.projection {
        let (name, expression) = named(item)?;
        match column_of(kind, expression, &sources) {
            Some((table, column, grain)) => groups.push(Group { name, table, column, grain }),
            None if aggregates(expression) => measures.push((name, expression.to_string())),
            // What is neither a column nor a number cannot be asked for again.
            None => return None,
        }
    }
    let gathers = matches!(&select.group_by, GroupByExpr::Expressions(by, _) if !by.is_empty());
    // Gathered by something that the answer does not show: its marks say too little of the rows behind them.
    if gathers && !shown(select, groups.len()) {
        return None;
    }
    let first = sources.first()?;
    let from: Vec<String> = select.from.iter().map(ToString::to_string).collect();
    let filter = select.selection.as_ref().map(|filter| format!(" WHERE {filter}")).unwrap_or_default();
    let table = (first.name.clone(), first.spelled.clone());
    Some(Shape { groups, measures, origin: format!("FROM {}{filter}", from.join(", ")), table, kind })
}

/// Whether a query gathers by as many things as its answer names.
fn shown(select: &Select, groups: usize) -> bool {
    matches!(&select.group_by, GroupByExpr::Expressions(by, modifiers) if modifiers.is_empty() && by.len() <= groups)
}

fn sources(kind: SourceKind, from: &[TableWithJoins], catalog: &Catalog) -> Option<Vec<Source>> {
    let mut sources = Vec::new();
    for item in from {
        for factor in std::iter::once(&item.relation).chain(item.joins.iter().map(|join| &join.relation)) {
            let TableFactor::Table { name, alias, args: None, .. } = factor else { return None };
            let table = catalog.resolve(kind, name)?;
            let called = match alias {
                Some(alias) => &alias.name,
                None => name.0.last()?.as_ident()?,
            };
            // Quoted as the database folds it, so that it means the same once it is quoted.
            let spelled = match called.quote_style {
                None if kind == SourceKind::Postgres => called.value.to_lowercase(),
                _ => called.value.clone(),
            };
            sources.push(Source { alias: fold_ident(kind, called), spelled, name: table.name.clone() });
        }
    }
    (!sources.is_empty()).then_some(sources)
}

/// An item of the answer: its name and what it is.
fn named(item: &SelectItem) -> Option<(String, &Expr)> {
    match item {
        SelectItem::ExprWithAlias { expr, alias } => Some((alias.value.clone(), expr)),
        SelectItem::UnnamedExpr(expression @ Expr::Identifier(name)) => Some((name.value.clone(), expression)),
        SelectItem::UnnamedExpr(expression @ Expr::CompoundIdentifier(parts)) => {
            Some((parts.last()?.value.clone(), expression))
        }
        SelectItem::UnnamedExpr(expression) => Some((expression.to_string(), expression)),
        _ => None,
    }
}

/// The table and column that an expression is, and the period that it gathers days into.
fn column_of(kind: SourceKind, expression: &Expr, sources: &[Source]) -> Option<(String, String, Option<Grain>)> {
    match expression {
        Expr::Identifier(column) => match sources {
            [only] => Some((only.name.clone(), fold_column(kind, column), None)),
            _ => None,
        },
        Expr::CompoundIdentifier(parts) => {
            let [table, column] = parts.as_slice() else { return None };
            let alias = fold_ident(kind, table);
            let source = sources.iter().find(|source| source.alias == alias)?;
            Some((source.name.clone(), fold_column(kind, column), None))
        }
        Expr::Nested(inner) => column_of(kind, inner, sources),
        Expr::Cast { expr, .. } => column_of(kind, expr, sources).filter(|(_, _, grain)| grain.is_some()),
        Expr::Function(function) => {
            let (column, grain) = period(function)?;
            let (table, column, inner) = column_of(kind, column, sources)?;
            inner.is_none().then_some((table, column, Some(grain)))
        }
        _ => None,
    }
}

fn fold_column(kind: SourceKind, column: &Ident) -> String {
    if kind == SourceKind::Postgres { fold_ident(kind, column) } else { column.value.clone() }
}

/// The column and the period of a function that makes the first day of a period of a day.
fn period(function: &Function) -> Option<(&Expr, Grain)> {
    let name = function.name.to_string().to_lowercase();
    let FunctionArguments::List(list) = &function.args else { return None };
    let arguments: Vec<&Expr> = list
        .args
        .iter()
        .map(|argument| match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expression)) => Some(expression),
            _ => None,
        })
        .collect::<Option<_>>()?;
    match (name.as_str(), arguments.as_slice()) {
        ("date" | "to_date" | "todate", [column]) => Some((column, Grain::Day)),
        ("date", [column, sunday, back]) if text(sunday)? == "weekday 0" && text(back)? == "-6 days" => {
            Some((column, Grain::Week))
        }
        ("strftime", [format, column]) | ("date_format", [column, format]) => match text(format)? {
            "%Y-%m-%d" => Some((column, Grain::Day)),
            "%Y-%m-01" => Some((column, Grain::Month)),
            "%Y-01-01" => Some((column, Grain::Year)),
            _ => None,
        },
        ("date_trunc", [unit, column]) => {
            let unit = text(unit)?.to_lowercase();
            Grain::ALL.into_iter().find(|grain| grain.name() == unit).map(|grain| (*column, grain))
        }
        _ => None,
    }
}

fn text(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an expression is a number made of many rows.
fn aggregates(expression: &Expr) -> bool {
    match expression {
        Expr::Function(function) => {
            let name = function.name.to_string().to_lowercase();
            function.over.is_none()
                && (AGGREGATES.contains(&name.as_str())
                    || matches!(&function.args, FunctionArguments::List(list) if list.args.iter().any(|argument| {
                        matches!(argument, FunctionArg::Unnamed(FunctionArgExpr::Expr(inner)) if aggregates(inner))
                    })))
        }
        Expr::BinaryOp { left, right, .. } => aggregates(left) || aggregates(right),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } | Expr::UnaryOp { expr: inner, .. } => aggregates(inner),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{RowAccess, Table};

    fn catalog() -> Catalog {
        let table = |name: &str| Table { name: name.into(), rows: RowAccess::All, hidden: Default::default() };
        Catalog { tables: vec![table("orders"), table("depots")] }
    }

    fn of(sql: &str) -> Option<Shape> {
        shape(SourceKind::Sqlite, sql, &catalog()).expect("a query that runs")
    }

    fn groups(sql: &str) -> Option<Vec<(String, String, Option<Grain>)>> {
        let groups = of(sql)?.groups.into_iter();
        Some(groups.map(|group| (group.name, format!("{}.{}", group.table, group.column), group.grain)).collect())
    }

    #[test]
    fn groups_are_columns_or_periods_of_columns() {
        let found = groups(
            "select strftime('%Y-%m-01', o.day) as month, o.region, sum(o.amount) as total from orders o where o.amount > 3 group by 1, 2",
        );
        assert_eq!(
            found,
            Some(vec![
                ("month".into(), "orders.day".into(), Some(Grain::Month)),
                ("region".into(), "orders.region".into(), None)
            ])
        );
        assert_eq!(groups("select id, amount from orders").map(|groups| groups.len()), Some(2));
    }

    #[test]
    fn further_questions_keep_the_rows_of_the_chart() {
        let shape = of("select o.region, round(avg(o.amount), 2) as mean from orders o join depots d on d.id = o.depot \
            where d.open = 1 group by 1")
        .expect("a shape");
        assert_eq!(shape.table(), "orders");
        assert_eq!(
            shape.rows(&["id".into(), "re\"gion".into()], 50),
            "SELECT \"o\".\"id\" AS \"id\", \"o\".\"re\"\"gion\" AS \"re\"\"gion\" \
             FROM orders o JOIN depots d ON d.id = o.depot WHERE d.open = 1 LIMIT 50"
        );
        assert_eq!(
            shape.by("category", 20),
            "SELECT \"o\".\"category\" AS \"category\", round(avg(o.amount), 2) AS \"mean\" \
             FROM orders o JOIN depots d ON d.id = o.depot WHERE d.open = 1 GROUP BY \"o\".\"category\" ORDER BY 2 DESC LIMIT 20"
        );
    }

    #[test]
    fn of_other_queries_nothing_is_said() {
        for sql in [
            "with o as (select * from orders) select region, count(*) as n from o group by 1",
            "select region, count(*) as n from orders group by 1 having count(*) > 2",
            "select distinct region from orders",
            "select region || '!' as loud, count(*) as n from orders group by 1",
            "select region, count(*) as n from (select * from orders) group by 1",
            "select region from orders union select name from depots",
            "select count(*) as n from orders group by region",
            "select region, sum(amount) over () as n from orders",
            "select region, name from orders, depots",
        ] {
            assert_eq!(of(sql), None, "{sql}");
        }
    }
}
