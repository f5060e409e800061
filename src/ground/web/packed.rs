//! Pages, compressed. Two views of a dashboard differ in little: the numbers that a browser trusts a script by, and who looks.
//! The long parts between are compressed once and remembered, each as a piece that others can be joined to.

use crate::ground::{config::Settings, memory::Shares, state::Part};
use brotli::{
    BrotliCompress,
    concat::{BroCatli, BroCatliResult},
    enc::BrotliEncoderParams,
};
use memchr::memmem;
use moka::sync::Cache;
use sha2::{Digest, Sha256};
use std::{
    ops::Range,
    sync::{Arc, LazyLock},
    time::Duration,
};
use tokio::{runtime::Handle, sync::Semaphore};

/// Shorter parts are not remembered. Apart from others they would become longer than they are.
const SHORTEST: usize = 4 << 10;

/// How long a part is kept that nobody asks for.
const IDLE: Duration = Duration::from_secs(10 * 60);

/// What a caller waits for. A page of 287 kB becomes 60 kB in 2.2 ms.
const QUICK: i32 = 2;

/// What becomes of a part that is needed again: 54 kB in 7 ms, once. Level 9 takes ten times as long for 1 % less.
const THOROUGH: i32 = 6;

/// The same for all parts, as joined ones must be: references reach back 256 KiB.
const WINDOW: i32 = 18;

/// Parts that are compressed once more at a time.
static AGAIN: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(1)));

/// A hash of a part's text. Only who has the same text finds the part.
type Key = [u8; 32];

/// A part of a page.
#[derive(Clone)]
struct Kept {
    packed: Arc<[u8]>,
    thorough: bool,
}

/// The parts of pages that a node remembers.
pub struct Packed {
    parts: Cache<Key, Kept>,
}

impl Part for Packed {
    fn new(settings: &Settings) -> Self {
        Self::of(Shares::of_settings(settings).packed)
    }
}

impl Packed {
    fn of(bytes: u64) -> Self {
        let weight = |key: &Key, kept: &Kept| u32::try_from(key.len() + kept.packed.len()).unwrap_or(u32::MAX);
        Self { parts: Cache::builder().max_capacity(bytes).weigher(weight).time_to_idle(IDLE).build() }
    }

    /// A page as one brotli stream. `own` is what no other view of the page has in common with this one.
    pub fn brotli(&self, page: &str, own: &[&str]) -> Vec<u8> {
        let parts: Vec<Arc<[u8]>> = parts(page, own).into_iter().map(|part| self.part(&page[part])).collect();
        joined(&parts).unwrap_or_else(|| compressed(page.as_bytes(), QUICK, false))
    }

    fn part(&self, text: &str) -> Arc<[u8]> {
        if text.len() < SHORTEST {
            return compressed(text.as_bytes(), QUICK, true).into();
        }
        let key = Key::from(Sha256::digest(text));
        let found = self.parts.get(&key);
        let outcome = if found.is_some() { "remembered" } else { "made" };
        metrics::counter!("inlay_page_parts_total", "outcome" => outcome).increment(1);
        match found {
            Some(kept) => {
                if !kept.thorough {
                    self.again(key, text);
                }
                kept.packed
            }
            None => self.keep(key, text, QUICK),
        }
    }

    fn keep(&self, key: Key, text: &str, quality: i32) -> Arc<[u8]> {
        let packed: Arc<[u8]> = compressed(text.as_bytes(), quality, true).into();
        self.parts.insert(key, Kept { packed: Arc::clone(&packed), thorough: quality == THOROUGH });
        packed
    }

    /// Compresses a part thoroughly while nobody waits for it. Not while another one is: the next view tries again.
    fn again(&self, key: Key, text: &str) {
        let (Ok(turn), Ok(runtime)) = (Arc::clone(&AGAIN).try_acquire_owned(), Handle::try_current()) else { return };
        let (parts, text) = (Self { parts: self.parts.clone() }, text.to_owned());
        runtime.spawn_blocking(move || {
            parts.keep(key, &text, THOROUGH);
            drop(turn);
        });
    }
}

/// A page's parts in order: what lies between its own words, and these with the short parts around them.
fn parts(page: &str, own: &[&str]) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = own
        .iter()
        .filter(|word| !word.is_empty())
        .flat_map(|word| memmem::find_iter(page.as_bytes(), *word).map(|at| at..at + word.len()))
        .collect();
    places.sort_by_key(|place| place.start);
    places.push(page.len()..page.len());
    let (mut parts, mut fresh, mut end) = (Vec::new(), 0, 0);
    for place in places {
        // A word inside of another one.
        if place.start < end {
            continue;
        }
        if place.start - end >= SHORTEST {
            parts.extend([fresh..end, end..place.start]);
            fresh = place.start;
        }
        end = place.end;
    }
    parts.push(fresh..page.len());
    parts.retain(|part| !part.is_empty());
    parts
}

/// One brotli stream of several. `None` where they cannot be joined.
fn joined(parts: &[Arc<[u8]>]) -> Option<Vec<u8>> {
    let mut joining = BroCatli::new();
    // Each part begins with its window, of one byte at most, that goes.
    let mut stream = vec![0; parts.iter().map(|part| part.len()).sum::<usize>() + 16];
    let mut written = 0;
    for part in parts {
        joining.new_brotli_file();
        let mut read = 0;
        let outcome = joining.stream(part, &mut read, &mut stream, &mut written);
        if outcome != BroCatliResult::NeedsMoreInput || read < part.len() {
            return None;
        }
    }
    let finished = joining.finish(&mut stream, &mut written) == BroCatliResult::Success;
    stream.truncate(written);
    finished.then_some(stream)
}

/// A text as brotli, if wanted as one that others can be joined to.
fn compressed(text: &[u8], quality: i32, joinable: bool) -> Vec<u8> {
    let parameters = BrotliEncoderParams {
        quality,
        lgwin: WINDOW,
        size_hint: text.len(),
        catable: joinable,
        appendable: joinable,
        // The encoder's own dictionary counts from the start of the stream.
        use_dictionary: !joinable,
        ..BrotliEncoderParams::default()
    };
    let mut packed = Vec::with_capacity(text.len() / 4);
    // Neither reading from memory nor writing to it fails.
    let _ = BrotliCompress(&mut &*text, &mut packed, &parameters);
    packed
}

#[cfg(test)]
mod tests {
    use super::*;
    use brotli::Decompressor;
    use std::io::Read;

    fn read(packed: &[u8]) -> String {
        let mut text = String::new();
        Decompressor::new(packed, 4096).read_to_string(&mut text).expect("brotli");
        text
    }

    /// Text without repetitions, of this many bytes and more.
    fn text(bytes: usize, seed: usize) -> String {
        (0..).map(|n| format!("<i>{:x}</i>", Sha256::digest(format!("{seed}/{n}")))).take(bytes / 71 + 1).collect()
    }

    #[test]
    fn a_page_comes_back_whatever_stands_where() {
        let packed = Packed::of(1 << 20);
        let (long, other) = (text(20_000, 1), text(70_000, 2));
        for page in [
            String::new(),
            "x".to_owned(),
            "own".to_owned(),
            long.clone(),
            format!("own{long}"),
            format!("{long}own"),
            format!("ownown{long}ü own ü{other}own<p>own{long}"),
            format!("{long}own{}", &long[..SHORTEST]),
            format!("{other}{other}own{other}"),
        ] {
            for own in [&[][..], &["own"], &["own", "wn"], &["ow", "own", ""], &["nowhere"]] {
                // Twice: made, and remembered.
                for _ in 0..2 {
                    assert!(read(&packed.brotli(&page, own)) == page, "{} bytes, {own:?}", page.len());
                }
            }
        }
    }

    #[test]
    fn views_share_what_they_have_in_common() {
        let (packed, long, other) = (Packed::of(1 << 20), text(20_000, 1), text(9_000, 2));
        for viewer in ["viewer one", "viewer two", "viewer three"] {
            let page = format!("<head>{viewer}</head>{long}<b>{viewer}</b>{other}<i>{viewer}</i>");
            assert_eq!(read(&packed.brotli(&page, &[viewer])), page);
        }
        packed.parts.run_pending_tasks();
        assert_eq!(packed.parts.entry_count(), 2);
    }

    #[test]
    fn what_is_remembered_has_a_limit() {
        let packed = Packed::of(64 << 10);
        for seed in 0..40 {
            packed.brotli(&text(10_000, seed), &[]);
        }
        packed.parts.run_pending_tasks();
        assert!((1..=64 << 10).contains(&packed.parts.weighted_size()), "{}", packed.parts.weighted_size());
    }

    #[tokio::test]
    async fn a_part_that_is_needed_again_becomes_smaller() {
        let row = |n: usize| format!("<tr><td class=\"number\">{}</td><td>{}</td></tr>", n * n % 10_007, n % 89);
        let (packed, page) = (Packed::of(1 << 20), (0..2_000).map(row).collect::<String>());
        let first = packed.brotli(&page, &[]).len();
        let mut last = first;
        for _ in 0..200 {
            last = packed.brotli(&page, &[]).len();
            if last < first {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(last < first, "{last} of {first}");
        assert_eq!(read(&packed.brotli(&page, &[])), page);
    }
}
