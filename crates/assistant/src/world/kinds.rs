//! What kind of thing a field is, by its name, its type and its values.

use inlay_contract::data::ColumnType;

/// What a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Tells rows apart, and nothing else.
    Key,
    /// A word out of a list.
    Category,
    /// A text of its own on each row.
    Text,
    /// A number that adds up.
    Amount,
    /// A number that has a mean, and no sum.
    Level,
    /// A number that is neither: a code, a place in an order.
    Code,
    /// A year as a number.
    Year,
    /// Yes or no.
    Flag,
    Time,
    Latitude,
    Longitude,
}

/// What has a mean, and no sum.
const LEVELS: &[&str] = &[
    "rate",
    "ratio",
    "percent",
    "percentage",
    "pct",
    "score",
    "rating",
    "age",
    "temperature",
    "temp",
    "delay",
    "wait",
    "waiting",
    "csat",
    "nps",
    "star",
    "price",
    "average",
    "avg",
    "mean",
    "speed",
    "height",
    "discount",
    "salary",
    "wage",
    "expectancy",
    "density",
    "index",
    "bmi",
    "pressure",
    "humidity",
    "grade",
    "rank",
    "elevation",
    "altitude",
    "depth",
    "magnitude",
    "cylinder",
    "mpg",
    "horsepower",
    "year",
    "share",
    "per",
    "level",
    "wind",
    "visibility",
    "size",
    "width",
    "length",
    "latitude",
    "longitude",
    "gpa",
    "probability",
    "intensity",
    "stddev",
    "median",
    "cost",
    "high",
    "low",
    "close",
    "open",
    "displacement",
    "acceleration",
    "gap",
    "life",
    "capita",
    "satisfaction",
    "duration",
    "time",
    "term",
];
/// What a number is not for counting with.
const CODES: &[&str] = &[
    "id",
    "key",
    "uuid",
    "guid",
    "sk",
    "code",
    "zip",
    "postcode",
    "postal",
    "phone",
    "fax",
    "number",
    "no",
    "num",
    "nr",
    "version",
    "sequence",
    "extension",
    "month",
    "day",
    "week",
    "hour",
    "quarter",
    "status",
    "type",
    "order",
    "position",
    "level",
];
/// What adds up, whatever else the name says.
const AMOUNTS: &[&str] = &[
    "amount",
    "total",
    "subtotal",
    "revenue",
    "quantity",
    "qty",
    "sale",
    "fee",
    "tax",
    "refund",
    "profit",
    "income",
    "expense",
    "spend",
    "payment",
    "minute",
    "second",
    "hour",
    "weight",
    "distance",
    "count",
    "point",
    "unit",
    "piece",
    "click",
    "view",
    "impression",
    "visit",
    "population",
    "byte",
    "stock",
    "hit",
    "run",
    "goal",
    "win",
    "loss",
    "game",
    "freight",
    "gold",
    "silver",
    "bronze",
    "case",
    "death",
    "precipitation",
    "rain",
    "snow",
    "energy",
    "consumption",
    "production",
    "export",
    "import",
    "budget",
    "gross",
    "milliseconds",
];

fn has(words: &[String], list: &[&str]) -> bool {
    words.iter().any(|word| list.contains(&word.as_str()))
}

/// The kind of a field that is neither key nor reference.
pub(super) fn kind(
    words: &[String],
    column_type: Option<ColumnType>,
    distinct: Option<f64>,
    range: Option<(f64, f64)>,
    rows: Option<f64>,
) -> Kind {
    let last = words.last().map_or("", String::as_str);
    match column_type {
        Some(ColumnType::Boolean) => Kind::Flag,
        Some(ColumnType::Date | ColumnType::Timestamp) => Kind::Time,
        Some(ColumnType::Number) => number(words, last, distinct, range),
        Some(ColumnType::Text) => {
            let many = matches!((distinct, rows), (Some(distinct), Some(rows)) if distinct > 300.0 && distinct > rows * 0.5);
            let long = has(
                words,
                &[
                    "description",
                    "comment",
                    "note",
                    "text",
                    "address",
                    "url",
                    "email",
                    "phone",
                    "fax",
                    "path",
                    "picture",
                    "photo",
                ],
            );
            if many || long { Kind::Text } else { Kind::Category }
        }
        _ => Kind::Category,
    }
}

fn number(words: &[String], last: &str, distinct: Option<f64>, range: Option<(f64, f64)>) -> Kind {
    let within = |least: f64, most: f64| range.is_some_and(|(from, to)| from >= least && to <= most);
    if matches!(last, "latitude" | "lat") {
        return Kind::Latitude;
    }
    if matches!(last, "longitude" | "lon" | "lng" | "long") {
        return Kind::Longitude;
    }
    if has(words, &["year", "yr", "season"]) && within(1700.0, 2200.0) {
        return Kind::Year;
    }
    if range == Some((0.0, 1.0)) && distinct == Some(2.0) {
        return Kind::Flag;
    }
    let telling = words.iter().rev().find(|word| {
        has(std::slice::from_ref(word), CODES)
            || has(std::slice::from_ref(word), LEVELS)
            || has(std::slice::from_ref(word), AMOUNTS)
    });
    let Some(telling) = telling.map(std::slice::from_ref) else { return Kind::Amount };
    let of_one = has(words, &["per", "avg", "average", "mean", "median", "max", "min", "unit", "rate", "percent", "pct"]);
    // The day of a month is a code, and 45 days of absence are none.
    let most = match telling[0].as_str() {
        "day" => 31.0,
        "week" => 53.0,
        "month" => 12.0,
        "quarter" => 4.0,
        _ => f64::INFINITY,
    };
    if range.is_some_and(|(_, greatest)| greatest > most) && !has(words, &["number", "no", "code", "id"]) {
        return Kind::Amount;
    }
    if has(telling, CODES) && !has(telling, AMOUNTS) {
        return if has(words, &["count"]) { Kind::Amount } else { Kind::Code };
    }
    if has(telling, LEVELS) || (of_one && !has(telling, &["unit", "piece"])) { Kind::Level } else { Kind::Amount }
}

impl Kind {
    /// Whether it is a number to calculate with.
    pub(crate) const fn is_measure(self) -> bool {
        matches!(self, Self::Amount | Self::Level)
    }

    /// Whether rows can be grouped by its values.
    pub(crate) const fn groups(self) -> bool {
        matches!(self, Self::Category | Self::Text | Self::Key | Self::Code | Self::Year | Self::Flag | Self::Level)
    }
}
