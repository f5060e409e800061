//! The forms of the semantic model: a table's part of it, measures and metrics.

use super::{Browser, browser::target};
use crate::{
    concepts::organizations::MemberRole,
    flows::project_file::{
        apply::{Applied, Incoming},
        preview::preview,
    },
    ground::audit::Actor,
    testing::{ACME, GLOBEX, Reply, World, on_both_stores},
};

/// Fields of a form.
type Fields<'f> = &'f [(&'f str, &'f str)];

/// The project file without its model.
fn bare() -> String {
    let without = World::project_file().lines().map(|line| match line.split_once("connection: warehouse, table: orders") {
        Some((_, rest)) => format!("  - {{ connection: warehouse, table: orders{rest}\n"),
        None if line.starts_with("metrics:") => String::new(),
        None if line.contains("table: rates, rows: all") => {
            "  - { connection: warehouse, table: rates, rows: all }\n".to_owned()
        }
        None => format!("{line}\n"),
    });
    without.collect()
}

/// The addresses of a project.
struct At {
    project: String,
    connection: String,
    tables: std::collections::BTreeMap<String, String>,
}

impl At {
    fn of(applied: &Applied) -> Self {
        let project = format!("/console/projects/{}", applied.project_id);
        let connection = format!("{project}/connections/{}", applied.connections["warehouse"]);
        let tables = applied.tables.iter().map(|(name, id)| (name.clone(), format!("{connection}/tables/{id}"))).collect();
        Self { project, connection, tables }
    }

    fn model(&self, table: &str) -> String {
        format!("{}/model", self.tables[table])
    }

    fn new_measure(&self, table: &str) -> String {
        format!("{}/measures/new", self.tables[table])
    }

    fn number(&self, rest: &str) -> String {
        format!("{}/semantic-model/{rest}", self.project)
    }
}

/// A world with the model of the project file, or without any.
async fn applied(world: &World, text: &str) -> At {
    At::of(&world.apply(text).await.unwrap_or_else(|problem| panic!("{problem}")))
}

/// The exported project file, which changes nothing when it is applied.
async fn exported(world: &World, browser: &mut Browser<'_>, at: &At) -> String {
    let text = browser.get(&format!("{}/file/download", at.project)).await.text;
    let environment = |_: &str| None;
    let incoming = Incoming {
        text: &text,
        folder: world.folder(),
        environment: &environment,
        seen: None,
        despite: None,
        check_data: false,
    };
    let found = preview(&world.target(), &Actor::operator(world.organization), &incoming).await;
    let found = found.unwrap_or_else(|problem| panic!("{problem}\n{text}"));
    assert_eq!(found.changes.iter().map(ToString::to_string).collect::<Vec<_>>(), [""; 0], "{text}");
    text
}

/// The text of a page as a person reads it.
fn read(reply: &Reply) -> String {
    reply.text.replace("&quot;", "\"").replace("&#x27;", "'").replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&")
}

/// The error that a page shows at a field, by the field's name.
fn problem_at(reply: &Reply, name: &str) -> String {
    let page = read(reply);
    let field = page.split_once(&format!(" name=\"{name}\"")).unwrap_or_else(|| panic!("no field {name}: {page}")).1;
    let (_, problem) = field.split_once("data-problem=\"\"").unwrap_or_else(|| panic!("no problem of {name}: {field}"));
    problem.split_once('>').and_then(|(_, problem)| problem.split("</span>").next()).unwrap_or_default().to_owned()
}

const ORDERS: Fields<'static> = &[
    ("keyColumns", "id"),
    ("time", "day"),
    ("fiscalYearStart", "4"),
    ("drill", "day, amount"),
    ("display", "size"),
    ("column.region.named", "on"),
    ("column.region.references", ""),
    ("dimension.0.name", "size"),
    ("dimension.0.sql", "case when amount >= 50 then 'large' else 'small' end"),
    ("dimension.0.order", "small, large"),
    ("dimension.0.label", "Size"),
    ("dimension.0.synonyms", "extent, scale"),
];

const REVENUE: Fields<'static> = &[
    ("name", "revenue"),
    ("aggregate", "sum"),
    ("of", "amount"),
    ("where", "region <> 'void'"),
    ("label", "Revenue"),
    ("description", "What customers pay."),
    ("synonyms", "sales, turnover"),
    ("format.style", "currency"),
    ("format.currency", "EUR"),
    ("format.decimals", "2"),
    ("lowerIsBetter", "on"),
];

/// A metric of each kind, with a line of the exported file.
const METRICS: [(Fields<'static>, &str); 8] = [
    (
        &[("name", "per_order"), ("kind", "ratio"), ("ratio.0", "revenue"), ("ratio.1", "order_count"), ("label", "Per order")],
        "per_order:",
    ),
    (&[("name", "doubled"), ("kind", "formula"), ("formula", "2 * coalesce(revenue, 0)")], "2 * coalesce(revenue, 0)"),
    (&[("name", "so_far"), ("kind", "running"), ("of", "revenue")], "running: revenue"),
    (&[("name", "this_year"), ("kind", "toDate"), ("of", "revenue"), ("grain", "year")], "grain: year"),
    (&[("name", "recent"), ("kind", "moving"), ("of", "order_count"), ("periods", "3")], "periods: 3"),
    (&[("name", "whole"), ("kind", "total"), ("of", "revenue"), ("within", "region, size")], "total:"),
    (&[("name", "part"), ("kind", "share"), ("of", "revenue"), ("format.style", "percent")], "style: percent"),
    (
        &[
            ("name", "north"),
            ("kind", "only"),
            ("of", "revenue"),
            ("filters.0.dimension", "orders.region"),
            ("filters.0.value", "north\nsouth"),
            ("filters.1.dimension", "orders.size"),
            ("filters.1.value", "small"),
            ("filters.1.not", "on"),
        ],
        "not: true",
    ),
];

async fn user(world: &World, company: &str) -> String {
    world.sign_in_as(company, "ada", None).await["projectUserId"].as_str().expect("an id").to_owned()
}

on_both_stores! {
    async fn a_bare_table_gets_a_measure_without_a_project_file(world) {
        let at = applied(&world, &bare()).await;
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let empty = browser.get(&at.number("").replace("model/", "model")).await;
        for shown in ["Tables outside the model", &at.model("orders"), "Choose a table below"] {
            assert!(empty.text.contains(shown), "{shown}: {}", empty.text);
        }
        assert!(browser.get(&at.tables["orders"]).await.text.contains(&at.model("orders")), "the table's page leads to the form");
        let form = browser.get(&at.model("orders")).await;
        for offered in ["column.region.named", "<option value=\"amount\">number</option>", "No measures yet"] {
            assert!(form.text.contains(offered), "{offered}: {}", form.text);
        }
        assert_eq!(target(&browser.save(&at.model("orders"), ORDERS).await), at.model("orders"));
        let form = read(&browser.get(&at.model("orders")).await);
        for kept in ["value=\"day, amount\"", "<option value=\"4\" selected>April", "case when amount >= 50", "value=\"extent, scale\"", "name=\"column.region.named\" value=\"on\" checked"] {
            assert!(form.contains(kept), "{kept}: {form}");
        }
        assert_eq!(target(&browser.save(&at.new_measure("orders"), REVENUE).await), at.number("revenue"));
        let count = [("name", "order_count"), ("aggregate", "count"), ("of", "")];
        assert_eq!(target(&browser.save(&at.new_measure("orders"), &count).await), at.number("order_count"));
        let page = read(&browser.get(&at.number("").replace("model/", "model")).await);
        for shown in ["sum of amount where region <> 'void'", "Revenue", "number of rows", "Size (size)", &at.model("orders"), "metrics/new"] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        for (fields, _) in METRICS {
            let name = fields[0].1;
            let made = browser.save(&at.number("metrics/new"), fields).await;
            assert_eq!(target(&made), at.number(name), "{name}");
            assert_eq!(browser.get(&at.number(&format!("{name}/edit"))).await.status, 200, "{name}");
        }
        let text = exported(&world, &mut browser, &at).await;
        for part in METRICS.map(|(_, part)| part).into_iter().chain(["key: id", "fiscalYearStart: 4", "display: size", "order:", "lowerIsBetter: true", "currency: EUR", "decimals: 2", "turnover", "What customers pay."]) {
            assert!(text.contains(part), "{part}: {text}");
        }
        let audit = browser.get(&format!("/console/organizations/{}/audit", world.organization)).await.text;
        for action in ["semanticModel.tableChanged", "semanticModel.measureAdded", "semanticModel.metricAdded"] {
            assert!(audit.contains(action), "{action}: {audit}");
        }
    }

    async fn saving_a_form_as_it_is_drawn_changes_nothing(world) {
        let rich = "dimensions: { place: { sql: \"coalesce(region, 'nowhere')\", order: [\"a, b\", c], label: Place, description: \"Where.\\n\", synonyms: [\"a, b\", c] } }, \
            drill: [day, amount], display: place, columns: { region: {} }, measures: { revenue: { take: { edge: last, per: [region] }, synonyms: [\"x, y\"], ";
        let text = World::project_file().replacen("dimensions: { place: { sql: \"coalesce(region, 'nowhere')\", label: Place } }, measures: { revenue: { ", rich, 1);
        let kept = "label: Revenue of an order }, weekend: { only: { of: order_count, filters: [{ dimension: orders.day, cycle: partOfWeek, value: Weekend }, \
            { dimension: orders.region, value: [north, \"5\"] }] } }";
        let at = applied(&world, &text.replacen("label: Revenue of an order }", kept, 1)).await;
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let before = exported(&world, &mut browser, &at).await;
        let part = [
            ("keyColumns", "id"), ("time", "day"), ("fiscalYearStart", "1"), ("drill", "day, amount"), ("display", "place"), ("column.region.named", "on"), ("column.region.references", ""),
            ("column.id.references", ""), ("dimension.0.name", "place"), ("dimension.0.sql", "coalesce(region, 'nowhere')"), ("dimension.0.order", "a, b, c"), ("dimension.0.label", "Place"),
            ("dimension.0.description", "Where."), ("dimension.0.synonyms", "a, b, c"), ("dimension.1.name", ""), ("dimension.1.sql", ""),
        ];
        assert_eq!(browser.save(&at.model("orders"), &part).await.status, 303);
        let revenue = [
            ("aggregate", "sum"), ("of", "amount"), ("take.edge", "last"), ("take.per", "region"), ("label", "Revenue"), ("synonyms", "x, y"),
            ("format.style", "currency"), ("format.currency", "EUR"),
        ];
        assert_eq!(browser.save(&at.number("revenue/edit"), &revenue).await.status, 303);
        let form = read(&browser.get(&at.number("weekend/edit")).await);
        assert!(form.contains("orders.day by part of week is Weekend") && form.contains("cannot express this condition"), "{form}");
        let hidden = form.split_once("name=\"filters.0.kept\" value=\"").expect("a kept condition").1;
        let hidden = hidden.split_once("}\"").map(|(json, _)| format!("{json}}}")).expect("its JSON");
        let only = [("kind", "only"), ("of", "order_count"), ("filters.0.kept", &*hidden), ("filters.1.dimension", "orders.region"), ("filters.1.value", "north\n\"5\"")];
        assert_eq!(browser.save(&at.number("weekend/edit"), &only).await.status, 303);
        assert_eq!(exported(&world, &mut browser, &at).await, before);
        let removed = [&only[..], &[("filters.0.remove", "on"), ("label", "Few")]].concat();
        assert_eq!(browser.save(&at.number("weekend/edit"), &removed).await.status, 303);
        let text = exported(&world, &mut browser, &at).await;
        assert!(!text.contains("Weekend") && text.contains("label: Few"), "{text}");
    }

    async fn wrong_input_is_told_at_its_field_and_what_was_typed_stays(world) {
        let at = applied(&world, World::project_file()).await;
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let own = [("fiscalYearStart", "1"), ("dimension.0.name", "place"), ("dimension.0.sql", "coalesce(region, 'nowhere')")];
        let table: [(Fields<'_>, &str, &str); 10] = [
            (&[("keyColumns", "number")], "keyColumns", "has no column `number`"),
            (&[("time", "moment")], "time", "`moment`"),
            (&[("drill", "nothing")], "drill", "`nothing`"),
            (&[("display", "nobody")], "display", "`nobody`"),
            (&[("dimension.1.name", "a b"), ("dimension.1.sql", "region")], "dimension.1.name", "a name has 1 to 50 letters"),
            (&[("dimension.1.name", "place"), ("dimension.1.sql", "region")], "dimension.1.name", "another dimension"),
            (&[("dimension.1.name", "total"), ("dimension.1.sql", "sum(amount)")], "dimension.1.sql", "gathers several rows"),
            (&[("dimension.1.name", "size"), ("dimension.1.sql", "amuont + 1")], "dimension.1.sql", "has no column `amuont`"),
            (&[("dimension.1.name", "size"), ("dimension.1.sql", "")], "dimension.1.sql", "is required"),
            (&[("column.region.references", "nothing.id")], "column.region.references", "must name a column of a listed table"),
        ];
        for (fields, at_field, told) in table {
            let refused = browser.save(&at.model("orders"), &[fields, &own].concat()).await;
            assert_eq!(refused.status, 400, "{fields:?}: {}", refused.text);
            let problem = problem_at(&refused, at_field);
            assert!(problem.contains(told), "{fields:?}: {problem}");
            let field = read(&refused).split_once(&format!(" name=\"{}\"", fields[0].0)).map(|(_, field)| field.to_owned()).expect("the field");
            assert!(field.split_once('>').expect("its end").0.contains(&format!("value=\"{}\"", fields[0].1)), "what was typed stays: {field}");
        }
        let measure: [(Fields<'_>, &str, &str); 14] = [
            (&[("name", "revenue")], "name", "another measure or metric"),
            (&[("name", "mean_order")], "name", "another measure or metric"),
            (&[("name", "null")], "name", "is a word of SQL"),
            (&[("name", "")], "name", "a name has 1 to 50 letters"),
            (&[("of", "")], "of", "only `count` counts rows"),
            (&[("of", "sum(amount)")], "of", "gathers several rows"),
            (&[("of", "amuont")], "of", "has no column `amuont`"),
            (&[("of", "load_extension(amount)")], "of", "not allowed"),
            (&[("where", "(select 1) = 1")], "where", "holds a SELECT"),
            (&[("fraction", "0.9")], "fraction", "belongs to `percentile` alone"),
            (&[("aggregate", "percentile")], "fraction", "between 0 and 1"),
            (&[("take.edge", "last"), ("take.over", "moment")], "take.over", "`moment`"),
            (&[("take.per", "region")], "take.edge", "is required"),
            (&[("format.currency", "euro")], "format.currency", "three letters"),
        ];
        let plain = [("name", "fresh"), ("aggregate", "sum"), ("of", "amount")];
        for (fields, at_field, told) in measure {
            let typed: Vec<_> = plain.iter().filter(|(name, _)| fields.iter().all(|(own, _)| own != name)).chain(fields).copied().collect();
            let refused = browser.save(&at.new_measure("orders"), &typed).await;
            assert_eq!(refused.status, 400, "{fields:?}: {}", refused.text);
            let problem = problem_at(&refused, at_field);
            assert!(problem.contains(told), "{fields:?}: {problem}");
        }
        let metric: [(Fields<'_>, &str, &str); 10] = [
            (&[("kind", "ratio"), ("ratio.0", "revenue"), ("ratio.1", "nothing")], "ratio.1", "there is no measure `nothing`"),
            (&[("kind", "ratio"), ("ratio.0", ""), ("ratio.1", "revenue")], "ratio.0", "is required"),
            (&[("kind", "formula"), ("formula", "revenue +")], "formula", "cannot be read"),
            (&[("kind", "formula"), ("formula", "fresh + revenue")], "formula", "made of itself"),
            (&[("kind", "running"), ("of", "mean_rate")], "of", "only sums and counts"),
            (&[("kind", "toDate"), ("of", "revenue"), ("grain", "moon")], "grain", "is not one of the choices"),
            (&[("kind", "moving"), ("of", "revenue"), ("periods", "1")], "periods", "2 to 1,000"),
            (&[("kind", "only"), ("of", "revenue"), ("filters.0.dimension", "orders.planet"), ("filters.0.value", "x")], "filters.0.dimension", "planet"),
            (&[("kind", "only"), ("of", "revenue"), ("filters.0.dimension", "orders.id"), ("filters.0.value", "")], "filters.0.value", "is required"),
            (&[("kind", "only"), ("of", "revenue")], "filters.0.dimension", "has no filters"),
        ];
        for (fields, at_field, told) in metric {
            let refused = browser.save(&at.number("metrics/new"), &[&[("name", "fresh")], fields].concat()).await;
            assert_eq!(refused.status, 400, "{fields:?}: {}", refused.text);
            let problem = problem_at(&refused, at_field);
            assert!(problem.contains(told), "{fields:?}: {problem}");
        }
        assert_eq!(browser.save(&at.number("metrics/new"), &[("name", "x"), ("kind", "nothing")]).await.status, 400);
        exported(&world, &mut browser, &at).await;
    }

    async fn a_hidden_column_is_no_way_out(world) {
        let hidden = "columns: { amount: { hidden: true } }, measures: { revenue: { aggregate: count, label";
        let text = World::project_file().replacen("measures: { revenue: { aggregate: sum, of: amount, label", hidden, 1);
        let at = applied(&world, &text).await;
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let form = browser.get(&at.new_measure("orders")).await.text;
        assert!(!form.contains("amount</code>"), "it is not offered: {form}");
        for (fields, at_field) in [
            ([("of", "amount"), ("where", "")], "of"),
            ([("of", "id + \"AMOUNT\""), ("where", "")], "of"),
            ([("of", "id"), ("where", "amount > 5")], "where"),
        ] {
            let refused = browser.save(&at.new_measure("orders"), &[&[("name", "fresh"), ("aggregate", "max")], &fields[..]].concat()).await;
            assert_eq!(refused.status, 400, "{}", refused.text);
            assert!(problem_at(&refused, at_field).contains("`amount` is hidden"), "{}", refused.text);
        }
        let part = |name: &'static str, value: &'static str| [("fiscalYearStart", "1"), ("dimension.0.name", "place"), ("dimension.0.sql", "region"), (name, value)];
        let by = [&part("dimension.1.name", "size")[..], &[("dimension.1.sql", "amount > 5")]].concat();
        let refused = browser.save(&at.model("orders"), &by).await;
        assert!(refused.status == 400 && problem_at(&refused, "dimension.1.sql").contains("is hidden"), "{}", refused.text);
        let refused = browser.save(&at.model("orders"), &part("keyColumns", "amount")).await;
        assert!(refused.status == 400 && problem_at(&refused, "keyColumns").contains("no visible column"), "{}", refused.text);
    }

    async fn what_breaks_is_told_first(world) {
        let chart = "  - { name: Sales, connection: warehouse, type: bar, query: { measures: [revenue], dimensions: [{ name: orders.place }] },\n      \
            encoding: { x: place, y: [revenue] } }\n  - { name: Notes, connection";
        let text = World::project_file().replacen("  - { name: Notes, connection", chart, 1).replacen("column: warehouse.orders.region", "column: warehouse.orders.place", 1);
        let at = applied(&world, &text).await;
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let despite = |reply: &Reply| read(reply).split_once("name=\"despiteUses\" value=\"").expect("what breaks").1.split("\"").next().expect("its end").to_owned();
        let without = [("keyColumns", "id"), ("time", "day"), ("fiscalYearStart", "1"), ("dimension.0.name", "place"), ("dimension.0.sql", "region"), ("dimension.0.remove", "on")];
        let asked = browser.save(&at.model("orders"), &without).await;
        assert_eq!(asked.status, 409, "{}", asked.text);
        let told = despite(&asked);
        assert!(told.contains("chart Sales: ") && told.contains("filter Region of Orders / Overview"), "{told}");
        assert!(browser.get(&at.number("").replace("model/", "model")).await.text.contains("Place (place)"), "nothing is saved yet");
        assert_eq!(browser.save(&at.model("orders"), &[&without[..], &[("despiteUses", "chart Sales")]].concat()).await.status, 409, "who was told of less is asked again");
        assert_eq!(browser.save(&at.model("orders"), &[&without[..], &[("despiteUses", told.as_str())]].concat()).await.status, 303);

        let timeless = [("keyColumns", "id"), ("time", ""), ("fiscalYearStart", "1")];
        assert_eq!(browser.save(&at.model("orders"), &timeless).await.status, 303, "no chart is by time");
        let form = read(&browser.get(&at.number("order_count/edit")).await);
        assert!(form.contains("Remove measure order_count?") && form.contains("metric mean_order: there is no measure `order_count`"), "{form}");
        let asked = browser.submit(&at.number("order_count/remove"), &[]).await;
        assert!(asked.status == 409 && asked.text.contains("Not removed yet"), "{}", asked.text);
        let told = despite(&asked);
        assert_eq!(target(&browser.submit(&at.number("order_count/remove"), &[("despiteUses", &told)]).await), at.number("").replace("model/", "model"));
        assert_eq!(target(&browser.submit(&at.number("order_count/remove"), &[]).await), at.number("").replace("model/", "model"), "it is gone already");
        assert_eq!(target(&browser.submit(&at.number("mean_order/remove"), &[]).await), at.number("").replace("model/", "model"), "a broken metric can be removed");
        exported(&world, &mut browser, &at).await;
    }

    async fn another_members_change_is_not_overwritten(world) {
        let at = applied(&world, World::project_file()).await;
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let seen = async |browser: &mut Browser<'_>, path: &str| {
            let page = browser.get(path).await.text;
            page.split_once("name=\"seen\" value=\"").expect("a state").1.split('"').next().expect("its end").to_owned()
        };
        let measure = seen(&mut browser, &at.number("revenue/edit")).await;
        let table = seen(&mut browser, &at.model("orders")).await;
        let metric = seen(&mut browser, &at.number("mean_order/edit")).await;
        let mut other = Browser::signed_in(&world, MemberRole::Member).await;
        let changed = [("aggregate", "sum"), ("of", "amount"), ("label", "Theirs")];
        assert_eq!(other.save(&at.number("revenue/edit"), &changed).await.status, 303);
        let refused = browser.submit(&at.number("revenue/edit"), &[("seen", &measure), ("aggregate", "max"), ("of", "amount"), ("label", "Mine")]).await;
        assert!(refused.status == 409 && refused.text.contains("was changed since you opened it") && refused.text.contains("Mine"), "{}", refused.text);
        let part = [("seen", table.as_str()), ("keyColumns", "id"), ("time", "day"), ("fiscalYearStart", "2"), ("dimension.0.name", "place"), ("dimension.0.sql", "region")];
        assert_eq!(browser.submit(&at.model("orders"), &part).await.status, 303, "a measure is no part of this form");
        assert_eq!(browser.submit(&at.model("orders"), &part).await.status, 409);
        let ratio = [("seen", metric.as_str()), ("kind", "formula"), ("formula", "revenue / order_count")];
        assert_eq!(browser.submit(&at.number("mean_order/edit"), &ratio).await.status, 303, "with another kind");
        assert_eq!(browser.submit(&at.number("mean_order/edit"), &ratio).await.status, 409);
        let text = exported(&world, &mut browser, &at).await;
        assert!(text.contains("Theirs") && text.contains("fiscalYearStart: 2") && text.contains("formula: revenue / order_count"), "{text}");
    }

    async fn a_definition_is_tested_as_it_is_typed_and_nothing_is_saved(world) {
        let at = applied(&world, World::project_file()).await;
        let (ada, grace) = (user(&world, ACME).await, user(&world, GLOBEX).await);
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let before = exported(&world, &mut browser, &at).await;
        let measure = |user: &'_ str| [("name", "largest"), ("aggregate", "max"), ("of", "amount"), ("where", "region <> 'south'"), ("format.unit", "kg"), ("test", "on"), ("user", user)].map(|(name, value)| (name, value.to_owned()));
        for (user, shown, foreign) in [(&ada, "10.5\u{a0}kg", "70"), (&grace, "70\u{a0}kg", "10.5")] {
            let typed = measure(user);
            let typed: Vec<_> = typed.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let tried = browser.save(&at.new_measure("orders"), &typed).await;
            assert_eq!(tried.status, 200, "{}", tried.text);
            let found = tried.text.split_once("data-result").expect("a result").1;
            assert!(found.contains(shown) && found.contains("2024-01") && found.contains("rows behind it"), "{shown}: {found}");
            assert!(!found.split("<h2>").next().expect("text").contains(&format!(">{foreign}")), "{foreign}: {found}");
            assert!(tried.text.contains("value=\"largest\""), "what was typed stays");
        }
        let ratio = [("kind", "formula"), ("formula", "revenue * 100"), ("test", "on"), ("user", ada.as_str())];
        let tried = browser.save(&at.number("mean_order/edit"), &ratio).await;
        assert!(tried.status == 200 && tried.text.contains("3,050"), "{}", tried.text);
        let nobody = browser.save(&at.number("mean_order/edit"), &[("kind", "formula"), ("formula", "revenue"), ("test", "on"), ("user", "")]).await;
        assert!(nobody.status == 400 && nobody.text.contains("rows depend on the user"), "{}", nobody.text);
        let wrong = browser.save(&at.number("mean_order/edit"), &[("kind", "formula"), ("formula", "nothing"), ("test", "on"), ("user", &ada)]).await;
        assert!(wrong.status == 400 && problem_at(&wrong, "formula").contains("no measure `nothing`"), "{}", wrong.text);
        let closed = browser.save(&at.new_measure("notes"), &[("name", "notes"), ("aggregate", "count"), ("test", "on"), ("user", &ada)]).await;
        assert!(closed.text.contains("Open the table first") && closed.text.contains("The table is closed"), "{}", closed.text);
        assert_eq!(exported(&world, &mut browser, &at).await, before);
        let audit = browser.get(&format!("/console/organizations/{}/audit", world.organization)).await.text;
        assert!(audit.contains("semanticModel.testedAs"), "{audit}");
    }

    async fn a_closed_table_and_a_database_that_is_away_keep_their_model(world) {
        let at = applied(&world, World::project_file()).await;
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let count = [("name", "note_count"), ("aggregate", "count")];
        assert_eq!(target(&browser.save(&at.new_measure("notes"), &count).await), at.number("note_count/edit"));
        let page = browser.get(&at.number("").replace("model/", "model")).await.text;
        assert!(page.contains(&at.model("notes")) && page.contains("Closed"), "{page}");
        assert!(browser.get(&at.model("notes")).await.text.contains(&at.number("note_count/edit")));
        std::fs::remove_file(world.folder().join("warehouse.db")).expect("removed");
        let form = browser.get(&at.model("orders")).await.text;
        assert!(form.contains("does not respond") && form.contains("added.0.name"), "{form}");
        let part = [
            ("keyColumns", "id, day"), ("time", "day"), ("fiscalYearStart", "1"), ("dimension.0.name", "place"), ("dimension.0.sql", "region"),
            ("added.0.name", "currency"), ("added.0.references", ""),
        ];
        let lost = browser.save(&at.model("orders"), &[&part[..5], &[("added.0.name", "currency"), ("added.0.references", "rates.name")]].concat()).await;
        assert!(lost.status == 400 && problem_at(&lost, "added.0.references").contains("is not the declared key"), "{}", lost.text);
        assert_eq!(browser.save(&at.model("orders"), &part).await.status, 303);
        assert!(browser.get(&at.new_measure("orders")).await.text.contains("does not respond"));
        let made = browser.save(&at.new_measure("orders"), &[("name", "unseen"), ("aggregate", "sum"), ("of", "weight")]).await;
        assert_eq!(made.status, 303, "{}", made.text);
        let text = browser.get(&format!("{}/file/download", at.project)).await.text;
        for part in ["currency:", "of: weight", "note_count"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    async fn names_are_text_and_a_viewer_is_offered_nothing(world) {
        let at = applied(&world, World::project_file()).await;
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let hostile = "\"></textarea><script>alert(1)</script>";
        // In an attribute, only quotes need an escape.
        let is_text = |page: &str| page.matches("<script>alert").count() == page.matches("&quot;></textarea><script>alert").count();
        let typed = [("name", hostile), ("aggregate", "sum"), ("of", hostile), ("label", hostile), ("take.per", hostile), ("format.unit", hostile)];
        let refused = browser.save(&at.new_measure("orders"), &typed).await;
        assert!(refused.status == 400 && is_text(&refused.text), "{}", refused.text);
        let saved = browser.save(&at.number("revenue/edit"), &[("aggregate", "sum"), ("of", "amount"), ("label", hostile), ("description", hostile)]).await;
        assert_eq!(saved.status, 303, "{}", saved.text);
        for page in [at.number("revenue"), at.number("revenue/edit"), at.number("").replace("model/", "model"), at.number("metrics/new?kind=ratio")] {
            assert!(is_text(&browser.get(&page).await.text), "{page}");
        }
        let other = [("kind", "only"), ("of", hostile), ("filters.0.kept", hostile), ("filters.1.dimension", hostile), ("filters.1.value", hostile)];
        let refused = browser.save(&at.number("mean_order/edit"), &other).await;
        assert!(refused.status == 400 && is_text(&refused.text), "{}", refused.text);
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        for page in [at.number("").replace("model/", "model"), at.number("revenue"), at.tables["orders"].clone(), at.connection.clone()] {
            let text = viewer.get(&page).await.text;
            assert!(!text.contains("/edit\"") && !text.contains(&at.model("orders")) && !text.contains("metrics/new"), "{page}: {text}");
        }
    }
}
