//! The chart builder: the form on the left, a preview on the right that updates after every change.

pub mod built;
pub mod field;
mod fit;
pub mod kinds;
mod largest;
mod look;
mod mend;
mod model;
mod opening;
mod order;
mod preview;
pub mod query;
mod question;
mod rest;
mod search;
mod sql;
mod steady;
mod types;

use super::Editor;
use crate::{
    calls::edit,
    ui::{
        dialog::Dialog,
        effect::effect,
        part::{IntoPart, Part},
    },
};
use built::{Base, Built, Query};
use inlay_contract::{
    chart::question::Question,
    edit::{ChartEdit, OfferedSource, OfferedTable},
    ids::{ChartId, ConnectionId},
    model::{ModelQuery, OfferedModel},
    permissions::Flag,
};
use leptos::{prelude::*, task::spawn_local};
use serde_json::Value;
use steady::Steady;

/// A way to say what a chart shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Measures and dimensions of the semantic model.
    Model,
    /// A question about a table.
    Table,
    /// SQL.
    Sql,
}

impl Way {
    /// All, in the order of the form, with their labels.
    pub const ALL: [(Self, &'static str); 3] = [(Self::Model, "Measures"), (Self::Table, "Table"), (Self::Sql, "SQL")];

    /// The way of a query. `None` for a stored one.
    #[must_use]
    pub const fn of(query: &Query) -> Option<Self> {
        match query {
            Query::Modelled(_) => Some(Self::Model),
            Query::Asked(_) => Some(Self::Table),
            Query::Written(_) => Some(Self::Sql),
            Query::Kept => None,
        }
    }
}

/// The state of the builder. Provided as context.
#[derive(Clone, Copy)]
pub struct Builder {
    /// The dashboard's editor.
    pub editor: Editor,
    /// The chart.
    pub built: RwSignal<Built>,
    /// The tables that the viewer may use.
    pub sources: RwSignal<Vec<OfferedSource>>,
    /// Why the tables could not be loaded.
    pub problem: RwSignal<Option<String>>,
    /// Whether the chart to edit has been loaded.
    pub ready: RwSignal<bool>,
    /// The chart's key on the page, if it is already there.
    key: Option<ChartId>,
}

impl Builder {
    /// The component's builder.
    #[must_use]
    pub fn here() -> Self {
        expect_context()
    }

    /// Changes the chart.
    pub fn change(self, change: impl FnOnce(&mut Built)) {
        steady::flush();
        let model = untrack(|| self.model());
        self.built.update(|built| rest::changed(built, model.as_ref(), change));
    }

    /// Sets an option of the chart, or removes it.
    pub fn set_option(self, name: &'static str, value: Option<Value>) {
        self.change(|built| {
            match value {
                Some(value) => built.options.insert(name.to_owned(), value),
                None => built.options.shift_remove(name),
            };
        });
    }

    /// Changes the chart's question.
    pub fn ask(self, change: impl FnOnce(&mut Question)) {
        self.change(|built| {
            if let Query::Asked(question) = &mut built.query {
                change(question);
            }
        });
    }

    /// The chart's question. Tracked.
    #[must_use]
    pub fn question(self) -> Option<Question> {
        self.built.with(|built| match &built.query {
            Query::Asked(question) => Some(question.clone()),
            Query::Modelled(_) | Query::Written(_) | Query::Kept => None,
        })
    }

    /// Changes the chart's query of the model. An order and conditions of columns that are gone go, too.
    pub fn mean(self, change: impl FnOnce(&mut ModelQuery)) {
        self.change(|built| {
            if let Query::Modelled(query) = &mut built.query {
                change(query);
                model::choices::tidy(query);
            }
        });
    }

    /// The chart's query of the model. Tracked.
    #[must_use]
    pub fn meaning(self) -> Option<ModelQuery> {
        self.built.with(|built| match &built.query {
            Query::Modelled(query) => Some(query.clone()),
            Query::Asked(_) | Query::Written(_) | Query::Kept => None,
        })
    }

    /// What the model of the chart's connection offers. Tracked.
    #[must_use]
    pub fn model(self) -> Option<OfferedModel> {
        let connection = self.built.with(|built| built.connection)?;
        self.sources.with(|sources| sources.iter().find(|source| source.connection == connection)?.model.clone())
    }

    /// Whether the chart can be asked of a connection. A stored chart keeps its own.
    #[must_use]
    pub fn is_open_to(self, source: &OfferedSource) -> bool {
        self.built.with_untracked(|built| built.base == Base::New || built.connection == Some(source.connection))
    }

    /// Whether the viewer has a way for this chart.
    #[must_use]
    pub fn has(self, way: Way) -> bool {
        let has = |fits: fn(&OfferedSource) -> bool| {
            self.sources.with_untracked(|sources| sources.iter().any(|source| self.is_open_to(source) && fits(source)))
        };
        match way {
            Way::Model => has(|source| source.model.is_some()),
            Way::Table => has(|source| !source.tables.is_empty()),
            Way::Sql => self.editor.allows(Flag::CreateChartSql),
        }
    }

    /// Starts a new query: of the chosen connection if it has what the way needs, otherwise of the first that has.
    pub fn begin(self, way: Way) {
        let chosen = self.built.with_untracked(|built| built.connection);
        let fits = |source: &&OfferedSource| match way {
            Way::Model => source.model.is_some(),
            Way::Table => !source.tables.is_empty(),
            Way::Sql => true,
        };
        let started = self.sources.with_untracked(|sources| {
            let open = || sources.iter().filter(|source| self.is_open_to(source)).filter(fits);
            let source = open().find(|source| Some(source.connection) == chosen).or_else(|| open().next())?;
            let query = match way {
                Way::Model => Query::Modelled(opening::modelled(source.model.as_ref()?)),
                Way::Table => Query::Asked(opening::asked(opening::main_table(source)?)),
                Way::Sql => Query::Written(String::new()),
            };
            Some((source.connection, query))
        });
        if let Some((connection, query)) = started {
            self.change(|built| (built.connection, built.query) = (Some(connection), query));
        }
    }

    /// The table of the chart's question. Tracked.
    #[must_use]
    pub fn table(self) -> Option<OfferedTable> {
        let (connection, name) = (self.built.with(|built| built.connection)?, self.question()?.table);
        self.sources.with(|sources| table_of(sources, connection, &name).cloned())
    }

    /// Starts a new question about another table.
    pub fn choose_table(self, connection: ConnectionId, name: &str) {
        let question = self.sources.with_untracked(|sources| table_of(sources, connection, name).map(opening::asked));
        if let Some(question) = question {
            self.change(|built| (built.connection, built.query) = (Some(connection), Query::Asked(question)));
        }
    }

    /// Loads the tables, and the chart if the page does not have it.
    fn load(self) {
        if self.is_on_the_server() {
            return self.problem.set(Some("Save the dashboard before you edit this chart.".to_owned()));
        }
        spawn_local(async move {
            let target = self.editor.target();
            match edit::offered_tables(target.clone()).await {
                Ok(sources) => self.offer(sources),
                Err(refusal) => return drop(self.problem.try_set(Some(refusal.0.message))),
            }
            let Some(wanted) = self.wanted() else {
                let _ = self.ready.try_set(true);
                return;
            };
            match edit::open_chart(target, wanted.1).await {
                Ok(chart) => {
                    let base = self.built.try_with_untracked(|built| built.base).unwrap_or(Base::New);
                    let found = Built::of(base, chart.connection, *chart.definition, chart.columns);
                    let _ = self.built.try_update(|built| match wanted.0 {
                        Wanted::Everything => *built = found,
                        // The draft's own definition is newer. Only the columns come from the stored chart.
                        Wanted::Columns => (built.connection, built.columns) = (found.connection, found.columns),
                    });
                    let _ = self.ready.try_set(true);
                }
                Err(refusal) => drop(self.problem.try_set(Some(refusal.0.message))),
            }
        });
    }

    /// What the page lacks of a stored chart.
    fn wanted(self) -> Option<(Wanted, ChartId)> {
        let edit = self.editor.tile(self.key?)?.chart;
        match edit {
            ChartEdit::Kept { chart } | ChartEdit::Picked { chart, definition: None } => Some((Wanted::Everything, chart)),
            ChartEdit::Changed { chart, .. } | ChartEdit::Picked { chart, .. } => Some((Wanted::Columns, chart)),
            ChartEdit::Made { .. } | ChartEdit::Restored { .. } | ChartEdit::Described { .. } => None,
        }
    }

    /// Whether only the server knows the chart's query: it was created from a description, or brought back by an undo, and is not
    /// saved yet.
    fn is_on_the_server(self) -> bool {
        let tile = self.key.and_then(|key| self.editor.tile(key));
        tile.is_some_and(|tile| matches!(tile.chart, ChartEdit::Described { .. } | ChartEdit::Restored { .. }))
    }

    /// Stores what the viewer can choose. A new chart starts with the model, where there is one.
    fn offer(self, sources: Vec<OfferedSource>) {
        if self.sources.try_set(sources).is_some() || self.key.is_some() {
            return;
        }
        if let Some(way) = [Way::Model, Way::Table].into_iter().find(|way| self.has(*way)) {
            self.begin(way);
        }
    }

    /// Adds the chart to the dashboard.
    fn finish(self) {
        steady::flush();
        let built = self.built.get_untracked();
        let Some(edit) = built.edit() else { return };
        self.editor.close();
        match self.key {
            Some(key) => self.editor.replace(key, built.face(), edit),
            None => self.editor.add(built.face(), edit, built.kind.size()),
        }
    }
}

fn table_of<'a>(sources: &'a [OfferedSource], connection: ConnectionId, name: &str) -> Option<&'a OfferedTable> {
    let source = sources.iter().find(|source| source.connection == connection)?;
    source.tables.iter().find(|table| table.name == name)
}

/// What the builder loads of a stored chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Everything,
    Columns,
}

/// The builder's dialog, for a new chart or for one of the page.
pub fn dialog(editor: Editor, key: Option<ChartId>) -> Part {
    let builder = Builder {
        editor,
        built: RwSignal::new(first(editor, key)),
        sources: RwSignal::new(Vec::new()),
        problem: RwSignal::new(None),
        ready: RwSignal::new(false),
        key,
    };
    provide_context(builder);
    builder.load();
    let content = move || match (builder.problem.get(), builder.ready.get()) {
        (Some(problem), _) => view! { <p class="select-note" role="alert">{problem}</p> }.part(),
        (None, false) => view! { <p class="select-note" role="status">"Loading…"</p> }.part(),
        (None, true) => form(builder),
    };
    let (label, submit) = if key.is_some() { ("Edit chart", "Apply") } else { ("New chart", "Add to dashboard") };
    let unfit = move || !builder.ready.get() || builder.built.with(|built| built.misfit().is_some());
    let buttons = view! {
        <button type="button" class="button" on:click=move |_| editor.close()>"Cancel"</button>
        <button type="button" class="button button-main" disabled=unfit on:click=move |_| builder.finish()>{submit}</button>
    };
    let close = Callback::new(move |()| editor.close());
    view! { <Dialog label=label.to_owned() form="full" close content=content.part() buttons=buttons.part() /> }.part()
}

/// The chart as far as the page knows it.
fn first(editor: Editor, key: Option<ChartId>) -> Built {
    let Some(tile) = key.and_then(|key| editor.tile(key)) else { return Built::new() };
    let base = |chart| Built { base: chart, ..Built::new() };
    match tile.chart {
        ChartEdit::Kept { chart } => base(Base::Standing(chart)),
        ChartEdit::Picked { chart, definition: None } => base(Base::Library(chart)),
        ChartEdit::Made { connection, definition } => Built::of(Base::New, connection, *definition, Vec::new()),
        ChartEdit::Described { .. } | ChartEdit::Restored { .. } => Built::new(),
        ChartEdit::Changed { chart, definition } => unplaced(Base::Standing(chart), *definition),
        ChartEdit::Picked { chart, definition: Some(definition) } => unplaced(Base::Library(chart), *definition),
    }
}

/// A changed chart whose connection still has to be loaded.
fn unplaced(base: Base, definition: inlay_contract::chart::definition::ChartDefinition) -> Built {
    let nowhere = ConnectionId(Default::default());
    Built { connection: None, ..Built::of(base, nowhere, definition, Vec::new()) }
}

fn form(builder: Builder) -> Part {
    let node = NodeRef::new();
    let steady = Steady::of(node);
    effect(move || {
        builder.built.track();
        steady.restore();
    });
    view! {
        <div class="builder">
            <div
                class="builder-form"
                node_ref=node
                on:pointerdown=|_| steady::mouse_down()
                on:focusin=move |event| steady.came(&event)
                on:focusout=move |event| steady.left(&event)
                on:keydown=move |event| steady.pressed(&event)
            >
                {look::title(builder)}
                {types::choice(builder)}
                {query::source(builder)}
                {look::options(builder)}
            </div>
            <div class="builder-preview">{preview::preview(builder)}</div>
        </div>
    }
    .part()
}
