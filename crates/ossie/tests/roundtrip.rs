//! Any model comes back as it was written.

use inlay_contract::{
    chart::question::Grain,
    format::{NumberFormat, NumberStyle},
    model::{Aggregate, Dimension, Edge, Measure, Metric, Moving, TableModel, Take, ToDate},
};
use inlay_ossie::{Column, SemanticModel, Table, export, import};
use proptest::{collection, option, prelude::*, sample::select};
use std::collections::{BTreeMap, BTreeSet};

/// Texts with everything that YAML, JSON and SQL give a meaning to.
fn text() -> impl Strategy<Value = String> {
    let odd = select(vec![
        "",
        " ",
        "x",
        "true",
        "null",
        "~",
        "- a",
        "a: b",
        "a #b",
        "'",
        "\"",
        "\\",
        "\\n",
        "\n",
        "\n\n",
        "\r\n",
        "\t",
        "{}",
        "[",
        "|",
        ">",
        "%",
        "@",
        "`",
        "&a",
        "*a",
        "!t",
        "? x",
        "---",
        "...",
        "0x1F",
        "1e3",
        "2024-01-01",
        "ä",
        "日本",
        "🙂",
        "\u{85}",
        "\u{2028}",
        "\u{feff}",
        "\u{7f}",
        "\u{1b}",
        "é ",
        " y",
    ]);
    collection::vec(odd, 0..6).prop_map(|parts| parts.concat())
}

fn label() -> impl Strategy<Value = Option<String>> {
    option::of(prop_oneof![text(), "[ -~]{0,40}", ".{0,20}"])
}

fn synonyms() -> impl Strategy<Value = Vec<String>> {
    collection::vec(text(), 0..3)
}

fn column_name() -> impl Strategy<Value = String> {
    let odd = select(vec![
        "id",
        "Amount",
        "amount",
        "order",
        "net amount",
        "größe",
        "2024",
        "a-b",
        "true",
        "a.b",
        "c'd",
        "e: f",
        "date",
        "é",
    ]);
    prop_oneof![odd.prop_map(str::to_owned), "[a-z][a-z_0-9]{0,6}"]
}

fn table_name() -> impl Strategy<Value = String> {
    let odd =
        select(vec!["orders", "Orders", "shop.orders", "flights-3m", "a b.c d", "table", "shop.Order lines", "x.y.z", "2024"]);
    prop_oneof![odd.prop_map(str::to_owned), "[a-z]{1,5}(\\.[a-z]{1,5})?"]
}

fn sql() -> impl Strategy<Value = String> {
    select(vec![
        "amount",
        "\"Amount\"",
        "`net amount`",
        "amount * 2",
        "coalesce(a, 0) - b",
        "case when a > 1 then 'x' else 'it''s' end",
        "a = \"text\"",
        "cast(a as date)",
        "a::int",
        "a between 1 and 2",
        "1",
        "not a",
        "a in ('b', 'c')",
        "a || ': \\ ' || b",
        "extract(year from d)",
        "not sql (",
        "sum(a)",
        "t.a",
        "-a",
        "a -- why\n + b",
        "f(a, b)",
        "date_trunc('month', d)",
        "d > current_date",
        "x is not null",
        "'a\\''",
    ])
    .prop_map(str::to_owned)
}

fn format() -> impl Strategy<Value = NumberFormat> {
    let style = select(vec![NumberStyle::Number, NumberStyle::Compact, NumberStyle::Percent, NumberStyle::Currency]);
    (style, option::of(text()), option::of(text()), option::of(0..9_u8), option::of(-1e20..1e20)).prop_map(
        |(style, currency, unit, decimals, compact_from)| NumberFormat { style, currency, unit, decimals, compact_from },
    )
}

fn take() -> impl Strategy<Value = Take> {
    (any::<bool>(), option::of(column_name()), collection::vec(column_name(), 0..3)).prop_map(|(first, over, per)| Take {
        edge: if first { Edge::First } else { Edge::Last },
        over,
        per,
    })
}

fn measure() -> impl Strategy<Value = Measure> {
    let aggregate = select(vec![
        Aggregate::Count,
        Aggregate::CountDistinct,
        Aggregate::Sum,
        Aggregate::Average,
        Aggregate::Min,
        Aggregate::Max,
        Aggregate::Median,
        Aggregate::Percentile,
    ]);
    let made = (aggregate, option::weighted(0.8, sql()), option::of(sql()), 0.0..1.0, option::weighted(0.2, take()));
    (made, label(), label(), synonyms(), option::of(format()), any::<bool>()).prop_map(
        |((aggregate, of, condition, fraction, take), label, description, synonyms, format, lower_is_better)| {
            let fraction = (aggregate == Aggregate::Percentile).then_some(fraction);
            Measure { aggregate, of, condition, fraction, take, label, description, synonyms, format, lower_is_better }
        },
    )
}

fn column() -> impl Strategy<Value = Column> {
    let references = option::of((table_name(), column_name()).prop_map(|(table, column)| format!("{table}.{column}")));
    (label(), label(), synonyms(), references).prop_map(|(label, description, synonyms, references)| Column {
        label,
        description,
        synonyms,
        references,
    })
}

fn dimension() -> impl Strategy<Value = Dimension> {
    (sql(), synonyms(), label(), label(), synonyms()).prop_map(|(sql, order, label, description, synonyms)| Dimension {
        sql,
        order,
        label,
        description,
        synonyms,
    })
}

fn table() -> impl Strategy<Value = Table> {
    let columns = collection::btree_map(column_name(), column(), 0..5);
    let dimensions = collection::btree_map("(d_[a-z]{1,4}|amount|end|year)", dimension(), 0..3);
    let own = (collection::vec(column_name(), 0..3), option::of(column_name()), dimensions, any::<bool>());
    (label(), label(), synonyms(), columns, own, collection::vec(measure(), 0..5)).prop_map(
        |(label, description, synonyms, columns, (key, time, dimensions, by_dimension), measures)| {
            let dimensions: BTreeMap<_, _> = dimensions.into_iter().filter(|(name, _)| !columns.contains_key(name)).collect();
            let time = dimensions.keys().next().cloned().filter(|_| by_dimension).or(time);
            let measures = measures.into_iter().enumerate().map(|(at, measure)| (format!("m{at}"), measure)).collect();
            Table {
                label,
                description,
                synonyms,
                columns,
                model: TableModel { key, time, dimensions, measures, ..TableModel::default() },
            }
        },
    )
}

fn metric() -> impl Strategy<Value = Metric> {
    let number = || select(vec!["t0_m0", "t0_m1", "t0_m2", "t1_m0", "n0", "n1", "n2", "missing"]).prop_map(str::to_owned);
    let grain = select(vec![Grain::Day, Grain::Week, Grain::Month, Grain::Quarter, Grain::Year]);
    let how = prop_oneof![
        (number(), number()).prop_map(|(of, by)| Metric { ratio: Some([of, by]), ..Metric::default() }),
        (number(), number(), select(vec!["+", "-", "*", "/", "/ 2 -", "* -", "/ (3 +"])).prop_map(|(left, right, with)| {
            let end = if with.ends_with("(3 +") { ")" } else { "" };
            Metric { formula: Some(format!("{left} {with} coalesce({right}, 0){end}")), ..Metric::default() }
        }),
        number().prop_map(|of| Metric { running: Some(of), ..Metric::default() }),
        (number(), grain).prop_map(|(of, grain)| Metric { to_date: Some(ToDate { of, grain }), ..Metric::default() }),
        (number(), 2..1_000_u16).prop_map(|(of, periods)| Metric { moving: Some(Moving { of, periods }), ..Metric::default() }),
    ];
    (how, label(), label(), synonyms(), option::of(format())).prop_map(|(how, label, description, synonyms, format)| Metric {
        label,
        description,
        synonyms,
        format,
        ..how
    })
}

/// A model whose measures have names of their own.
fn model() -> impl Strategy<Value = SemanticModel> {
    (text(), label(), collection::btree_map(table_name(), table(), 1..4), collection::vec(metric(), 0..5)).prop_map(
        |(name, description, tables, metrics)| {
            let named = |(at, (name, mut table)): (usize, (String, Table))| {
                let measures = std::mem::take(&mut table.model.measures);
                table.model.measures = measures.into_iter().map(|(name, measure)| (format!("t{at}_{name}"), measure)).collect();
                (name, table)
            };
            let tables = tables.into_iter().enumerate().map(named).collect();
            let metrics = metrics.into_iter().enumerate().map(|(at, metric)| (format!("n{at}"), metric)).collect();
            SemanticModel { name, description, tables, metrics }
        },
    )
}

/// The number of models. The variable of proptest's own asks for more of them.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_model_comes_back(model in model()) {
        let text = export(&model);
        let imported = import(&text).map_err(|problems| TestCaseError::fail(format!("{problems:#?}\n{text}")))?;
        prop_assert_eq!(&imported.model, &model, "{}", text);
        prop_assert_eq!(&imported.notes, &Vec::new(), "{}", text);
        prop_assert_eq!(export(&imported.model), text);
    }

    /// Nothing that is changed by hand is read as something else without a note, and nothing ends the process.
    #[test]
    fn a_changed_document_is_read_or_refused(model in model(), from in 0..400_usize, with in text()) {
        let text = export(&model);
        let lines: Vec<&str> = text.lines().collect();
        let at = from % lines.len();
        let changed: Vec<String> =
            lines.iter().enumerate().map(|(line, own)| if line == at { format!("{own}{with}") } else { (*own).to_owned() }).collect();
        if let Ok(imported) = import(&changed.join("\n")) {
            let names: BTreeSet<&String> = imported.model.tables.values().flat_map(|table| table.model.measures.keys()).collect();
            prop_assert!(imported.model.metrics.keys().all(|name| !names.contains(name)));
            prop_assert!(!imported.model.tables.is_empty() || !imported.notes.is_empty());
        }
    }
}
