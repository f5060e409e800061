//! The calls of a workspace's page.

use super::{embed::TokenCheck, scope::PageAddress};
use crate::{
    chat::wire::{AnswerChart, ChartSource},
    workspace::wire::{ChartRef, OpenedWorkspace, PinCollection, PinView, ThreadEntry, ThreadView, Turns},
};
use inlay_contract::{
    chart::definition::ChartType,
    ids::{MessageId, PinId, ThreadId},
};

page_calls! {
    /// The calls of a workspace's page. `token` is the caller's project-user token, unverified; every method verifies it first.
    /// Every call can fail because the token is refused.
    trait WorkspaceCalls;

    /// The page at an address, as the first `GET` would show it. For a workspace that does not exist, a page with a message. A
    /// token for another project is refused.
    open_workspace "workspace/open" (address: PageAddress) -> OpenedWorkspace;
    /// The user of a token, if it is valid for the workspace's project.
    check_workspace_token "workspace/check-token" (address: PageAddress) -> TokenCheck;
    /// The viewer's threads, newest first. If `search` is not empty, only those that contain it.
    list_threads "workspace/threads" (address: PageAddress, search: String) -> Vec<ThreadEntry>;
    /// One of the viewer's threads.
    open_thread "workspace/thread" (address: PageAddress, thread: ThreadId) -> ThreadView;
    /// The last turns of a thread before the one with this question.
    earlier_turns "workspace/earlier-turns" (address: PageAddress, thread: ThreadId, before: MessageId) -> Turns;
    /// Renames a thread.
    rename_thread "workspace/rename-thread" (address: PageAddress, thread: ThreadId, title: String) -> ();
    /// Deletes a thread.
    delete_thread "workspace/delete-thread" (address: PageAddress, thread: ThreadId) -> ();
    /// Stores the viewer's feedback on an answer.
    rate "workspace/rate" (address: PageAddress, answer: MessageId, helpful: Option<bool>) -> ();
    /// Saves an answer's chart to the library and returns its name there.
    save_chart "workspace/save-chart" (address: PageAddress, source: ChartSource) -> String;
    /// Changes the title and type of an answer's chart. The type must fit its rows.
    edit_chart "workspace/edit-chart" (address: PageAddress, source: ChartSource, title: String, kind: ChartType) -> AnswerChart;
    /// A chart's current rows as an Excel workbook, in base64.
    workspace_chart_file "workspace/chart-file" (address: PageAddress, chart: ChartRef) -> String;
    /// A chart with its current rows, drawn as SVG. `None` without rows.
    workspace_chart_picture "workspace/chart-picture" (address: PageAddress, chart: ChartRef) -> Option<String>;
    /// The charts that the viewer pinned to a place, with current rows.
    list_pins "workspace/pins" (address: PageAddress, place: PinCollection) -> Vec<PinView>;
    /// Pins an answer's chart, if the place has room.
    pin "workspace/pin" (address: PageAddress, place: PinCollection, source: ChartSource) -> ();
    /// Removes a pinned chart.
    unpin "workspace/unpin" (address: PageAddress, pin: PinId) -> ();
    /// Arranges the canvas: the order of its charts, and which of them take the full width.
    arrange "workspace/arrange" (address: PageAddress, order: Vec<(PinId, bool)>) -> ();
    /// Creates a dashboard from the canvas.
    save_canvas "workspace/save-canvas" (address: PageAddress, name: String) -> ();
}
