//! Icons of the workspace's page. The others are in `ui::icons`.

use crate::ui::icons::icons;

icons! {
    /// A new conversation.
    plus "M8 3.5v9M3.5 8h9",
    /// The history.
    clock "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3.2l2.2 1.3",
    /// A favourite.
    star "M8 2.5l1.7 3.5 3.8.5-2.8 2.7.7 3.8L8 11.2 4.6 13l.7-3.8L2.5 6.5 6.3 6z",
    /// Several charts side by side.
    board "M2.5 2.5h11v11h-11zM8 2.5v11M2.5 8H8",
    /// A library.
    library "M3.5 2.5v11M6.5 2.5v11M9.5 3l3 10.3",
    /// Edit.
    pencil "M3 13l.6-2.6 7.6-7.6 2 2-7.6 7.6zM10 4l2 2",
    /// Copy.
    copy "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
    /// Retry.
    retry "M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3",
    /// A good answer.
    thumb_up "M5 7.5v6H2.5v-6zM5 7.5l2.5-5c1 0 1.8.8 1.6 1.9L8.7 6.5h3.6c.8 0 1.3.7 1.1 1.5l-1.1 4.5c-.1.6-.6 1-1.2 1H5",
    /// A bad answer.
    thumb_down "M5 8.5v-6H2.5v6zM5 8.5l2.5 5c1 0 1.8-.8 1.6-1.9l-.4-2.1h3.6c.8 0 1.3-.7 1.1-1.5l-1.1-4.5c-.1-.6-.6-1-1.2-1H5",
    /// Stop.
    stop "M4.5 4.5h7v7h-7z",
    /// Delete.
    bin "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9",
    /// Move left.
    before "M12.5 8h-9M7 4.5 3.5 8 7 11.5",
    /// Move right.
    after "M3.5 8h9M9 4.5 12.5 8 9 11.5",
    /// Full width.
    widen "M2.5 8h11M5 5.5 2.5 8 5 10.5M11 5.5 13.5 8 11 10.5",
}
