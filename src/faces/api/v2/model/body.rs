//! The body of a query of the model.

use crate::{
    flows::model_query::Asked,
    ground::web::body::{ByName, FreeText, FromValue, Integer, Json, List, Names, Text, anything, body, simple},
};
use inlay_contract::{
    chart::question::{Comparison, Cycle, Grain},
    filter::FilterValue,
    format::NumberFormat,
    model::{Aggregate, Compare, Metric, ModelFilter, ModelGroup, ModelHaving, ModelOrder, ModelQuery, QueryMeasure, Top},
};
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::openapi::{RefOr, Schema, Type};

/// The values that a filter keeps.
#[derive(Debug)]
struct Wanted(FilterValue);

impl FromValue for Wanted {
    fn from_value(value: &Value) -> std::result::Result<Self, String> {
        FilterValue::from_json(value.clone()).map(Self).map_err(|problem| format!("is not valid: {problem}"))
    }

    fn schema(about: &str) -> RefOr<Schema> {
        anything(about)
    }
}

/// A number.
#[derive(Debug)]
struct Number(f64);

impl FromValue for Number {
    fn from_value(value: &Value) -> std::result::Result<Self, String> {
        value.as_f64().filter(|number| number.is_finite()).map(Self).ok_or_else(|| "must be a number".to_owned())
    }

    fn schema(about: &str) -> RefOr<Schema> {
        simple(Type::Number, about).into()
    }
}

/// Metrics by name.
#[derive(Debug)]
struct Metrics(BTreeMap<String, Metric>);

impl FromValue for Metrics {
    fn from_value(value: &Value) -> std::result::Result<Self, String> {
        serde_json::from_value(value.clone()).map(Self).map_err(|problem| format!("must hold metrics by name: {problem}"))
    }

    fn schema(about: &str) -> RefOr<Schema> {
        simple(Type::Object, about).into()
    }
}

/// How numbers are written.
#[derive(Debug)]
struct Format(NumberFormat);

impl FromValue for Format {
    fn from_value(value: &Value) -> std::result::Result<Self, String> {
        serde_json::from_value(value.clone()).map(Self).map_err(|problem| format!("is not valid: {problem}"))
    }

    fn schema(about: &str) -> RefOr<Schema> {
        simple(Type::Object, about).into()
    }
}

body! {
    /// A query of the model.
    pub struct ModelQueryBody {
        /// Names of measures and metrics. Without any, the different values of the dimensions are answered.
        measures: Option<List<Text, 0, 100>>,
        /// Metrics of this query alone, by name, as in the project file: `ratio`, `formula`, `running`, `toDate`, `moving`, `total`, `share` or `only`.
        metrics: Option<Metrics>,
        /// Measures of this query alone, by name: aggregates over dimensions, without SQL. `measures`, `having` and `metrics` name them.
        aggregates: Option<ByName<ModelMeasureBody, 100>>,
        /// What the measures are taken for each of.
        dimensions: Option<List<ModelGroupBody, 0, 100>>,
        /// Which rows count. All filters must hold.
        filters: Option<List<ModelFilterBody, 0, 100>>,
        /// Which rows of the answer are kept.
        having: Option<List<ModelHavingBody, 0, 100>>,
        /// The order of the answer; that of the dimensions when left out. Rows without a value come last.
        sort: Option<List<ModelOrderBody, 0, 100>>,
        /// Keeps the first rows of each group of rows, in the order of `sort`. `limit` applies afterwards.
        top: Option<TopBody>,
        /// The most rows, 1 to 50,000; 1,000 when left out.
        limit: Option<Integer<1>>,
        /// `previous` or `year`: adds each measure of an earlier period as `<measure>_previous`. The query must filter the time.
        compare: Option<Json<Compare>>,
        /// Whether to add the measures over all rows together.
        totals: Option<bool>,
        /// The connection, where measures and tables of several have the same names.
        connection: Option<Text>,
        /// IANA time zone in which days begin. Defaults to the project's.
        timezone: Option<FreeText>,
        /// Whether to query the database even if a result is cached.
        refresh: Option<bool>,
        /// Token for a database's own row policies.
        db_auth_token: Option<FreeText>,
    }
}

body! {
    /// A measure of one query.
    struct ModelMeasureBody {
        /// The table whose rows are aggregated.
        table: Text,
        /// How rows become a number.
        aggregate: Json<Aggregate>,
        /// What is aggregated: `table.dimension` of the table or of one that it leads to. A list is multiplied. Left out only by `count`, which then counts rows.
        of: Option<Names<8>>,
        /// The way to the dimensions, as in `dimensions`.
        via: Option<Text>,
        /// The fraction of `percentile`: 0.9 for the value that nine tenths do not exceed.
        fraction: Option<Number>,
        /// Which rows count for this measure alone. All filters must hold.
        filters: Option<List<ModelFilterBody, 0, 100>>,
        /// Display name.
        label: Option<Text>,
        /// How its values are written.
        format: Option<Format>,
    }
}

body! {
    /// The first rows of each group of rows of the answer.
    struct TopBody {
        /// The number of rows, 1 to 1,000.
        rows: Integer<1>,
        /// The dimension columns of the answer whose values form a group.
        per: Names<100>,
    }
}

body! {
    /// A dimension of a query.
    struct ModelGroupBody {
        /// `table.dimension`, or `time` for the default time dimension of each measure's table.
        name: Text,
        /// The columns that lead from the measures' table to the dimension's, joined by dots. Needed where several ways do.
        via: Option<Text>,
        /// The period that days are gathered into.
        grain: Option<Json<Grain>>,
        /// `weekday`, `hour` or `partOfWeek`: the part of a week or day that moments fall into, all weeks or days together. Not with `grain`.
        cycle: Option<Json<Cycle>>,
        /// The name of its column in the answer. When left out: the dimension's name, with `_<grain>` or `_<cycle>` behind it.
        alias as "as": Option<Text<60>>,
    }
}

body! {
    /// A condition on a dimension.
    struct ModelFilterBody {
        /// `table.dimension`, or `time`.
        dimension: Text,
        /// The way to it, as in `dimensions`.
        via: Option<Text>,
        /// Compares the part of a week or day instead: `Mon` to `Sun`, `Weekday` or `Weekend`, or the hour as a number from 0 to 23.
        cycle: Option<Json<Cycle>>,
        /// A scalar, a list (any of), `{"from","to"}` or `{"relative":"last_7_days"}`.
        value: Wanted,
        /// Counts the relative period from the newest of the rows that pass all other filters, and not from today.
        newest: Option<bool>,
        /// Keeps all other rows instead, those without a value among them.
        not: Option<bool>,
    }
}

body! {
    /// A condition on a measure of the answer.
    struct ModelHavingBody {
        /// The measure.
        measure: Text,
        /// How it compares with `than`.
        comparison: Json<Comparison>,
        /// The number.
        than: Number,
    }
}

body! {
    /// An order of the answer.
    struct ModelOrderBody {
        /// A column of the answer.
        by: Text,
        /// The greatest first.
        descending: Option<bool>,
    }
}

impl ModelGroupBody {
    fn asked(self) -> ModelGroup {
        ModelGroup {
            name: self.name.0,
            via: self.via.map(|via| via.0),
            grain: self.grain.map(|grain| grain.0),
            cycle: self.cycle.map(|cycle| cycle.0),
            alias: self.alias.map(|alias| alias.0),
        }
    }
}

impl ModelFilterBody {
    fn asked(self) -> ModelFilter {
        ModelFilter {
            dimension: self.dimension.0,
            via: self.via.map(|via| via.0),
            cycle: self.cycle.map(|cycle| cycle.0),
            value: self.value.0,
            newest: self.newest.unwrap_or_default(),
            not: self.not.unwrap_or_default(),
        }
    }
}

impl ModelMeasureBody {
    fn asked(self) -> QueryMeasure {
        QueryMeasure {
            table: self.table.0,
            aggregate: self.aggregate.0,
            of: self.of.map(|of| of.0).unwrap_or_default(),
            via: self.via.map(|via| via.0),
            fraction: self.fraction.map(|fraction| fraction.0),
            filters: all(self.filters).into_iter().map(ModelFilterBody::asked).collect(),
            label: self.label.map(|label| label.0),
            format: self.format.map(|format| format.0),
        }
    }
}

/// The items of a list; none where it is left out.
fn all<T, const MOST: usize>(list: Option<List<T, 0, MOST>>) -> Vec<T> {
    list.map(|List(items)| items).unwrap_or_default()
}

/// A whole number that the compiler judges.
fn whole(Integer(number): Integer<1>) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl ModelQueryBody {
    /// Token for a database's own row policies, taken out.
    pub fn take_database_auth(&mut self) -> Option<String> {
        self.db_auth_token.take().map(|token| token.0)
    }

    /// The query, and how it is asked.
    pub fn asked(self) -> Asked {
        let having =
            |one: ModelHavingBody| ModelHaving { measure: one.measure.0, comparison: one.comparison.0, than: one.than.0 };
        let order = |one: ModelOrderBody| ModelOrder { by: one.by.0, descending: one.descending.unwrap_or_default() };
        let aggregates = self.aggregates.map(|aggregates| aggregates.0).unwrap_or_default();
        let query = ModelQuery {
            measures: all(self.measures).into_iter().map(|Text(name)| name).collect(),
            metrics: self.metrics.map(|metrics| metrics.0).unwrap_or_default(),
            aggregates: aggregates.into_iter().map(|(name, one)| (name, one.asked())).collect(),
            dimensions: all(self.dimensions).into_iter().map(ModelGroupBody::asked).collect(),
            filters: all(self.filters).into_iter().map(ModelFilterBody::asked).collect(),
            having: all(self.having).into_iter().map(having).collect(),
            sort: all(self.sort).into_iter().map(order).collect(),
            top: self.top.map(|top| Top { rows: whole(top.rows), per: top.per.0 }),
            limit: self.limit.map(whole),
            compare: self.compare.map(|compare| compare.0),
            totals: self.totals.unwrap_or_default(),
        };
        Asked {
            query,
            connection: self.connection.map(|name| name.0),
            timezone: self.timezone.map(|zone| zone.0),
            refresh: self.refresh.unwrap_or_default(),
        }
    }
}
