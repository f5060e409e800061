//! One question's SELECT.

use super::{Statement, dialect, dialect::Unsayable};
use crate::{
    analyst::{
        knowledge::Knowledge,
        question::{Aggregate, ColumnRef, Condition, Dimension, Grain, Measure, Place, Question},
        span::Span,
        words::spaced,
    },
    scope::Dialect,
};
use inlay_contract::{chart::definition::ChartType, data::ColumnType};

/// The most groups that are asked for.
const GROUPS: usize = 5_000;

/// A SELECT in the making.
pub(super) struct Select<'a> {
    question: &'a Question,
    knowledge: &'a Knowledge,
    dialect: Dialect,
    /// Keys whose tables are joined, in order; the alias is `l` and the place.
    joins: Vec<ColumnRef>,
    names: Vec<String>,
}

impl<'a> Select<'a> {
    pub(super) fn of(question: &'a Question, knowledge: &'a Knowledge) -> Self {
        Self { question, knowledge, dialect: knowledge.dialect, joins: Vec::new(), names: Vec::new() }
    }

    pub(super) fn statement(mut self) -> Result<Statement, Unsayable> {
        if let Some(by) = self.question.rows_by {
            return self.rows(by);
        }
        let question = self.question;
        let conditions = self.conditions(&question.conditions)?;
        let mut dimensions = Vec::new();
        for dimension in &question.dimensions {
            let expression = self.dimension(dimension)?;
            dimensions.push((self.name(&dimension_name(dimension, self.knowledge)), expression));
        }
        let median = question.measures.iter().find_map(|measure| match measure {
            Measure::Of(Aggregate::Median, place) if dialect::median(self.dialect, "").is_none() => Some(*place),
            _ => None,
        });
        if let Some(place) = median {
            return self.median(place, &dimensions, &conditions);
        }
        let mut measures = Vec::new();
        for measure in &question.measures {
            let expression = self.measure(measure)?;
            measures.push((self.name(&measure_name(measure, question, self.knowledge)), expression));
        }
        let position = self.position()?;
        let items: Vec<String> = dimensions
            .iter()
            .chain(&measures)
            .chain(position.iter().flatten())
            .map(|(name, expression)| Ok(format!("{expression} as {}", dialect::quoted(self.dialect, name)?)))
            .collect::<Result<_, Unsayable>>()?;
        let mut sql = format!("select {}\nfrom {}", items.join(", "), self.from()?);
        push_where(&mut sql, &conditions);
        if !dimensions.is_empty() {
            let places: Vec<String> = (1..=dimensions.len()).map(|place| place.to_string()).collect();
            sql += &format!("\ngroup by {}", places.join(", "));
            if let Some((comparison, value)) = question.having {
                sql += &format!("\nhaving {} {} {}", measures[0].1, comparison.sql(), dialect::number(value)?);
            }
            if question.of_each {
                sql = self.of_each(&sql, &dimensions, &measures)?;
            } else {
                sql += &self.order(measures.len())?;
            }
        }
        let position = position.map(|[(latitude, _), (longitude, _)]| (latitude, longitude));
        Ok(Statement { sql, dimensions: firsts(dimensions), measures: firsts(measures), position })
    }

    /// The greatest groups of each value of the first dimension.
    fn of_each(
        &self,
        groups: &str,
        dimensions: &[(String, String)],
        measures: &[(String, String)],
    ) -> Result<String, Unsayable> {
        let names: Vec<String> =
            dimensions.iter().chain(measures).map(|(name, _)| dialect::quoted(self.dialect, name)).collect::<Result<_, _>>()?;
        let (first, measure) = (&names[0], &names[dimensions.len()]);
        let end = if self.question.descending == Some(false) { "asc" } else { "desc" };
        let all = names.join(", ");
        Ok(format!(
            "select {all}\nfrom (select {all}, row_number() over (partition by {first} order by {measure} {end}) as place\nfrom ({groups}) grouped) ranked\n\
             where place <= {}\norder by 1, {} {end}\nlimit {GROUPS}",
            self.question.limit.unwrap_or(1),
            dimensions.len() + 1
        ))
    }

    /// The rows themselves.
    fn rows(mut self, by: Option<ColumnRef>) -> Result<Statement, Unsayable> {
        let question = self.question;
        let conditions = self.conditions(&question.conditions)?;
        let (mut columns, mut ordered) = (Vec::new(), Vec::new());
        for (at, column) in self.knowledge.columns_of(question.table) {
            let expression = self.column(Place::own(at))?;
            if column.kind != ColumnType::Json {
                ordered.push(at);
            }
            columns.push((column.name.clone(), format!("{expression} as {}", dialect::quoted(self.dialect, &column.name)?)));
        }
        let items: Vec<&str> = columns.iter().map(|(_, expression)| expression.as_str()).collect();
        let mut sql = format!("select {}\nfrom {}", items.join(", "), self.from()?);
        push_where(&mut sql, &conditions);
        let time = self.knowledge.time(question.table);
        if let Some(first) = by.or(time) {
            let direction = if question.descending == Some(false) { "asc" } else { "desc" };
            sql += &format!("\norder by {} {direction}", self.column(Place::own(first))?);
            // What is alike there comes in one order, too, whenever and of whichever database it is asked.
            for at in time.into_iter().chain(ordered) {
                sql += &format!(", {}", self.column(Place::own(at))?);
            }
        }
        sql += &format!("\nlimit {}", question.limit.unwrap_or(100));
        Ok(Statement { sql, dimensions: Vec::new(), measures: firsts(columns), position: None })
    }

    pub(super) fn range(mut self, place: Place) -> Result<String, Unsayable> {
        let conditions = self.conditions(&self.question.conditions)?;
        let column = self.column(place)?;
        let mut sql = format!("select min({column}) as least_value, max({column}) as most_value\nfrom {}", self.from()?);
        push_where(&mut sql, &conditions);
        Ok(sql)
    }

    /// Without a function for it: the mean of the middle values, by their places in order. Other measures come along as windows.
    fn median(mut self, place: Place, dimensions: &[(String, String)], conditions: &[String]) -> Result<Statement, Unsayable> {
        let question = self.question;
        let value = self.column(place)?;
        let split = dimensions.iter().map(|(_, expression)| expression.as_str()).collect::<Vec<_>>().join(", ");
        let partition = if dimensions.is_empty() { String::new() } else { format!("partition by {split}") };
        let (mut inner, mut outer, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for (name, expression) in dimensions {
            let name = dialect::quoted(self.dialect, name)?;
            inner.push(format!("{expression} as {name}"));
            outer.push(name);
        }
        inner.push(format!("{value} as middle, row_number() over ({partition} order by {value}) as place, count(*) over ({partition}) as of_all"));
        for (at, measure) in question.measures.iter().enumerate() {
            let name = self.name(&measure_name(measure, question, self.knowledge));
            let expression = match measure {
                Measure::Of(Aggregate::Median, same) if *same == place => "avg(middle)".to_owned(),
                Measure::Count => "min(of_all)".to_owned(),
                Measure::Of(aggregate, _) if *aggregate != Aggregate::Median => {
                    inner.push(format!("{} over ({partition}) as beside_{at}", self.measure(measure)?));
                    format!("min(beside_{at})")
                }
                _ => return Err(Unsayable),
            };
            outer.push(format!("{expression} as {}", dialect::quoted(self.dialect, &name)?));
            names.push(name);
        }
        let mut conditions = conditions.to_vec();
        conditions.push(format!("{value} is not null"));
        let mut rows = format!("select {}\nfrom {}", inner.join(", "), self.from()?);
        push_where(&mut rows, &conditions);
        let halves = [dialect::half(self.dialect, "of_all + 1"), dialect::half(self.dialect, "of_all + 2")];
        let mut sql = format!("select {}\nfrom ({rows}) ranked\nwhere place in ({})", outer.join(", "), halves.join(", "));
        if !dimensions.is_empty() {
            let places: Vec<String> = (1..=dimensions.len()).map(|place| place.to_string()).collect();
            sql += &format!("\ngroup by {}", places.join(", "));
            if let Some((comparison, value)) = question.having {
                sql += &format!("\nhaving avg(middle) {} {}", comparison.sql(), dialect::number(value)?);
            }
            sql += &match question.descending {
                Some(down) => format!("\norder by {} {}, 1", dimensions.len() + 1, if down { "desc" } else { "asc" }),
                None => format!("\norder by {}", places.join(", ")),
            };
            sql += &format!("\nlimit {}", question.limit.unwrap_or(GROUPS));
        }
        Ok(Statement { sql, dimensions: firsts(dimensions.to_vec()), measures: names, position: None })
    }

    /// The question's table and those that its keys lead to.
    fn from(&self) -> Result<String, Unsayable> {
        let table = |at: usize| dialect::table(self.dialect, &self.knowledge.tables[at].name);
        let mut from = format!("{} t", table(self.question.table)?);
        for (place, key) in self.joins.iter().enumerate() {
            let link = self.knowledge.link_of(*key).ok_or(Unsayable)?;
            let to = dialect::quoted(self.dialect, &self.knowledge.column(link.to).name)?;
            let key = dialect::quoted(self.dialect, &self.knowledge.column(*key).name)?;
            from += &format!("\nleft join {} l{place} on l{place}.{to} = t.{key}", table(link.to.table)?);
        }
        Ok(from)
    }

    fn column(&mut self, place: Place) -> Result<String, Unsayable> {
        let name = dialect::quoted(self.dialect, &self.knowledge.column(place.column).name)?;
        let Some(key) = place.via else { return Ok(format!("t.{name}")) };
        let at = self.joins.iter().position(|joined| *joined == key).unwrap_or_else(|| {
            self.joins.push(key);
            self.joins.len() - 1
        });
        Ok(format!("l{at}.{name}"))
    }

    fn dimension(&mut self, dimension: &Dimension) -> Result<String, Unsayable> {
        let column = self.column(dimension.place)?;
        if let Some(grain) = dimension.grain {
            return Ok(dialect::period(self.dialect, grain, &column));
        }
        match dimension.step {
            Some(step) if step > 0 => {
                let width = dialect::number(step as f64 / 1000.0)?;
                Ok(dialect::stepped(self.dialect, &column, &width))
            }
            _ => Ok(column),
        }
    }

    fn measure(&mut self, measure: &Measure) -> Result<String, Unsayable> {
        Ok(match measure {
            Measure::Count => "count(*)".to_owned(),
            Measure::Matching(conditions) => {
                format!("sum(case when {} then 1 else 0 end)", self.conditions(conditions)?.join(" and "))
            }
            Measure::Distinct(place) => format!("count(distinct {})", self.column(*place)?),
            Measure::Of(aggregate, place) => {
                let column = self.column(*place)?;
                match aggregate {
                    Aggregate::Sum => format!("sum({column})"),
                    Aggregate::Average => format!("avg({column})"),
                    Aggregate::Min => format!("min({column})"),
                    Aggregate::Max => format!("max({column})"),
                    Aggregate::Median => dialect::median(self.dialect, &column).ok_or(Unsayable)?,
                }
            }
            Measure::Share(part) => {
                let part = self.conditions(part)?.join(" and ");
                format!("avg(case when {part} then 1.0 else 0.0 end)")
            }
            Measure::OfTotal(None) => "count(*) * 1.0 / sum(count(*)) over ()".to_owned(),
            Measure::OfTotal(Some(place)) => {
                let column = self.column(*place)?;
                format!("sum({column}) * 1.0 / sum(sum({column})) over ()")
            }
            Measure::PerPeriod(place, grain) => {
                let column = self.column(*place)?;
                format!("count(*) * 1.0 / nullif(count(distinct {}), 0)", dialect::period(self.dialect, *grain, &column))
            }
        })
    }

    fn conditions(&mut self, conditions: &[Condition]) -> Result<Vec<String>, Unsayable> {
        conditions.iter().map(|condition| self.condition(condition)).collect()
    }

    fn condition(&mut self, condition: &Condition) -> Result<String, Unsayable> {
        let column = self.column(condition.place())?;
        Ok(match condition {
            Condition::In { values, negated, .. } => {
                let values: Vec<String> =
                    values.iter().map(|value| dialect::literal(self.dialect, value)).collect::<Result<_, _>>()?;
                match (&values[..], negated) {
                    ([], _) => return Err(Unsayable),
                    ([value], false) => format!("{column} = {value}"),
                    ([value], true) => format!("({column} <> {value} or {column} is null)"),
                    (_, false) => format!("{column} in ({})", values.join(", ")),
                    (_, true) => format!("({column} not in ({}) or {column} is null)", values.join(", ")),
                }
            }
            Condition::Number { comparison, value, .. } => {
                format!("{column} {} {}", comparison.sql(), dialect::number(*value)?)
            }
            Condition::Flag { set, .. } => format!("{column} = {}", dialect::boolean(self.dialect, *set)),
            Condition::Spans { spans, .. } => {
                let spans: Vec<String> = spans.iter().map(|span| self.span(&column, span)).collect();
                if spans.len() == 1 { spans.concat() } else { format!("({})", spans.join(" or ")) }
            }
            Condition::Days { days, negated, .. } => {
                let days: Vec<String> = days.iter().map(u8::to_string).collect();
                let not = if *negated { "not " } else { "" };
                format!("{} {not}in ({})", dialect::weekday(self.dialect, &column), days.join(", "))
            }
            Condition::Hours { from, to, .. } => {
                let hour = dialect::hour(self.dialect, &column);
                format!("{hour} >= {from} and {hour} < {to}")
            }
        })
    }

    fn span(&self, column: &str, span: &Span) -> String {
        let from = span.from.map(|from| format!("{column} >= {}", dialect::day(self.dialect, from)));
        let to = span.to.map(|to| format!("{column} < {}", dialect::day(self.dialect, to)));
        from.into_iter().chain(to).collect::<Vec<_>>().join(" and ")
    }

    /// Where the first dimension's values are, for a map.
    fn position(&mut self) -> Result<Option<[(String, String); 2]>, Unsayable> {
        let Some(dimension) = self.question.dimensions.first().filter(|_| self.question.chart == Some(ChartType::Map)) else {
            return Ok(None);
        };
        let via = dimension.place.via.or_else(|| self.knowledge.link_of(dimension.place.column).map(|link| link.from));
        let table = via.and_then(|key| self.knowledge.link_of(key)).map_or(dimension.place.column.table, |link| link.to.table);
        let find = |wanted: fn(&crate::analyst::knowledge::KnownColumn) -> bool| {
            self.knowledge.columns_of(table).find(|(_, column)| wanted(column)).map(|(at, _)| Place { column: at, via })
        };
        let (Some(latitude), Some(longitude)) = (find(|column| column.is_latitude()), find(|column| column.is_longitude()))
        else {
            return Ok(None);
        };
        let (latitude, longitude) = (self.column(latitude)?, self.column(longitude)?);
        Ok(Some([(self.name("latitude"), format!("avg({latitude})")), (self.name("longitude"), format!("avg({longitude})"))]))
    }

    fn order(&mut self, measures: usize) -> Result<String, Unsayable> {
        let dimensions = &self.question.dimensions;
        let first_measure = dimensions.len() + 1;
        let mut by = Vec::new();
        let in_order = dimensions.iter().any(|dimension| dimension.grain.is_some() || dimension.step.is_some());
        let down = self.question.descending.or((!in_order).then_some(true)).filter(|_| measures > 0);
        if let Some(down) = down {
            by.push(format!("{first_measure} {}", if down { "desc" } else { "asc" }));
        }
        for (place, dimension) in dimensions.iter().enumerate() {
            if dimension.grain == Some(Grain::Weekday) {
                let time = self.column(dimension.place)?;
                by.push(format!("min({})", dialect::weekday(self.dialect, &time)));
            } else {
                by.push((place + 1).to_string());
            }
        }
        Ok(format!("\norder by {}\nlimit {}", by.join(", "), self.question.limit.unwrap_or(GROUPS)))
    }

    /// A column's name in the answer, different from those before.
    fn name(&mut self, wish: &str) -> String {
        let plain: String =
            wish.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' }).collect();
        let plain = plain.trim_matches('_').to_owned();
        let plain = if plain.is_empty() { "value".to_owned() } else { plain };
        let mut name = plain.clone();
        let mut count = 2;
        while self.names.contains(&name) {
            name = format!("{plain}_{count}");
            count += 1;
        }
        self.names.push(name.clone());
        name
    }
}

fn push_where(sql: &mut String, conditions: &[String]) {
    if !conditions.is_empty() {
        *sql += &format!("\nwhere {}", conditions.join(" and "));
    }
}

fn firsts(pairs: Vec<(String, String)>) -> Vec<String> {
    pairs.into_iter().map(|(first, _)| first).collect()
}

fn dimension_name(dimension: &Dimension, knowledge: &Knowledge) -> String {
    match dimension.grain {
        Some(grain) => grain.words().to_owned(),
        None => spaced(&knowledge.column(dimension.place.column).name),
    }
}

fn measure_name(measure: &Measure, question: &Question, knowledge: &Knowledge) -> String {
    let column = |place: &Place| spaced(&knowledge.column(place.column).name);
    match measure {
        Measure::Count => knowledge.tables[question.table].label.clone(),
        Measure::Matching(conditions) => {
            let word = conditions.iter().find_map(|condition| match condition {
                Condition::Number { word, .. } => word.clone(),
                _ => None,
            });
            word.unwrap_or_else(|| "matching".to_owned())
        }
        Measure::Distinct(place) => format!("different {}", column(place)),
        Measure::Of(aggregate, place) => format!("{} {}", aggregate.words(), column(place)),
        Measure::Share(_) | Measure::OfTotal(_) => "share".to_owned(),
        Measure::PerPeriod(_, grain) => format!("per {}", grain.words()),
    }
}
