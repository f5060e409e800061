//! A query in SQL.

use super::{
    Builder,
    built::{Base, Query},
    field::{Choice, select},
};
use crate::{
    browser::sql,
    ui::{
        effect::effect,
        part::{IntoPart, Part},
    },
};
use leptos::{html, prelude::*, task::spawn_local};
use send_wrapper::SendWrapper;
use web_sys::HtmlTextAreaElement;

/// The SQL form.
pub fn written(builder: Builder) -> Part {
    let sql = builder.built.with_untracked(|built| match &built.query {
        Query::Written(sql) => sql.clone(),
        Query::Asked(_) | Query::Modelled(_) | Query::Kept => String::new(),
    });
    let connections: Vec<Choice> = builder
        .sources
        .with_untracked(|sources| sources.iter().map(|source| (source.connection.to_string(), source.name.clone())).collect());
    let connection = move || builder.built.with(|built| built.connection.map(|id| id.to_string()).unwrap_or_default());
    let choose = move |chosen: String| builder.change(|built| built.connection = chosen.parse().ok());
    let is_new = builder.built.with_untracked(|built| built.base == Base::New);
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
