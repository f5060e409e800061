//! Drafts of made-up databases.

mod measures;

use super::*;
use crate::engine::{DeclaredKey, DeclaredReference};
use inlay_contract::{data::ColumnType, model::TableModel};

/// Tables by a short notation: `orders(id, amount, placed date, note text)`. Columns are numbers unless they say otherwise.
fn tables(all: &[&str]) -> Vec<SourceTable> {
    let column = |text: &str| {
        let (name, kind) = text.trim().split_once(' ').unwrap_or((text.trim(), "number"));
        let kind = match kind {
            "date" => ColumnType::Date,
            "moment" => ColumnType::Timestamp,
            "text" => ColumnType::Text,
            _ => ColumnType::Number,
        };
        Column { name: name.to_owned(), kind }
    };
    let table = |text: &&str| {
        let (name, columns) = text.trim_end_matches(')').split_once('(').expect("a table");
        SourceTable { name: name.to_owned(), columns: columns.split(',').map(column).collect() }
    };
    all.iter().map(table).collect()
}

/// Keys by a short notation: `orders(id)`, unique `customers(code)?`, foreign `orders(customer_id) > customers(id)`.
fn keys(all: &[&str]) -> DeclaredKeys {
    let part = |text: &str| {
        let (table, columns) = text.trim().trim_end_matches(')').split_once('(').expect("a key");
        (table.to_owned(), columns.split(',').map(|column| column.trim().to_owned()).collect::<Vec<_>>())
    };
    let mut keys = DeclaredKeys::default();
    for text in all {
        if let Some((own, target)) = text.split_once('>') {
            let ((table, columns), (to, to_columns)) = (part(own), part(target));
            keys.references.push(DeclaredReference { table, columns, to, to_columns });
        } else {
            let (table, columns) = part(text.trim_end_matches('?'));
            keys.keys.push(DeclaredKey { table, columns, is_primary: !text.ends_with('?') });
        }
    }
    keys
}

fn drafted(of: &[&str], declared: &[&str], known: &BTreeMap<String, ModelTable>, taken: &[&str]) -> Draft {
    let (tables, keys) = (tables(of), keys(declared));
    let taken = taken.iter().map(|&name| name.to_owned()).collect();
    draft(&DraftInput { kind: SourceKind::Postgres, tables: &tables, keys: &keys, known, taken: &taken })
}

fn plainly(of: &[&str], declared: &[&str]) -> Draft {
    drafted(of, declared, &BTreeMap::new(), &[])
}

/// A table's proposals in one line.
fn told(draft: &Draft, table: &str) -> String {
    let own = &draft.tables[table];
    let guessed = if own.is_key_guessed { "?" } else { "" };
    let references: Vec<String> = own.references.iter().map(|(column, to)| format!("{column}>{to}")).collect();
    let measure = |(name, measure): (&String, &Measure)| {
        let aggregate = serde_json::to_value(measure.aggregate).expect("JSON");
        format!("{name}={}({})", aggregate.as_str().expect("a name"), measure.of.as_deref().unwrap_or_default())
    };
    let measures: Vec<String> = own.measures.iter().map(measure).collect();
    format!(
        "{}{guessed} | {} | {} | {}",
        own.key.join("+"),
        references.join(" "),
        own.time.as_deref().unwrap_or_default(),
        measures.join(" ")
    )
}

fn notes(draft: &Draft) -> String {
    draft.notes.iter().map(|note| format!("{}: {}. {}.\n", note.at, note.why, note.advice)).collect()
}

#[test]
fn declared_keys_are_taken_without_a_word() {
    let draft = plainly(
        &["customers(nr, code text)", "orders(id, customer_nr, amount, placed_on date)"],
        &["customers(nr)", "customers(code)?", "orders(id)", "orders(customer_nr) > customers(nr)"],
    );
    assert_eq!(told(&draft, "customers"), "nr |  |  | customers=count()");
    assert_eq!(told(&draft, "orders"), "id | customer_nr>customers.nr | placed_on | amount=sum(amount) orders=count()");
    assert_eq!(notes(&draft), "");
}

#[test]
fn keys_are_guessed_by_their_names() {
    for (table, key) in [
        ("orders(id, x)", "id?"),
        ("orders(order_id)", "order_id?"),
        ("orders(orders_id)", "orders_id?"),
        ("Orders(OrderID)", "OrderID?"),
        ("orders(orderid)", "orderid?"),
        ("sales.dim_customer(customer_key text)", "customer_key?"),
        ("categories(category_id)", "category_id?"),
        ("addresses(address_id)", "address_id?"),
        ("order_lines(order_line_id, order_id)", "order_line_id?"),
        ("orders(ID, order_id)", "ID?"),
        ("orders(customer_id)", ""),
        ("orders(id date)", ""),
        ("orders(identity)", ""),
    ] {
        let draft = plainly(&[table], &[]);
        let name = table.split_once('(').expect("a name").0;
        assert_eq!(told(&draft, name).split(" |").next(), Some(key), "{table}");
        assert_eq!(notes(&draft).contains("is guessed;"), !key.is_empty(), "{table}");
    }
}

#[test]
fn a_unique_column_is_a_key_if_it_is_called_like_one() {
    for (declared, key) in [
        (&["users(email)?"][..], "id?"),
        (&["users(email)?", "users(uuid)?"], "uuid"),
        (&["users(uuid)?", "users(user_id)?"], "user_id"),
        (&["users(gone)", "users(email)?"], "id?"),
        (&["users(user_id, email)"], "user_id+email"),
    ] {
        let draft = plainly(&["users(id, user_id, email text, uuid text)"], declared);
        assert_eq!(told(&draft, "users").split(" |").next(), Some(key), "{declared:?}");
    }
}

#[test]
fn references_are_guessed_where_one_table_fits() {
    for (of, column, to) in [
        (&["orders(id, customer_id)", "customers(id)"][..], "customer_id", Some("customers.id")),
        (&["orders(id, customer_id)", "customers(customer_id)"], "customer_id", Some("customers.customer_id")),
        (&["orders(id, CustomerId)", "Customer(Id)"], "CustomerId", Some("Customer.Id")),
        (&["orders(id, categoryid)", "categories(id)"], "categoryid", Some("categories.id")),
        (&["orders(id, address_key)", "addresses(address_key)"], "address_key", Some("addresses.address_key")),
        (&["f(id, customer_key)", "dw.dim_customer(customer_key)"], "customer_key", Some("dw.dim_customer.customer_key")),
        // Of another type, of no key, of two tables, of itself.
        (&["orders(id, customer_id text)", "customers(id)"], "customer_id", None),
        (&["orders(id, customer_id)", "customers(name text)"], "customer_id", None),
        (&["orders(id, customer_id)", "customers(id)", "dim_customer(id)"], "customer_id", None),
        (&["orders(id, order_id)", "lines(id)"], "order_id", None),
        (&["orders(id, country_code)", "countries(id)"], "country_code", None),
        (&["orders(id, customer)", "customers(id)"], "customer", None),
    ] {
        let draft = plainly(of, &[]);
        let table = of[0].split_once('(').expect("a name").0;
        assert_eq!(draft.tables[table].references.get(column).map(String::as_str), to, "{of:?}");
        assert_eq!(notes(&draft).contains("is guessed by the names"), to.is_some(), "{of:?}");
    }
    let two = plainly(&["orders(id, customer_id)", "customers(id)", "dim_customer(id)"], &[]);
    assert!(notes(&two).contains("may refer to customers.id or dim_customer.id"), "{}", notes(&two));
    // Their keys do not refer to each other.
    let twins = plainly(&["a(customer_id)", "b(customer_id)"], &["a(customer_id)", "b(customer_id)"]);
    assert!(twins.tables.values().all(|table| table.references.is_empty()), "{twins:?}");
}

#[test]
fn foreign_keys_that_no_join_can_follow_leave_notes() {
    let draft = plainly(
        &["orders(id, region, code, branch, gone)", "customers(id, code)", "branches(region, branch)"],
        &[
            "orders(id)",
            "customers(id)",
            "customers(code)?",
            "branches(region, branch)",
            "orders(code) > customers(code)",
            "orders(region, branch) > branches(region, branch)",
            "orders(gone) > hidden(id)",
            "orders(away) > customers(id)",
        ],
    );
    assert_eq!(told(&draft, "orders"), "id |  |  | orders=count()");
    assert_eq!(told(&draft, "branches"), "region+branch |  |  | branches=count()");
    let notes = notes(&draft);
    for part in [
        "customers.code, which is not the key",
        "(region, branch) to branches has several columns",
        "hidden, which is not listed",
    ] {
        assert!(notes.contains(part), "{part}: {notes}");
    }
    assert_eq!(draft.notes.len(), 3, "a hidden column is not named: {notes}");
}

#[test]
fn names_differ_in_case_as_some_databases_write_them() {
    let draft = plainly(
        &["Customers(Id)", "orders(ID, customer)"],
        &["Customers(ID)", "orders(id)", "orders(Customer) > customers(id)"],
    );
    assert_eq!(told(&draft, "orders"), "ID | customer>Customers.Id |  | orders=count()");
}

#[test]
fn a_second_way_by_guessing_is_told() {
    let of = ["orders(id, customer_id, region_id)", "customers(id, region_id)", "regions(id)"];
    let draft = plainly(&of, &["orders(id)", "customers(id)", "regions(id)"]);
    assert!(
        notes(&draft).contains("tables.orders: several ways lead to regions: customer_id.region_id and region_id"),
        "{}",
        notes(&draft)
    );
    let ring = plainly(&["eggs(id, hen_id)", "hens(id, egg_id)"], &["eggs(id)", "hens(id)"]);
    assert_eq!(
        (told(&ring, "eggs"), told(&ring, "hens")),
        ("id | hen_id>hens.id |  | eggs=count()".into(), "id | egg_id>eggs.id |  | hens=count()".into())
    );
}

#[test]
fn the_time_is_when_a_row_happened() {
    for (table, time) in [
        ("orders(id, note text)", None),
        ("people(id, birthday date)", Some("birthday")),
        ("orders(updated_at moment, created_at moment, order_date date, shipped_at moment)", Some("order_date")),
        ("orders(created_at moment, ordered_at moment)", Some("ordered_at")),
        ("shipments(created_at moment, shipped_at moment)", Some("shipped_at")),
        ("order_lines(created_at moment, order_line_date date)", Some("order_line_date")),
        ("jobs(created_at moment, job_day date)", Some("job_day")),
        ("visits(created_at moment, day date)", Some("day")),
        ("events(loaded_at moment, occurred_at moment)", Some("occurred_at")),
        ("visits(shipped moment, created_at moment)", Some("created_at")),
        ("visits(updated_at moment, shipped moment)", Some("shipped")),
    ] {
        let draft = plainly(&[table], &[]);
        let name = table.split_once('(').expect("a name").0;
        assert_eq!(draft.tables[name].time.as_deref(), time, "{table}");
        assert_eq!(
            notes(&draft).contains("the table has more dates"),
            table.matches(" date").count() + table.matches(" moment").count() > 1
        );
    }
}

#[test]
fn what_the_project_says_is_not_proposed_again() {
    let model = |json: serde_json::Value| serde_json::from_value::<TableModel>(json).expect("a model");
    let orders = ModelTable {
        references: BTreeMap::from([(
            "customer_id".to_owned(),
            crate::Reference { table: "people".into(), column: "id".into() },
        )]),
        model: model(serde_json::json!({"key": "nr", "time": "paid_on", "measures": {
            "revenue": {"aggregate": "sum", "of": "\"amount\"", "where": "paid"}, "n": {"aggregate": "count"},
            "tax_twice": {"aggregate": "sum", "of": "tax * 2"}}})),
        ..ModelTable::default()
    };
    let known = BTreeMap::from([("orders".to_owned(), orders)]);
    let of = [
        "orders(id, nr, customer_id, amount, tax, order_date date, paid_on date)",
        "customers(id)",
        "lines(id, order_id)",
        "bills(id, order_nr)",
    ];
    let draft =
        drafted(&of, &["orders(id)", "customers(id)", "lines(order_id) > orders(id)"], &known, &["revenue", "n", "tax"]);
    assert_eq!(told(&draft, "orders"), " |  |  | order_tax=sum(tax)");
    assert_eq!(told(&draft, "lines"), "id? |  |  | lines=count()");
    assert!(notes(&draft).contains("it refers to orders.id, which is not the key of orders"), "{}", notes(&draft));
}

#[test]
fn a_key_that_is_taken_back_takes_its_references_along() {
    let (tables, keys) = (tables(&["orders(id, customer_id)", "customers(id)"]), keys(&["orders(id)"]));
    let (known, taken) = (BTreeMap::new(), BTreeSet::new());
    let input = DraftInput { kind: SourceKind::Postgres, tables: &tables, keys: &keys, known: &known, taken: &taken };
    let mut draft = draft(&input);
    draft.drop_keys(&input, &[("customers".to_owned(), "3 values of id are each on several rows".to_owned())]);
    assert_eq!(told(&draft, "customers"), " |  |  | customers=count()");
    assert_eq!(told(&draft, "orders"), "id |  |  | orders=count()");
    let notes = notes(&draft);
    assert!(notes.contains("tables.customers.key: 3 values of id are each on several rows. Declare `key: id`"), "{notes}");
    assert!(notes.contains("customer_id.references: customers has no key") && !notes.contains("guessed"), "{notes}");
}

#[test]
fn a_way_that_is_taken_back_is_told_no_more() {
    let of = ["orders(id, customer_id, region_id)", "customers(id, region_id)", "regions(id)"];
    let (tables, keys) = (tables(&of), keys(&["orders(id)", "regions(id)"]));
    let (known, taken) = (BTreeMap::new(), BTreeSet::new());
    let input = DraftInput { kind: SourceKind::Postgres, tables: &tables, keys: &keys, known: &known, taken: &taken };
    let mut draft = draft(&input);
    assert_eq!(notes(&draft).matches("several ways").count(), 1);
    draft.drop_keys(&input, &[]);
    assert_eq!(notes(&draft).matches("several ways").count(), 1);
    draft.drop_keys(&input, &[("customers".to_owned(), "it repeats".to_owned())]);
    assert_eq!(notes(&draft).matches("several ways").count(), 0, "{}", notes(&draft));
}

#[test]
fn the_projects_own_references_are_never_contradicted() {
    let reference =
        |column: &str, to: &str| BTreeMap::from([(column.to_owned(), crate::Reference::read(to).expect("a reference"))]);
    let orders = ModelTable { references: reference("customer", "customers.code"), ..ModelTable::default() };
    let known = BTreeMap::from([("orders".to_owned(), orders), ("customers".to_owned(), ModelTable::default())]);
    let of = ["orders(id, customer)", "customers(id, code, day date)", "visits(id, customer_code)"];
    // What they name is the key.
    let draft = drafted(&of, &["customers(id)", "customers(code)?"], &known, &[]);
    assert_eq!(told(&draft, "customers"), "code |  | day | customers=count()");
    assert_eq!(told(&draft, "visits"), "id? | customer_code>customers.code |  | visits=count()");
    // Unless it cannot be: then the table stays out of the model.
    let (tables, keys, taken) = (tables(&of), keys(&["customers(id)"]), BTreeSet::new());
    let input = DraftInput { kind: SourceKind::Postgres, tables: &tables, keys: &keys, known: &known, taken: &taken };
    let mut draft = super::draft(&input);
    assert!(draft.tables["customers"].is_key_guessed);
    draft.drop_keys(&input, &[("customers".to_owned(), "it repeats".to_owned())]);
    assert_eq!(draft.tables["customers"], TableDraft::default());
    assert!(draft.tables["visits"].references.is_empty() && !draft.tables["orders"].measures.is_empty());
    assert!(
        notes(&draft).contains("tables.customers: it is left out: orders.customer refers to customers.code"),
        "{}",
        notes(&draft)
    );
    // A key that the project says stays.
    let customers = ModelTable {
        model: serde_json::from_value(serde_json::json!({"key": "id"})).expect("a model"),
        ..ModelTable::default()
    };
    let known = BTreeMap::from([("orders".to_owned(), known["orders"].clone()), ("customers".to_owned(), customers)]);
    let draft = drafted(&of, &[], &known, &[]);
    assert_eq!(
        (told(&draft, "orders").as_str(), told(&draft, "customers").as_str()),
        ("id? |  |  | ", " |  | day | customers=count()")
    );
}
