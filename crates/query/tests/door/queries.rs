//! Random queries for the oracle: a tape of random bytes decides every choice, so that a failing query can be shrunk.
//!
//! Every relation has the columns `id`, `company_id`, `region`, `n`, so that relations are interchangeable. Whatever depends on
//! the order of rows is left out, since results are compared as sets.

use std::fmt::Write as _;

/// How a database writes what the standard leaves open.
#[derive(Clone, Copy)]
pub(crate) struct Writing {
    /// The prefix of a table's name with its schema.
    schema: &'static str,
    quote: char,
    /// An aggregate over some rows.
    some: &'static str,
    /// Whether two values are the same, null included; and whether they are not.
    same: [&'static str; 2],
    /// Whether a subquery in FROM can read the relations before it.
    lateral: bool,
    /// Whether FULL JOIN, INTERSECT ALL, EXCEPT ALL and GROUPING SETS are supported.
    rich: bool,
}

pub(crate) const SQLITE: Writing = Writing {
    schema: "main",
    quote: '"',
    some: "count(n) filter (where n > 5)",
    same: ["is", "is not"],
    lateral: false,
    rich: false,
};
pub(crate) const POSTGRES: Writing =
    Writing { schema: "public", same: ["is not distinct from", "is distinct from"], lateral: true, rich: true, ..SQLITE };
/// Only the connection sets the schema.
pub(crate) const MYSQL: Writing =
    Writing { schema: "", quote: '`', some: "count(case when n > 5 then n end)", same: ["<=>", "<=>"], ..SQLITE };

pub(crate) struct Maker<'a> {
    tape: std::slice::Iter<'a, u8>,
    writing: Writing,
    names: usize,
    ctes: Vec<String>,
}

impl<'a> Maker<'a> {
    pub(crate) fn new(tape: &'a [u8], writing: Writing) -> Self {
        Self { tape: tape.iter(), writing, names: 0, ctes: Vec::new() }
    }

    fn choose(&mut self, options: usize) -> usize {
        usize::from(self.tape.next().copied().unwrap_or(0)) % options
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("t{}", self.names)
    }

    fn base(&mut self) -> String {
        let table = ["orders", "customers", "rates"][self.choose(3)];
        let Writing { schema, quote, .. } = self.writing;
        match self.choose(if schema.is_empty() { 3 } else { 5 }) {
            0 => table.to_uppercase(),
            1 => format!("{quote}{table}{quote}"),
            3 => format!("{schema}.{table}"),
            4 => format!("{quote}{schema}{quote}.{quote}{table}{quote}"),
            _ => table.to_owned(),
        }
    }

    /// A column with its name in any equivalent case and quotes.
    fn column(&mut self, row: &str, name: &str) -> String {
        let quote = self.writing.quote;
        match self.choose(6) {
            0 => format!("{row}.{}", name.to_uppercase()),
            1 => format!("{row}.{quote}{name}{quote}"),
            // MySQL's table aliases are case-sensitive.
            2 if quote == '"' => format!("{}.{name}", row.to_uppercase()),
            _ => format!("{row}.{name}"),
        }
    }

    fn relation(&mut self, depth: usize) -> String {
        if !self.ctes.is_empty() && self.choose(3) == 1 {
            let which = self.choose(self.ctes.len());
            return self.ctes[which].clone();
        }
        if depth > 0 && self.choose(3) == 2 { format!("({})", self.query(depth - 1)) } else { self.base() }
    }

    fn predicate(&mut self, row: &str, depth: usize) -> String {
        let kind = self.choose(if depth > 0 { 14 } else { 8 });
        match kind {
            0 => format!("{} > {}", self.column(row, "n"), self.choose(40)),
            1 => format!("{} = '{}'", self.column(row, "company_id"), ["acme", "globex"][self.choose(2)]),
            2 => format!("{row}.region is null or 1 = 1"),
            3 => format!("{row}.region like '%o%' and not {row}.n = 7"),
            4 => format!("{row}.n between 3 and 30 or {row}.id in (1, 2, 3)"),
            5 => format!("coalesce({row}.region, 'none') <> 'north'"),
            6 => format!("case when {row}.company_id = 'globex' then 1 else 0 end = {}", self.choose(2)),
            7 => {
                let (column, same) = (self.column(row, "region"), self.writing.same[self.choose(2)]);
                match self.choose(5) {
                    0 => format!("{column} {same} 'north'"),
                    1 => format!("{column} {same} lower({row}.company_id)"),
                    2 => format!("{column} {same} {row}.region"),
                    3 => format!("{column} {same} coalesce({row}.company_id, 'x')"),
                    _ => format!("{column} {same} (case when {row}.n > 9 then 'south' end)"),
                }
            }
            8 | 9 => {
                let (name, relation) = (self.name(), self.relation(depth - 1));
                let not = ["", "not "][self.choose(2)];
                format!("{not}exists (select 1 from {relation} {name} where {name}.id = {row}.id)")
            }
            10 | 11 => {
                let not = ["", "not "][self.choose(2)];
                format!("{row}.id {not}in (select id from {} x)", self.relation(depth - 1))
            }
            12 => format!("{row}.n >= (select avg(x.n) from {} x)", self.relation(depth - 1)),
            _ => format!("({}) and ({})", self.predicate(row, depth - 1), self.predicate(row, depth - 1)),
        }
    }

    fn condition(&mut self, row: &str, depth: usize) -> String {
        if self.choose(3) == 0 { String::new() } else { format!(" where {}", self.predicate(row, depth)) }
    }

    /// A query of the four columns.
    pub(crate) fn query(&mut self, depth: usize) -> String {
        let row = self.name();
        let kind = self.choose(if depth > 0 { 14 } else { 3 });
        match kind {
            0 => {
                let relation = self.relation(depth);
                let condition = self.condition(&row, depth);
                let [id, company, region] = ["id", "company_id", "region"].map(|name| self.column(&row, name));
                format!("select {id}, {company}, {region}, {row}.n from {relation} as {row}{condition}")
            }
            1 => {
                let relation = self.relation(depth);
                let aggregate = ["count(*)", "sum(n)", "count(distinct region)", "max(n)", self.writing.some][self.choose(5)];
                let condition = self.condition(&row, depth);
                let having = ["", " having count(*) > 1", " having min(n) < 20"][self.choose(3)];
                format!(
                    "select max(id) as id, company_id, min(region) as region, {aggregate} as n from {relation} {row}{condition} group by company_id{having}"
                )
            }
            2 => {
                let relation = self.relation(depth);
                let limit = self.choose(6);
                format!("select distinct id, company_id, region, n from {relation} {row} order by 1, 2, 3, 4 limit {limit}")
            }
            3 => {
                let all = ["union", "union all", "except", "intersect", "except all", "intersect all"];
                let operator = all[self.choose(if self.writing.rich { 6 } else { 4 })];
                let (left, right) = (self.query(depth - 1), self.query(depth - 1));
                format!("select * from ({left}) l{row} {operator} select * from ({right}) r{row}")
            }
            4 => {
                let relation = self.relation(depth);
                let window = [
                    "sum(n) over (partition by region order by id)",
                    "rank() over (order by id desc)",
                    "count(*) over ()",
                    "max(n) over w",
                ][self.choose(4)];
                format!(
                    "select id, company_id, region, {window} as n from {relation} {row} window w as (partition by company_id)"
                )
            }
            5 | 6 => self.join(&row, depth),
            7 => {
                let (relation, inner) = (self.relation(depth), self.relation(depth - 1));
                format!(
                    "select {row}.id, {row}.company_id, {row}.region, (select count(*) from {inner} s where s.region = {row}.region) as n from {relation} {row}"
                )
            }
            8 => self.lateral(&row, depth),
            9 => self.recursive(&row, depth),
            10 => {
                let relation = self.relation(depth);
                let condition = self.condition(&row, depth);
                let sets = ["grouping sets ((company_id), (region), ())", "rollup (company_id, region)", "cube (company_id)"];
                let group = if self.writing.rich { sets[self.choose(3)] } else { "company_id" };
                format!(
                    "select max(id) as id, company_id, max(region) as region, count(*) as n from {relation} {row}{condition} group by {group}"
                )
            }
            _ => self.with(depth),
        }
    }

    /// A subquery that reads the outer row: in FROM if that is supported, otherwise in the select list.
    fn lateral(&mut self, row: &str, depth: usize) -> String {
        let (left, right) = (self.relation(depth - 1), self.relation(depth - 1));
        let (inner, limit) = (self.name(), self.choose(3));
        if !self.writing.lateral {
            return format!(
                "select {row}.id, {row}.company_id, (select max({inner}.region) from {right} {inner} where {inner}.id <= {row}.id) as region, {row}.n from {left} {row}"
            );
        }
        let join = ["join lateral", "left join lateral"][self.choose(2)];
        format!(
            "select {row}.id, l.company_id, l.region, {row}.n from {left} {row} {join} (select * from {right} {inner} \
             where {inner}.id <= {row}.id order by {inner}.id, {inner}.company_id, {inner}.region, {inner}.n limit {limit}) l on true"
        )
    }

    /// A recursive part of WITH.
    fn recursive(&mut self, row: &str, depth: usize) -> String {
        let (first, next) = (self.relation(depth - 1), self.relation(depth - 1));
        let name = self.name();
        format!(
            "with recursive {name}(id, company_id, region, n) as (select id, company_id, region, 1 from {first} f where id < 3 union \
             select x.id, x.company_id, x.region, {name}.n + 1 from {name} join {next} x on x.id = {name}.id + 1 where {name}.n < 4) \
             select {row}.id, {row}.company_id, {row}.region, {row}.n from {name} as {row}"
        )
    }

    fn join(&mut self, row: &str, depth: usize) -> String {
        let (left, right) = (self.relation(depth - 1), self.relation(depth - 1));
        let other = self.name();
        let kinds = ["join", "left join", "cross join", "natural join", "using", "right join", "full join"];
        let join = kinds[self.choose(if self.writing.rich { 7 } else { 6 })];
        let on = match join {
            "cross join" | "natural join" => format!("{join} {right} {other}"),
            "using" => {
                return format!(
                    "select id, {row}.company_id, {other}.region, {row}.n from {left} {row} join {right} {other} using (id)"
                );
            }
            // PostgreSQL requires a condition that it can merge or hash.
            "full join" => format!("full join {right} as {other} on {row}.id = {other}.id"),
            _ => format!("{join} {right} as {other} on {row}.id = {other}.id and {}", self.predicate(&other, 0)),
        };
        let columns = if join == "natural join" {
            "id, company_id, region, n".to_owned()
        } else {
            format!("{row}.id, {other}.company_id, coalesce({other}.region, 'none') as region, {row}.n")
        };
        let condition = if join == "natural join" { String::new() } else { self.condition(row, 0) };
        format!("select {columns} from {left} as {row} {on}{condition}")
    }

    fn with(&mut self, depth: usize) -> String {
        let before = self.ctes.len();
        let mut parts = String::new();
        for number in 0..=self.choose(2) {
            // Some hide the name of a table.
            let name = match self.choose(4) {
                0 if before == 0 && number == 0 => "orders".to_owned(),
                1 => format!("{0}C {1}{0}", self.writing.quote, self.names),
                _ => format!("c{}_{number}", self.names),
            };
            let query = self.query(depth - 1);
            let comma = if parts.is_empty() { "" } else { ", " };
            write!(parts, "{comma}{name} as ({query})").expect("written");
            self.names += 1;
            self.ctes.push(name);
        }
        // In parentheses: the body may begin with its own WITH.
        let body = self.query(depth - 1);
        self.ctes.truncate(before);
        format!("with {parts} select id, company_id, region, n from ({body}) as body{}", self.names)
    }
}
