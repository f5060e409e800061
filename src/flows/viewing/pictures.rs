//! The pictures of results, remembered: whoever looks at a result that is remembered gets the picture that was made of it for
//! somebody before. The chart library's options are pictures that are drawn as SVG or in the browser.

use crate::{
    concepts::charts::Chart,
    ground::{config::Settings, memory::Shares, state::Part},
};
use inlay_contract::{
    chart::{
        definition::{ChartDefinition, ChartType},
        picture::Picture,
    },
    ids::ChartId,
    theme::{ChartTheme, Theme},
};
use inlay_query::Answered;
use metrics::gauge;
use moka::sync::Cache;
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
    time::Duration,
};

/// How long a picture that nobody needs is kept: results are rarely kept longer.
const IDLE: Duration = Duration::from_secs(5 * 60);

/// What a remembered picture takes beside its text, in bytes.
const EACH: usize = 128;

/// How charts look for one viewer.
#[derive(Clone, Debug)]
pub struct Look {
    colours: Arc<ChartTheme>,
    /// The theme and the language as they were given.
    given: Arc<(Theme, String)>,
}

impl Look {
    /// The look of a theme, with the language for numbers and dates (BCP 47).
    pub fn new(theme: &Theme, locale: &str) -> Self {
        let given = Arc::new((theme.clone(), locale.to_owned()));
        Self { colours: Arc::new(theme.chart()), given }
    }
}

/// A chart in one of its versions.
#[derive(Clone, Copy, Debug)]
pub struct Drawable<'a> {
    /// Its id.
    pub chart: ChartId,
    /// Its version.
    pub version: i64,
    /// The definition of this version.
    pub definition: &'a ChartDefinition,
}

impl<'a> From<&'a Chart> for Drawable<'a> {
    fn from(chart: &'a Chart) -> Self {
        Self { chart: chart.id, version: chart.version, definition: &chart.definition }
    }
}

/// What a picture is made of. The number of a result stands for its rows, which no other result has: who is not given the result
/// is not given its picture.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    result: u64,
    chart: ChartId,
    version: i64,
    /// Of the labels and formats: those of the semantic model change without a new version of the chart.
    words: u64,
    given: Arc<(Theme, String)>,
}

/// The remembered pictures.
pub struct Pictures {
    made: Cache<Key, Option<Arc<Picture>>>,
}

impl Part for Pictures {
    fn new(settings: &Settings) -> Self {
        Self::of(Shares::of_settings(settings).pictures)
    }
}

impl Pictures {
    fn of(bytes: u64) -> Self {
        let weight = |_: &Key, picture: &Option<Arc<Picture>>| {
            u32::try_from(EACH + picture.as_deref().map_or(0, size)).unwrap_or(u32::MAX)
        };
        Self { made: Cache::builder().weigher(weight).max_capacity(bytes).time_to_idle(IDLE).build() }
    }

    /// Sets the gauges of what is remembered.
    #[expect(clippy::cast_precision_loss, reason = "measures")]
    pub fn measure(&self) {
        gauge!("inlay_cache_entries", "cache" => "drawn results").set(self.made.entry_count() as f64);
        gauge!("inlay_cache_bytes", "cache" => "drawn results").set(self.made.weighted_size() as f64);
    }

    /// The picture of a chart's rows. `None` for a text, without rows, and for a definition that does not fit them.
    pub fn of_rows(&self, chart: Drawable<'_>, rows: &Answered, look: &Look) -> Option<Arc<Picture>> {
        if chart.definition.kind == ChartType::Text || rows.table().rows.is_empty() {
            return None;
        }
        let make = || Picture::of_rows(chart.definition, rows.table(), &look.colours, &look.given.1).map(Arc::new);
        let Drawable { chart: id, version, definition } = chart;
        let given = Arc::clone(&look.given);
        let key = Key { result: rows.number(), chart: id, version, words: words(definition), given };
        self.made.get_with(key, make)
    }
}

fn words(definition: &ChartDefinition) -> u64 {
    let mut hasher = DefaultHasher::new();
    ["labels", "formats", "comparedWith"].map(|option| definition.options.get(option)).hash(&mut hasher);
    hasher.finish()
}

/// About the memory of a picture, in bytes: tables hold each of their texts apart.
fn size(picture: &Picture) -> usize {
    match picture {
        Picture::Empty => 0,
        Picture::Option(text) => text.len(),
        Picture::Number(_) | Picture::Table(_) | Picture::Pivot(_) => {
            serde_json::to_string(picture).map_or(0, |text| text.len().saturating_mul(3))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::data::ChartData;
    use serde_json::{from_value, json};

    fn rows(count: i64) -> Answered {
        let columns = json!([{"name": "day", "type": "text"}, {"name": "n", "type": "number"}]);
        let rows: Vec<_> = (0..count).map(|day| json!([format!("day {day}"), day])).collect();
        let data: ChartData =
            from_value(json!({"columns": columns, "rows": rows, "truncated": false, "cached": false, "durationMs": 1}))
                .expect("rows");
        Answered::new(data)
    }

    fn definition(kind: &str) -> ChartDefinition {
        from_value(json!({"title": "T", "type": kind, "encoding": {"x": "day", "y": ["n"]}})).expect("a definition")
    }

    fn dark() -> Theme {
        Theme { background: Some("#101418".into()), ..Theme::default() }
    }

    #[test]
    fn a_result_s_picture_is_made_once_and_again_for_whatever_it_depends_on() {
        let pictures = Pictures::of(1 << 20);
        let (bar, table, id, other) = (definition("bar"), definition("table"), ChartId::generate(), ChartId::generate());
        let look = |theme: &Theme, locale| Look::new(theme, locale);
        let (light, night, german) = (look(&Theme::default(), "en"), look(&dark(), "en"), look(&Theme::default(), "de"));
        let (first, second) = (rows(3), rows(4));
        let of = |chart, version, definition, rows: &Answered, look: &Look| {
            pictures.of_rows(Drawable { chart, version, definition }, rows, look).expect("a picture")
        };
        let expected = |definition, rows: &Answered, theme: &Theme, locale| {
            Picture::of_rows(definition, rows.table(), &theme.chart(), locale).expect("a picture")
        };
        let plain = Theme::default();
        let made = of(id, 1, &bar, &first, &light);
        assert!(Arc::ptr_eq(&made, &of(id, 1, &bar, &first.clone(), &look(&plain, "en"))), "once");
        assert_eq!(*made, expected(&bar, &first, &plain, "en"));
        assert_eq!(*of(id, 1, &bar, &second, &light), expected(&bar, &second, &plain, "en"), "other rows");
        assert_eq!(*of(id, 2, &table, &first, &light), expected(&table, &first, &plain, "en"), "another version");
        assert_eq!(*of(other, 1, &table, &first, &light), expected(&table, &first, &plain, "en"), "another chart");
        assert_eq!(*of(id, 1, &bar, &first, &night), expected(&bar, &first, &dark(), "en"), "another theme");
        assert_eq!(*of(id, 1, &bar, &first, &german), expected(&bar, &first, &plain, "de"), "another language");
        assert_ne!(expected(&bar, &first, &plain, "en"), expected(&bar, &first, &dark(), "en"));
        assert_ne!(expected(&bar, &first, &plain, "en"), expected(&bar, &first, &plain, "de"));
    }

    #[test]
    fn texts_and_charts_without_rows_have_none() {
        let (pictures, look) = (Pictures::of(1 << 20), Look::new(&Theme::default(), "en"));
        let of = |kind: &str, rows: &Answered| {
            pictures.of_rows(Drawable { chart: ChartId::generate(), version: 1, definition: &definition(kind) }, rows, &look)
        };
        assert!(of("bar", &rows(1)).is_some());
        assert_eq!((of("bar", &rows(0)), of("text", &rows(1)), of("sankey", &rows(1))), (None, None, None));
    }

    #[test]
    fn pictures_never_take_more_than_their_share() {
        let (pictures, look) = (Pictures::of(20_000), Look::new(&Theme::default(), "en"));
        for kind in ["bar", "table"].repeat(100) {
            let chart = Drawable { chart: ChartId::generate(), version: 1, definition: &definition(kind) };
            pictures.of_rows(chart, &rows(3), &look);
        }
        pictures.made.run_pending_tasks();
        assert!((1..=20_000).contains(&pictures.made.weighted_size()), "{}", pictures.made.weighted_size());
    }
}
