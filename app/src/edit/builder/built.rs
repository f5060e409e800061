//! A chart in the chart builder: its query and how it is drawn. Pure.

use super::{
    fit::{self, Misfit},
    kinds::{self, Columns, Steps},
};
use inlay_contract::{
    chart::{
        definition::{ChartDefinition, ChartType, Encoding},
        question::Question,
    },
    edit::ChartEdit,
    filter::FilterValue,
    ids::{ChartId, ConnectionId},
    model::ModelQuery,
    page::ChartFace,
};
use serde_json::{Map, Value};

/// The source of a chart's rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Query {
    /// A query of the semantic model.
    Modelled(ModelQuery),
    /// A question about one table.
    Asked(Question),
    /// SQL that the viewer wrote.
    Written(String),
    /// The chart's stored query, which this viewer cannot see.
    Kept,
}

/// What the built chart replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Nothing: the chart is new.
    New,
    /// A chart of the dashboard.
    Standing(ChartId),
    /// A chart of the library, to be added.
    Library(ChartId),
}

/// A chart in the chart builder.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// What it replaces.
    pub base: Base,
    /// Its name.
    pub title: String,
    /// Its type.
    pub kind: ChartType,
    /// The connection that its query runs on. `None` until the tables are loaded.
    pub connection: Option<ConnectionId>,
    /// Its query.
    pub query: Query,
    /// The column of each part, for SQL, for a stored query, and for an author's query of the model as long as neither it nor the type
    /// changes.
    pub encoding: Encoding,
    /// The type and the query of the model that an author made the encoding for.
    pub encoded: Option<(ChartType, ModelQuery)>,
    /// The definition's other options, such as formats and stacking.
    pub options: Map<String, Value>,
    /// How long its rows may be cached, if the author set it.
    pub cache_seconds: Option<u32>,
    /// The known columns of its query.
    pub columns: Vec<String>,
}

impl Built {
    /// A new chart.
    #[must_use]
    pub fn new() -> Self {
        Self {
            base: Base::New,
            title: String::new(),
            kind: ChartType::Bar,
            connection: None,
            query: Query::Asked(Question::default()),
            encoding: Encoding::default(),
            encoded: None,
            options: Map::new(),
            cache_seconds: None,
            columns: Vec::new(),
        }
    }

    /// An existing chart. If the definition has no query, the chart keeps its stored one.
    #[must_use]
    pub fn of(base: Base, connection: ConnectionId, definition: ChartDefinition, columns: Vec<String>) -> Self {
        let meant = definition.model_query();
        let query = match (definition.question(), &meant, &definition.sql_override) {
            (Some(question), ..) => Query::Asked(question),
            (None, Some(meant), _) => Query::Modelled(meant.clone()),
            (None, None, Some(sql)) => Query::Written(sql.clone()),
            (None, None, None) => Query::Kept,
        };
        let ChartDefinition { title, kind, encoding, options, cache_seconds, .. } = definition.asking(None).asking_model(None);
        let encoded = meant.map(|query| (kind, query));
        Self { base, title, kind, connection: Some(connection), query, encoding, encoded, options, cache_seconds, columns }
    }

    /// The columns of its query's answer, if the page knows them.
    fn answered(&self) -> Option<Columns> {
        match &self.query {
            _ if self.kind == ChartType::Text => None,
            Query::Asked(question) => Some(question.into()),
            Query::Modelled(query) => Some(query.into()),
            Query::Written(_) | Query::Kept => None,
        }
    }

    /// Whether the encoding is an author's, for this type and this query of the model.
    fn is_authors(&self) -> bool {
        let Query::Modelled(query) = &self.query else { return false };
        let query = finished(query, |own| &mut own.filters, |filter| Some(&filter.value));
        self.encoded.as_ref().is_some_and(|(kind, known)| *kind == self.kind && *known == query)
    }

    /// Why the chart cannot be drawn. `None` if it can be drawn.
    #[must_use]
    pub fn misfit(&self) -> Option<Misfit> {
        match (self.answered(), &self.query) {
            (Some(columns), _) if !self.is_authors() => fit::misfit(self.kind, &columns),
            (None, Query::Written(sql)) if self.kind != ChartType::Text && sql.trim().is_empty() => Some(Misfit::Unwritten),
            _ => None,
        }
    }

    /// The types to offer first: those that can draw the query. Of a query that does not tell yet, the most used.
    #[must_use]
    pub fn first_types(&self) -> Vec<ChartType> {
        const MOST_USED: usize = 8;
        let columns = match &self.query {
            Query::Asked(question) => Columns::from(question),
            Query::Modelled(query) => Columns::from(query),
            Query::Written(_) | Query::Kept => Columns::default(),
        };
        if columns.all().next().is_none() {
            return ChartType::OFFERED[..MOST_USED].to_vec();
        }
        // Few values are days: a calendar of others would be empty.
        let is_blank = |kind: ChartType| kind == ChartType::Calendar && columns.first == Some(Steps::Values);
        let fits = |kind: &ChartType| fit::misfit(*kind, &columns).is_none() && !is_blank(*kind);
        ChartType::OFFERED.into_iter().filter(fits).collect()
    }

    /// The chart's definition.
    #[must_use]
    pub fn definition(&self) -> ChartDefinition {
        let encoding = match self.answered() {
            Some(columns) if !self.is_authors() => kinds::encode(self.kind, &columns),
            _ => self.encoding.clone(),
        };
        let (mut question, mut meant, mut sql) = (None, None, None);
        match &self.query {
            Query::Asked(own) => question = Some(finished(own, |own| &mut own.filters, |filter| filter.filter())),
            Query::Modelled(own) => meant = Some(finished(own, |own| &mut own.filters, |filter| Some(&filter.value))),
            Query::Written(own) => sql = Some(own.clone()),
            Query::Kept => {}
        }
        let has_rows = self.kind != ChartType::Text;
        let title = if self.title.trim().is_empty() { "Untitled chart" } else { self.title.trim() };
        ChartDefinition {
            title: title.to_owned(),
            kind: self.kind,
            sql_override: sql,
            encoding,
            options: self.options.clone(),
            cache_seconds: self.cache_seconds,
        }
        .asking(question.as_ref().filter(|_| has_rows))
        .asking_model(meant.as_ref().filter(|_| has_rows))
    }

    /// Its name and kind.
    #[must_use]
    pub fn face(&self) -> ChartFace {
        ChartFace::from(&self.definition())
    }

    /// The chart as a save sends it. `None` until its connection is known.
    #[must_use]
    pub fn edit(&self) -> Option<ChartEdit> {
        let definition = Box::new(self.definition());
        Some(match self.base {
            Base::New => ChartEdit::Made { connection: self.connection?, definition },
            Base::Standing(chart) => ChartEdit::Changed { chart, definition },
            Base::Library(chart) => ChartEdit::Picked { chart, definition: Some(definition) },
        })
    }

    /// The columns of a part.
    #[must_use]
    pub fn part(&self, name: &str) -> Vec<String> {
        let encoding = serde_json::to_value(&self.encoding).unwrap_or_default();
        match encoding.get(name) {
            Some(Value::String(column)) => vec![column.clone()],
            Some(Value::Array(columns)) => columns.iter().filter_map(|column| column.as_str().map(str::to_owned)).collect(),
            _ => Vec::new(),
        }
    }

    /// Sets the columns of a part.
    pub fn set_part(&mut self, part: kinds::Part, columns: Vec<String>) {
        let Ok(Value::Object(mut encoding)) = serde_json::to_value(&self.encoding) else { return };
        let listed = part.many || part.name == "y";
        match columns.first() {
            None => encoding.remove(part.name),
            Some(_) if listed => encoding.insert(part.name.to_owned(), columns.into()),
            Some(column) => encoding.insert(part.name.to_owned(), column.clone().into()),
        };
        if let Ok(encoding) = serde_json::from_value(Value::Object(encoding)) {
            self.encoding = encoding;
        }
    }
}

/// A query without the conditions that have no value yet.
fn finished<Q: Clone, F>(query: &Q, filters: impl Fn(&mut Q) -> &mut Vec<F>, value: impl Fn(&F) -> Option<&FilterValue>) -> Q {
    let mut query = query.clone();
    filters(&mut query).retain(|filter| value(filter).is_none_or(FilterValue::has_value));
    query
}

impl Default for Built {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::{chart::definition::Names, model::ModelFilter};
    use serde_json::json;

    fn definition(json: Value) -> ChartDefinition {
        serde_json::from_value(json).expect("a definition")
    }

    fn connection() -> ConnectionId {
        serde_json::from_value(json!("01890000-0000-7000-8000-000000000001")).expect("an id")
    }

    #[test]
    fn a_chart_that_is_opened_and_not_changed_stays_as_it_is() {
        let question = json!({"table": "orders", "measures": [{"aggregate": "count"}], "dimensions": [{"column": "region"}]});
        for json in [
            json!({"title": "T", "type": "bar", "encoding": {"x": "region", "y": ["count"]}, "options": {"stacked": true, "question": question}}),
            json!({"title": "T", "type": "line", "sqlOverride": "select 1 as a", "encoding": {"x": "a", "y": ["a"]}}),
            json!({"title": "T", "type": "pie", "encoding": {"label": "a", "value": "b"}, "options": {"format": {"style": "percent"}}}),
            json!({"title": "T", "type": "bar", "encoding": {"x": "region", "y": ["revenue"]}, "options": {"query": {"measures": ["revenue"], "dimensions": []}}}),
            json!({"title": "T", "type": "text", "encoding": {"markdown": "# Hello"}}),
        ] {
            let opened = definition(json);
            let base = Base::Standing(ChartId::generate());
            assert_eq!(Built::of(base, connection(), opened.clone(), vec![]).definition(), opened);
        }
    }

    #[test]
    fn a_condition_without_a_value_filters_nothing() {
        let asks = json!({"title": "T", "type": "bar", "options": {"query": {"measures": ["revenue"], "filters": [
            {"dimension": "orders.region", "value": "north"}]}}});
        let mut built = Built::of(Base::New, connection(), definition(asks), vec![]);
        let before = built.definition();
        let Query::Modelled(query) = &mut built.query else { panic!("a query of the model") };
        let blank = ModelFilter::of("orders.amount", FilterValue::Range { from: None, to: None });
        query.filters.push(blank);
        assert_eq!(built.definition(), before);
    }

    #[test]
    fn another_query_takes_the_place_of_one_of_the_model() {
        let asks = json!({"title": "T", "type": "bar", "options": {"query": {"measures": ["revenue"]}}});
        let kept = Built::of(Base::New, connection(), definition(asks), vec![]);
        for query in [Query::Written("select 1 as a".to_owned()), Query::Asked(Question::default())] {
            let made = Built { query, ..kept.clone() }.definition();
            assert!(!made.options.contains_key(ChartDefinition::QUERY) && made.has_query(), "{made:?}");
        }
    }

    #[test]
    fn an_authors_parts_stay_until_the_query_or_the_type_changes() {
        let query = json!({"measures": ["revenue", "orders"], "dimensions": [{"name": "orders.region"}]});
        let authors =
            json!({"title": "T", "type": "bar", "encoding": {"x": "region", "y": ["orders"]}, "options": {"query": query}});
        let opened = Built::of(Base::New, connection(), definition(authors), vec![]);
        let y = |built: &Built| built.definition().encoding.y;
        assert_eq!(y(&opened), Some(Names::Many(vec!["orders".into()])));
        let mut drawn = Built { kind: ChartType::Line, ..opened.clone() };
        assert_eq!(y(&drawn), Some(Names::Many(vec!["revenue".into(), "orders".into()])));
        drawn.kind = ChartType::Bar;
        assert_eq!(drawn.definition(), opened.definition(), "back at the author's");
        let Query::Modelled(query) = &mut drawn.query else { panic!("a query of the model") };
        query.measures.remove(1);
        assert_eq!(y(&drawn), Some(Names::Many(vec!["revenue".into()])));
    }

    #[test]
    fn types_that_can_draw_the_query_are_offered_first() {
        let asking = |json| Built { query: Query::Asked(serde_json::from_value(json).expect("a question")), ..Built::new() };
        let (count, by) = (json!([{"aggregate": "count"}]), json!([{"column": "day", "grain": "month"}]));
        let by_month = asking(json!({"table": "t", "measures": count, "dimensions": by})).first_types();
        assert!(by_month.contains(&ChartType::Line) && by_month.contains(&ChartType::Number), "{by_month:?}");
        assert!(!by_month.contains(&ChartType::Heatmap) && !by_month.contains(&ChartType::Calendar), "{by_month:?}");
        let alone = asking(json!({"table": "t", "measures": count})).first_types();
        assert_eq!(alone, [ChartType::Number, ChartType::Table, ChartType::Gauge, ChartType::Text]);
        let unknown = Built { query: Query::Written(String::new()), ..Built::new() }.first_types();
        assert_eq!((unknown.len(), unknown[0]), (8, ChartType::Bar));
    }

    #[test]
    fn parts_are_set_and_taken_away() {
        let mut built = Built { kind: ChartType::Line, query: Query::Kept, ..Built::new() };
        let parts = kinds::parts(ChartType::Line);
        built.set_part(parts[0], vec!["day".into()]);
        built.set_part(parts[1], vec!["a".into(), "b".into()]);
        assert_eq!((built.part("x"), built.part("y")), (vec!["day".to_owned()], vec!["a".to_owned(), "b".to_owned()]));
        built.set_part(parts[0], vec![]);
        assert!(built.part("x").is_empty());
    }

    #[test]
    fn a_new_chart_is_made_where_its_table_is() {
        let built = Built::new();
        assert_eq!(built.edit(), None);
        assert_eq!(built.misfit(), Some(Misfit::Blank));
        let built = Built { connection: Some(connection()), ..built };
        assert!(matches!(built.edit(), Some(ChartEdit::Made { .. })));
    }
}
