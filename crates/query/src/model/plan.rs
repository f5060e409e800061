//! What a query needs: its numbers, the tables whose rows make them, the groups.

use super::{
    CompiledColumn, Made, NoMeaning,
    compare::{self, Shift},
    definition::{Model, listed},
    groups::{self, Group},
    narrowing::{Narrowing, Ways},
    newest,
    number::{Asked, Base, Reader},
    own::Own,
    tree::Tree,
};
use crate::source::SourceKind;
use chrono::NaiveDate;
use inlay_contract::model::{Aggregate, ModelColumnKind, ModelFilter, ModelQuery, Take};

/// The most measures, dimensions, filters, conditions and orders of a query, each.
pub(super) const MOST_PARTS: usize = 100;
/// The most rows of a group of rows.
const MOST_TOP: u32 = 1_000;
/// The most rows that a query may ask for.
const MOST_ROWS: u32 = 50_000;
/// The rows of an answer where a query does not say how many.
pub(super) const ROWS: u32 = 1_000;

/// A query, understood.
pub(super) struct Plan<'a> {
    pub tree: Tree,
    pub model: &'a Model,
    pub query: ModelQuery,
    pub today: NaiveDate,
    pub numbers: Vec<Asked>,
    pub bases: Vec<Base<'a>>,
    pub facts: Vec<Fact<'a>>,
    pub groups: Vec<Group>,
    /// The moving means: measures, each with its number of periods.
    pub moving: Vec<(usize, u16)>,
    /// The filters from outside.
    pub narrowing: Narrowing,
    /// The ways to their tables.
    pub ways: Ways,
}

/// The rows of a table that are gathered in one way.
#[derive(Clone, Debug)]
pub(super) struct Fact<'a> {
    pub table: &'a str,
    pub form: Form,
    /// The measures, by their places among the query's.
    pub bases: Vec<usize>,
    /// How far the earlier period lies back.
    pub shift: Option<Shift>,
}

/// How the rows of a fact become numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    /// By the database's own aggregates; for the distinct values of dimensions, by none.
    Plain,
    /// By their places in order: medians and percentiles.
    Ranked,
    /// Those of the first or last moment, of the rows that meet a condition.
    Edge(Take, Option<String>),
}

impl<'a> Plan<'a> {
    pub(super) fn narrowed(
        kind: SourceKind,
        model: &'a Model,
        own: &'a Own<'a>,
        query: &ModelQuery,
        narrowing: Narrowing,
        today: NaiveDate,
    ) -> Made<Self> {
        let parts = [
            ("measures", query.measures.len()),
            ("dimensions", query.dimensions.len()),
            ("filters", query.filters.len()),
            ("having", query.having.len()),
            ("sort", query.sort.len()),
        ];
        if let Some((part, _)) = parts.into_iter().find(|(_, count)| *count > MOST_PARTS) {
            return Err(NoMeaning::new(part, format!("must have at most {MOST_PARTS} items")));
        }
        let mut reader = Reader::of_query(kind, model, own);
        if query.measures.is_empty() && query.dimensions.is_empty() {
            let known = reader.known();
            return Err(NoMeaning::new("measures", format!("must name a measure; the measures are {known}")));
        }
        if query.totals && query.measures.is_empty() {
            return Err(NoMeaning::new("totals", "there is no measure to add up; name one in `measures`"));
        }
        if query.limit.is_some_and(|limit| !(1..=MOST_ROWS).contains(&limit)) {
            return Err(NoMeaning::new("limit", "must be 1 to 50,000"));
        }
        let mut numbers = Vec::new();
        for (place, name) in query.measures.iter().enumerate() {
            numbers.push(reader.asked(&format!("measures[{place}]"), name)?);
        }
        let bases = reader.bases;
        let facts = if query.measures.is_empty() {
            vec![Fact { table: groups::common_table(model, query)?, form: Form::Plain, bases: Vec::new(), shift: None }]
        } else {
            facts(&bases)
        };
        let groups = groups::of(model, query, &facts)?;
        let mut moving = Vec::new();
        numbers.iter().for_each(|asked| asked.number.moving(&mut moving));
        let (tree, mut query) = (Tree { kind }, query.clone());
        query.filters.extend(narrowing.time.clone().map(|value| ModelFilter::of(groups::TIME, value)));
        let mut plan =
            Self { tree, model, query, today, numbers, bases, facts, groups, moving, narrowing, ways: Ways::default() };
        plan.ways = Ways::of_plan(&plan);
        compare::replace_period(&mut plan);
        newest::check(&plan)?;
        compare::prepare(&mut plan)?;
        plan.check_columns()?;
        plan.check_numbers()?;
        Ok(plan)
    }

    /// The same measures over all rows together, of the same periods.
    pub(super) fn totals(&self) -> Self {
        let query = ModelQuery {
            dimensions: Vec::new(),
            having: Vec::new(),
            sort: Vec::new(),
            top: None,
            limit: None,
            totals: false,
            ..self.query.clone()
        };
        Self {
            tree: self.tree,
            model: self.model,
            query,
            today: self.today,
            numbers: self.numbers.clone(),
            bases: self.bases.clone(),
            facts: self.facts.clone(),
            groups: Vec::new(),
            moving: Vec::new(),
            narrowing: self.narrowing.clone(),
            ways: self.ways.clone(),
        }
    }

    /// The rows of the answer. Where the query does not say how many, one more is asked for, which tells that there are more.
    pub(super) fn limit(&self) -> u32 {
        self.query.limit.unwrap_or(ROWS + 1)
    }

    /// Whether numbers of an earlier period stand beside each.
    pub(super) const fn compares(&self) -> bool {
        self.query.compare.is_some()
    }

    /// Whether the numbers of one row come from several queries, so that some may be missing.
    pub(super) fn is_put_together(&self) -> bool {
        self.facts.len() > 1 || self.compares()
    }

    /// The group by periods, if it is the only one.
    pub(super) fn time(&self) -> Option<usize> {
        let mut times = self.groups.iter().enumerate().filter(|(_, group)| group.grain.is_some()).map(|(at, _)| at);
        times.next().filter(|_| times.next().is_none())
    }

    pub(super) fn columns(&self) -> Vec<CompiledColumn> {
        let groups = self.groups.iter().map(|group| CompiledColumn {
            name: group.column.clone(),
            role: ModelColumnKind::Dimension,
            label: group.label.clone(),
            is_labelled: group.is_labelled,
            format: None,
        });
        let asked = |role: ModelColumnKind, end: &'static str, words: &'static str| {
            self.numbers.iter().map(move |asked| CompiledColumn {
                name: format!("{}{end}", asked.name),
                role,
                label: format!("{}{words}", asked.label),
                is_labelled: asked.label != asked.name,
                format: asked.format.clone(),
            })
        };
        let mut columns: Vec<CompiledColumn> = groups.chain(asked(ModelColumnKind::Measure, "", "")).collect();
        if self.compares() {
            columns.extend(asked(ModelColumnKind::Previous, PREVIOUS, ", period before"));
        }
        columns
    }

    fn check_columns(&self) -> Made<()> {
        let columns = self.columns();
        for (place, column) in columns.iter().enumerate() {
            let dimension = place < self.groups.len();
            let at = if dimension { format!("dimensions[{place}]") } else { "measures".to_owned() };
            self.tree.name(&at, &column.name)?;
            // Some databases take names for one that differ in case alone.
            let same = |known: &CompiledColumn| known.name.to_lowercase() == column.name.to_lowercase();
            if let Some(other) = columns[..place].iter().find(|known| same(known)) {
                let name = &column.name;
                let why = if other.role == ModelColumnKind::Dimension {
                    format!("two columns are called `{name}`; give one another name by `as`")
                } else {
                    format!("`{name}` is asked for twice")
                };
                return Err(NoMeaning::new(at, why));
            }
        }
        let known = |name: &str| columns.iter().any(|column| column.name == name);
        for (place, order) in self.query.sort.iter().enumerate() {
            if !known(&order.by) {
                let all = listed(columns.iter().map(|column| column.name.as_str()));
                let why = format!("the answer has no column `{}`; its columns are {all}", order.by);
                return Err(NoMeaning::new(format!("sort[{place}].by"), why));
            }
        }
        self.check_top()?;
        for (place, having) in self.query.having.iter().enumerate() {
            if !columns[self.groups.len()..].iter().any(|column| column.name == having.measure) {
                let why = format!("`{}` is no measure of this query; add it to `measures`", having.measure);
                return Err(NoMeaning::new(format!("having[{place}].measure"), why));
            }
            if !having.than.is_finite() {
                return Err(NoMeaning::new(format!("having[{place}].than"), "must be a number"));
            }
        }
        Ok(())
    }

    /// The first rows of each group need groups, and an order.
    fn check_top(&self) -> Made<()> {
        let Some(top) = &self.query.top else { return Ok(()) };
        if !(1..=MOST_TOP).contains(&top.rows) {
            return Err(NoMeaning::new("top.rows", "must be 1 to 1,000"));
        }
        let all = || listed(self.groups.iter().map(|group| group.column.as_str()));
        if top.per.is_empty() {
            let why = format!("must name a dimension of the answer; it has {}", all());
            return Err(NoMeaning::new("top.per", why));
        }
        if top.per.len() > MOST_PARTS {
            return Err(NoMeaning::new("top.per", format!("must have at most {MOST_PARTS} items")));
        }
        if let Some(name) = top.per.iter().find(|name| !self.groups.iter().any(|group| group.column == **name)) {
            let why = format!("`{name}` is no dimension of the answer; it has {}", all());
            return Err(NoMeaning::new("top.per", why));
        }
        if self.query.sort.is_empty() {
            return Err(NoMeaning::new("top", "needs an order; say in `sort` which rows come first"));
        }
        Ok(())
    }

    /// Numbers that go along the periods need periods.
    fn check_numbers(&self) -> Made<()> {
        for (place, asked) in self.numbers.iter().enumerate() {
            let wrong = |why: String| Err(NoMeaning::new(format!("measures[{place}]"), why));
            let is_group = |name: &&str| self.groups.iter().any(|group| group.column == *name);
            if let Some(name) = asked.number.within().into_iter().find(|name| !is_group(name)) {
                let all = listed(self.groups.iter().map(|group| group.column.as_str()));
                return wrong(format!(
                    "`{}` is taken within `{name}`, which is no dimension of this query; it has {all}",
                    asked.name
                ));
            }
            if asked.number.goes_along() && self.time().is_none() {
                return wrong(format!("`{}` goes along a time: add exactly one dimension with a `grain`", asked.name));
            }
            if let (Some(longer), Some(grain)) = (asked.number.begins_anew(), self.time().and_then(|at| self.groups[at].grain))
                && grain >= longer
            {
                let why = format!("`{}` begins anew each {}; gather into shorter periods than that", asked.name, longer.name());
                return wrong(why);
            }
        }
        Ok(())
    }
}

/// What the names of earlier numbers end with.
pub(super) const PREVIOUS: &str = ModelQuery::PREVIOUS;

/// Measures whose rows are gathered in the same way are gathered at once.
fn facts<'a>(bases: &[Base<'a>]) -> Vec<Fact<'a>> {
    let mut facts: Vec<Fact<'a>> = Vec::new();
    for (place, base) in bases.iter().enumerate() {
        let form = match (&base.measure.take, base.measure.aggregate) {
            (Some(take), _) => Form::Edge(take.clone(), base.measure.condition.clone()),
            (None, Aggregate::Median | Aggregate::Percentile) => Form::Ranked,
            (None, _) => Form::Plain,
        };
        let shared = facts.iter_mut().find(|fact| fact.table == base.table && fact.form == form && form != Form::Ranked);
        match shared {
            Some(fact) => fact.bases.push(place),
            None => facts.push(Fact { table: base.table, form, bases: vec![place], shift: None }),
        }
    }
    facts
}
