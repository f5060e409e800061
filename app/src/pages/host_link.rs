//! Messages about the open dashboard: its filters, its charts, its errors.

use crate::ui::effect::effect;
use crate::{
    browser::{address, beacon, parent},
    calls::{client, embed},
    filters::query,
    frame::{content::Resumed, host::Host},
    tile::board::Board,
};
use inlay_contract::{
    filter::OMNIBAR,
    frame::message::{ErrorCode, Out, Source},
    ids::DashboardId,
};
use leptos::{prelude::*, task::spawn_local};

/// The link between the host and the open dashboard.
#[derive(Clone, Copy)]
pub struct HostLink {
    host: Host,
    /// The dashboard that is open.
    board: StoredValue<Option<Board>>,
    /// Its id. It outlives the board, for a page that is opened again.
    place: StoredValue<Option<DashboardId>>,
    /// The filters that the host sent while no dashboard was open.
    pending: StoredValue<Option<String>>,
    /// The filters that the host knows, as a query. At first those of the address.
    known: StoredValue<Option<String>>,
    /// When the dashboard was requested that is still loading, in milliseconds since the page began to load.
    requested: StoredValue<Option<f64>>,
    /// When the open dashboard was requested, until it is drawn.
    begun: StoredValue<Option<f64>>,
    /// Counts messages with filters, so that a late response about one is ignored after a newer one.
    heard: StoredValue<u32>,
}

impl HostLink {
    /// The page's link. Every component is below the root, which provides it.
    #[must_use]
    pub fn here() -> Self {
        expect_context()
    }

    /// The link of a page that came with its first dashboard, or takes over from another wasm.
    #[must_use]
    pub fn new(host: Host, Resumed { place, loaded, filters, pending }: Resumed) -> Self {
        Self {
            host,
            board: StoredValue::new(None),
            place: StoredValue::new(place),
            pending: StoredValue::new(pending),
            known: StoredValue::new(filters),
            requested: StoredValue::new((!loaded).then_some(0.0)),
            begun: StoredValue::new(None),
            heard: StoredValue::new(0),
        }
    }

    /// What the viewer has open.
    #[must_use]
    pub fn resumed(self) -> Resumed {
        Resumed {
            place: self.place.get_value(),
            loaded: self.requested.with_value(Option::is_none) && self.begun.with_value(Option::is_none),
            filters: Some(self.known()),
            pending: self.pending.get_value(),
        }
    }

    /// The page is requested. A dashboard that the wasm before has shown is not reported again.
    pub fn begins(self) {
        if self.board.with_value(Option::is_some) || self.requested.with_value(Option::is_some) {
            self.asks();
        }
    }

    /// Starts measuring the time until a requested dashboard is drawn.
    pub fn asks(self) {
        self.requested.set_value(Some(parent::now()));
    }

    /// A dashboard was opened: the host is told its filters, its charts, and every later change.
    pub fn watch(self, board: Board) {
        self.board.set_value(Some(board));
        effect(move || {
            self.place.set_value(Some(board.id.get()));
            let search = board.filters.with(|filters| query::write(filters.active()));
            let source = board.source.get();
            if self.known() != search {
                self.tell_filters(search, source);
            }
        });
        if let Some(requested) = self.requested.try_update_value(Option::take).flatten() {
            self.begun.set_value(Some(requested));
        }
        effect(move || {
            if let Some(charts) = board.drawn()
                && let Some(begun) = self.begun.try_update_value(Option::take).flatten()
            {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "milliseconds of a page's life")]
                let duration_ms = (parent::now() - begun).max(0.0) as u64;
                let charts = u32::try_from(charts).unwrap_or(u32::MAX);
                self.host.post(&Out::Loaded { duration_ms, charts });
                beacon::loaded(duration_ms, board.id.get_untracked());
            }
        });
        for tile in board.tiles.get_value() {
            let problem = Memo::new(move |_| tile.problem());
            effect(move || {
                if let Some(message) = problem.get() {
                    self.host.post(&Out::Error { code: ErrorCode::ChartFailed, message });
                }
            });
        }
        if let Some(search) = self.pending.try_update_value(Option::take).flatten() {
            self.set_filters(&search);
        }
    }

    /// The filters that the host knows, as a query.
    #[must_use]
    pub fn known(self) -> String {
        let of_address = || query::write(&query::read(&client::address().search).0);
        self.known.try_update_value(|known| known.get_or_insert_with(of_address).clone()).unwrap_or_default()
    }

    fn tell_filters(self, search: String, source: Source) {
        address::show_filters(&search);
        self.known.set_value(Some(search.clone()));
        self.host.post(&Out::Params { search, source });
    }

    /// Replaces all filters with the host's. The server checks filters on columns first, since only it knows the columns. A page
    /// that shows no dashboard yet keeps them for the one that opens.
    pub fn set_filters(self, search: &str) {
        let open = self.board.get_value().filter(|board| board.id.try_get_untracked().is_some());
        let Some(board) = open else { return self.pending.set_value(Some(search.to_owned())) };
        self.heard.update_value(|heard| *heard += 1);
        let number = self.heard.get_value();
        let (filters, _) = query::read(search);
        if !filters.keys().any(|key| key.starts_with(OMNIBAR)) {
            return self.replace_filters(board, search, &[]);
        }
        let Some(request) = board.asked_with(filters) else { return };
        let search = search.to_owned();
        spawn_local(async move {
            // If the server is not reachable, unknown columns are kept: a filter on one has no effect.
            let refused = embed::refused_filters(request).await.unwrap_or_default();
            if self.heard.get_value() == number {
                self.replace_filters(board, &search, &refused);
            }
        });
    }

    fn replace_filters(self, board: Board, search: &str, no_columns: &[String]) {
        let (mut filters, mut refused) = query::read(search);
        filters.retain(|key, _| !no_columns.contains(key));
        refused.extend_from_slice(no_columns);
        let Some((before, unknown)) = board.filters.try_with_untracked(|state| {
            let unknown = filters.keys().filter(|key| !state.knows(key)).cloned().collect::<Vec<_>>();
            (query::write(state.active()), unknown)
        }) else {
            return;
        };
        refused.extend(unknown);
        for key in refused {
            self.host.refuse_parameter(format!("{key} is not a filter of this dashboard, or its value is not valid."));
        }
        board.replace_filters(filters);
        let search = board.filters.with_untracked(|filters| query::write(filters.active()));
        // A message without a difference is not confirmed, so that a host that sends back what it receives causes no loop.
        if search != before {
            self.tell_filters(search, Source::Host);
        }
    }
}
