//! The chart's query: a question about a table, SQL, or the stored query.

use super::{
    Builder,
    built::Query,
    field::{Choice, bare_select, group, line, select},
    kinds,
};
use crate::ui::effect::effect;
use crate::{
    browser::sql,
    edit::filters::condition,
    ui::part::{IntoPart, IntoParts, Part},
};
use inlay_contract::{
    chart::{
        definition::ChartType,
        question::{Aggregate, Dimension, Grain, Measure, Order, Question},
    },
    data::ColumnType,
    edit::{OfferedColumn, OfferedTable},
    permissions::Flag,
};
use leptos::{html, prelude::*, task::spawn_local};
use send_wrapper::SendWrapper;
use web_sys::HtmlTextAreaElement;

/// The form for a kind of query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Text,
    Asked,
    Written,
    Kept,
}

/// The query's section of the form.
pub fn source(builder: Builder) -> Part {
    let form = Memo::new(move |_| {
        builder.built.with(|built| match built.query {
            _ if built.kind == ChartType::Text => Form::Text,
            Query::Asked(_) => Form::Asked,
            Query::Written(_) => Form::Written,
            Query::Kept => Form::Kept,
        })
    });
    let shown = move || match form.get() {
        Form::Text => text(builder),
        Form::Asked => view! { {ways(builder)} {asked(builder)} }.part(),
        Form::Written => view! { {ways(builder)} {written(builder)} {parts(builder)} }.part(),
        Form::Kept => view! {
            {ways(builder)}
            <p class="field-note">"This chart has its own query. Choose how the chart uses each column."</p>
            {parts(builder)}
        }
        .part(),
    };
    view! { <div class="builder-query">{shown}</div> }.part()
}

/// The Markdown of a text chart.
fn text(builder: Builder) -> Part {
    let markdown = builder.built.with_untracked(|built| built.encoding.markdown.clone()).unwrap_or_default();
    let set = move |text: String| builder.change(|built| built.encoding.markdown = Some(text));
    view! {
        <label class="field">
            <span class="filter-label">"Text"</span>
            <textarea class="control" rows="8" prop:value=markdown on:input=move |event| set(event_target_value(&event)) />
        </label>
    }
    .part()
}

/// The choice between table and SQL, for viewers who may write SQL.
fn ways(builder: Builder) -> Part {
    let writes = builder.editor.allows(Flag::CreateChartSql);
    let is_written = move || builder.built.with(|built| matches!(built.query, Query::Written(_)));
    let is_asked = move || builder.built.with(|built| matches!(built.query, Query::Asked(_)));
    if !writes && untrack(is_asked) {
        return ().part();
    }
    let ask = move |_| {
        let first = builder.sources.with_untracked(|sources| {
            sources.iter().find_map(|source| Some((source.connection, source.tables.first()?.name.clone())))
        });
        if let Some((connection, table)) = first.filter(|_| !untrack(is_asked)) {
            builder.choose_table(connection, &table);
        }
    };
    let write = move |_| {
        if !untrack(is_written) {
            builder.change(|built| built.query = Query::Written(String::new()));
        }
    };
    view! {
        <div class="segments" role="group" aria-label="Data source">
            <button type="button" aria-pressed=move || is_asked().to_string() on:click=ask>"From a table"</button>
            {writes.then(|| view! {
                <button type="button" aria-pressed=move || is_written().to_string() on:click=write>"SQL"</button>
            })}
        </div>
    }
    .part()
}

/// The SQL form.
fn written(builder: Builder) -> Part {
    let sql = builder.built.with_untracked(|built| match &built.query {
        Query::Written(sql) => sql.clone(),
        Query::Asked(_) | Query::Kept => String::new(),
    });
    let connections: Vec<Choice> = builder
        .sources
        .with_untracked(|sources| sources.iter().map(|source| (source.connection.to_string(), source.name.clone())).collect());
    let connection = move || builder.built.with(|built| built.connection.map(|id| id.to_string()).unwrap_or_default());
    let choose = move |chosen: String| builder.change(|built| built.connection = chosen.parse().ok());
    let is_new = builder.built.with_untracked(|built| built.base == super::built::Base::New);
    let several = is_new && connections.len() > 1;
    let area = NodeRef::<html::Textarea>::new();
    let write = move |sql: String| builder.change(|built| built.query = Query::Written(sql));
    effect(move || {
        if let Some(area) = area.get() {
            with_completion(builder, area, write);
        }
    });
    view! {
        {several.then(|| select("Connection", connections, connection, choose))}
        <div class="field">
            <label class="filter-label" for="builder-sql">"SQL"</label>
            <textarea
                id="builder-sql"
                class="control code"
                node_ref=area
                rows="9"
                spellcheck="false"
                autocomplete="off"
                aria-label="SQL"
                prop:value=sql
                on:input=move |event| write(event_target_value(&event))
            />
        </div>
    }
    .part()
}

/// Replaces the text area with the SQL editor once that is loaded. It completes with the chosen connection's tables.
fn with_completion(builder: Builder, area: HtmlTextAreaElement, write: impl Fn(String) + Copy + 'static) {
    let mounted = StoredValue::new(None::<SendWrapper<sql::Field>>);
    let source = move || {
        let connection = builder.built.with(|built| built.connection);
        builder.sources.with(|sources| sources.iter().find(|source| Some(source.connection) == connection).cloned())
    };
    spawn_local(async move {
        // If it does not load, the text area stays.
        let Ok(field) = sql::mount(&area, untrack(source).as_ref(), write).await else { return };
        // The builder may be closed by now.
        let _ = mounted.try_update_value(|kept| *kept = Some(SendWrapper::new(field)));
    });
    let offered = Memo::new(move |_| source());
    effect(move || {
        let source = offered.get();
        mounted.with_value(|field| field.as_ref().map(|field| field.of_source(source.as_ref())));
    });
    on_cleanup(move || {
        mounted.try_with_value(|field| field.as_ref().map(|field| field.dispose()));
    });
}

/// The select for the column of each part.
fn parts(builder: Builder) -> Part {
    let known = Memo::new(move |_| builder.built.with(|built| (built.kind, built.columns.clone())));
    let fields = move || {
        let (kind, columns) = known.get();
        kinds::parts(kind).into_iter().map(|part| part_field(builder, part, &columns)).parts()
    };
    view! { <div class="builder-parts">{fields}</div> }.part()
}

fn part_field(builder: Builder, part: kinds::Part, columns: &[String]) -> Part {
    let chosen = builder.built.with_untracked(|built| built.part(part.name));
    if part.many {
        let boxes = columns.iter().map(|column| {
            let (column, is_on) = (column.clone(), chosen.contains(column));
            let name = column.clone();
            super::field::switch(&name, is_on, move |on| {
                builder.change(|built| {
                    let mut now = built.part(part.name);
                    now.retain(|other| *other != column);
                    if on {
                        now.push(column.clone());
                    }
                    built.set_part(part, now);
                });
            })
        });
        let boxes = boxes.parts();
        return view! { <fieldset class="field"><legend class="filter-label">{part.label}</legend>{boxes}</fieldset> }.part();
    }
    let none = (String::new(), "–".to_owned());
    let choices = std::iter::once(none).chain(columns.iter().map(|column| (column.clone(), column.clone()))).collect();
    let now = chosen.into_iter().next().unwrap_or_default();
    let set = move |column: String| {
        let columns = if column.is_empty() { Vec::new() } else { vec![column] };
        builder.change(|built| built.set_part(part, columns));
    };
    view! {
        <div class="field">
            <span class="filter-label" aria-hidden="true">{part.label}</span>
            {bare_select(part.label, choices, now, set)}
        </div>
    }
    .part()
}

/// The form for a question about a table.
fn asked(builder: Builder) -> Part {
    let tables: Vec<Choice> = builder.sources.with_untracked(|sources| {
        let of = |source: &inlay_contract::edit::OfferedSource| {
            let connection = source.connection;
            let key = move |table: &OfferedTable| (format!("{connection} {}", table.name), table.label.clone());
            source.tables.iter().map(key).collect::<Vec<_>>()
        };
        sources.iter().flat_map(of).collect()
    });
    let table = move || {
        let connection = builder.built.with(|built| built.connection);
        connection.zip(builder.question()).map(|(id, question)| format!("{id} {}", question.table)).unwrap_or_default()
    };
    let choose = move |chosen: String| {
        if let Some((connection, name)) = chosen.split_once(' ').and_then(|(id, name)| Some((id.parse().ok()?, name))) {
            builder.choose_table(connection, name);
        }
    };
    view! {
        {select("Table", tables, table, choose)}
        {move || builder.table().map(|table| lists(builder, &table))}
    }
    .part()
}

fn lists(builder: Builder, table: &OfferedTable) -> Part {
    let question = builder.question().unwrap_or_default();
    view! {
        {measures(builder, &question, table)}
        {dimensions(builder, &question, table)}
        {condition::list(builder, &question, table)}
        {order(builder, &question)}
    }
    .part()
}

fn columns(table: &OfferedTable, fits: impl Fn(&OfferedColumn) -> bool) -> Vec<Choice> {
    table.columns.iter().filter(|column| fits(column)).map(|column| (column.name.clone(), column.label.clone())).collect()
}

fn measures(builder: Builder, question: &Question, table: &OfferedTable) -> Part {
    let line_of = |(at, measure): (usize, &Measure)| {
        let how = Aggregate::OFFERED.iter().map(|how| (how.label().to_owned(), how.label().to_owned())).collect();
        let change_how = move |chosen: String| {
            let how = Aggregate::OFFERED.into_iter().find(|how| how.label() == chosen).unwrap_or(Aggregate::Count);
            builder.ask(|question| question.measures[at].aggregate = how);
        };
        let is_number = matches!(measure.aggregate, Aggregate::Sum | Aggregate::Average);
        let of = columns(table, |column| !is_number || column.kind == ColumnType::Number);
        let rows = (measure.aggregate == Aggregate::Count).then(|| (String::new(), "rows".to_owned()));
        let of: Vec<Choice> = rows.into_iter().chain(of).collect();
        let first = of.first().map(|(name, _)| name.clone()).unwrap_or_default();
        let now = measure.column.clone().unwrap_or_default();
        let fits = of.iter().any(|(name, _)| *name == now);
        let set = move |column: String| {
            let column = (!column.is_empty()).then_some(column);
            builder.ask(|question| question.measures[at].column = column);
        };
        if !fits && first != now {
            // The new aggregate does not take this column: choose the first that fits.
            request_animation_frame(move || set(first));
        }
        let content = view! {
            {bare_select("Value", how, measure.aggregate.label().to_owned(), change_how)}
            {bare_select("Of", of, now, set)}
        };
        line(content.part(), "value", move || builder.ask(|question| drop(question.measures.remove(at))))
    };
    let rows = question.measures.iter().enumerate().map(line_of).collect();
    let free = free_measure(question, table);
    group("Values", rows, "Add value", move || builder.ask(|question| question.measures.push(free.clone())))
}

/// A measure that the question does not have yet.
fn free_measure(question: &Question, table: &OfferedTable) -> Measure {
    let count = Measure::count();
    let numbers = table.columns.iter().filter(|column| column.kind == ColumnType::Number);
    let sums = numbers.map(|column| Measure::of(Aggregate::Sum, &*column.name));
    let all: Vec<Measure> = std::iter::once(count.clone()).chain(sums).collect();
    all.into_iter().find(|measure| !question.measures.contains(measure)).unwrap_or(count)
}

const fn is_day(kind: ColumnType) -> bool {
    matches!(kind, ColumnType::Date | ColumnType::Timestamp)
}

fn dimensions(builder: Builder, question: &Question, table: &OfferedTable) -> Part {
    let line_of = |(at, dimension): (usize, &Dimension)| {
        let column = table.columns.iter().find(|column| column.name == dimension.column);
        let days = column.is_some_and(|column| is_day(column.kind) || dimension.grain.is_some());
        let kinds: Vec<(String, ColumnType)> = table.columns.iter().map(|column| (column.name.clone(), column.kind)).collect();
        let set = move |name: String| {
            let days = kinds.iter().any(|(column, kind)| *column == name && is_day(*kind));
            let grain = days.then_some(Grain::Month);
            builder.ask(|question| question.dimensions[at] = Dimension { grain, ..Dimension::of(name) });
        };
        let grains = days.then(|| {
            let choices = Grain::ALL.iter().map(|grain| (grain.name().to_owned(), format!("by {}", grain.name()))).collect();
            let now = dimension.grain.map_or("", Grain::name).to_owned();
            bare_select("Period", choices, now, move |chosen| {
                let grain = Grain::ALL.into_iter().find(|grain| grain.name() == chosen);
                builder.ask(|question| question.dimensions[at].grain = grain);
            })
        });
        let content = view! { {bare_select("Group", columns(table, |_| true), dimension.column.clone(), set)} {grains} };
        line(content.part(), "group", move || builder.ask(|question| drop(question.dimensions.remove(at))))
    };
    let rows = question.dimensions.iter().enumerate().map(line_of).collect();
    let taken: Vec<String> = question.dimensions.iter().map(|dimension| dimension.column.clone()).collect();
    let free = table.columns.iter().find(|column| column.kind != ColumnType::Number && !taken.contains(&column.name));
    let free = free.or_else(|| table.columns.iter().find(|column| !taken.contains(&column.name)));
    let free =
        free.map(|column| Dimension { grain: is_day(column.kind).then_some(Grain::Month), ..Dimension::of(&*column.name) });
    group("Grouped by", rows, "Add group", move || {
        if let Some(free) = free.clone() {
            builder.ask(|question| question.dimensions.push(free));
        }
    })
}

fn order(builder: Builder, question: &Question) -> Part {
    let usual = (String::new(), "Default order".to_owned());
    let both = |name: &String| {
        [(format!("+{name}"), format!("{name}, lowest first")), (format!("-{name}"), format!("{name}, highest first"))]
    };
    let choices = std::iter::once(usual).chain(question.columns().iter().flat_map(both)).collect();
    let now = question
        .sort
        .as_ref()
        .map(|order| format!("{}{}", if order.descending { '-' } else { '+' }, order.by))
        .unwrap_or_default();
    let set = move |chosen: String| {
        let descending = chosen.starts_with('-');
        let by = chosen.get(1..).filter(|by| !by.is_empty()).map(str::to_owned);
        builder.ask(|question| question.sort = by.map(|by| Order { by, descending }));
    };
    let limit = question.limit.map(|limit| limit.to_string()).unwrap_or_default();
    let set_limit =
        move |text: String| builder.ask(|question| question.limit = text.trim().parse().ok().filter(|limit| *limit > 0));
    view! {
        <div class="builder-line">
            <div class="field">
                <span class="filter-label" aria-hidden="true">"Order"</span>
                {bare_select("Order", choices, now, set)}
            </div>
            <label class="field builder-limit">
                <span class="filter-label">"Row limit"</span>
                <input
                    class="control"
                    type="number"
                    min="1"
                    placeholder="1000"
                    value=limit
                    on:change=move |event| set_limit(event_target_value(&event))
                />
            </label>
        </div>
    }
    .part()
}
