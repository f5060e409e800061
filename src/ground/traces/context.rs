//! Which requests are traced, and as part of which trace (W3C Trace Context, level 1).

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};
use uuid::Uuid;

/// The most traces that begin in a second, however many callers ask for one.
const MOST_A_SECOND: u64 = 200;

/// The id of a trace.
pub(super) type TraceId = [u8; 16];

/// The id of a span.
pub(super) type SpanId = [u8; 8];

/// What a caller says about its own trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Caller {
    pub(super) trace: TraceId,
    pub(super) span: SpanId,
    pub(super) sampled: bool,
}

impl Caller {
    /// Reads `traceparent`: version, trace, span and flags in hexadecimal digits. What is not valid counts as not there.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let more = parts.next().is_some();
        let small = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        if version.len() != 2 || flags.len() != 2 || ![version, trace, span, flags].into_iter().all(small) {
            return None;
        }
        // Later versions may add parts.
        if version == "ff" || (version == "00" && more) {
            return None;
        }
        let trace: TraceId = hex::decode(trace).ok()?.try_into().ok()?;
        let span: SpanId = hex::decode(span).ok()?.try_into().ok()?;
        let sampled = u8::from_str_radix(flags, 16).ok()? & 1 == 1;
        (trace != TraceId::default() && span != SpanId::default()).then_some(Self { trace, span, sampled })
    }
}

/// Decides which requests are traced.
#[derive(Debug)]
pub struct Sampler {
    share: f64,
    /// The second, and how many traces began in it.
    begun: AtomicU64,
}

impl Sampler {
    /// A sampler that takes this share of the requests whose callers do not say.
    pub(super) const fn new(share: f64) -> Self {
        Self { share, begun: AtomicU64::new(0) }
    }

    /// The trace and the parent of a request that is traced. A caller's own decision counts, up to a limit.
    pub(super) fn decide(&self, traceparent: &str) -> Option<(TraceId, Option<SpanId>)> {
        let caller = Caller::read(traceparent);
        let chosen = match caller {
            Some(caller) if !caller.sampled => return None,
            Some(caller) => (caller.trace, Some(caller.span)),
            None => {
                let id = *Uuid::new_v4().as_bytes();
                // Of the random bytes: a number from 0 to 1.
                let drawn = f64::from(u32::from_be_bytes([id[0], id[1], id[2], id[3]])) / f64::from(u32::MAX);
                if drawn >= self.share && self.share < 1.0 {
                    return None;
                }
                (id, None)
            }
        };
        if !self.has_room(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()) {
            metrics::counter!("inlay_trace_spans_dropped_total", "reason" => "rate").increment(1);
            return None;
        }
        Some(chosen)
    }

    /// Whether another trace may begin in this second.
    fn has_room(&self, second: u64) -> bool {
        let second = second & 0xffff_ffff;
        let next = |now: u64| {
            let count = if now >> 32 == second { now & 0xffff_ffff } else { 0 };
            (count < MOST_A_SECOND).then_some(second << 32 | (count + 1))
        };
        self.begun.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).is_ok()
    }
}

/// A new span's id.
pub(super) fn span_id() -> SpanId {
    let [.., a, b, c, d, e, f, g, h] = *Uuid::new_v4().as_bytes();
    // Never all zeros: that is no id.
    [a | 1, b, c, d, e, f, g, h]
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const SPAN: &str = "00f067aa0ba902b7";

    #[test]
    fn callers_are_read_as_the_standard_says() {
        let read = Caller::read(&format!("00-{TRACE}-{SPAN}-01")).expect("a caller");
        assert_eq!((hex::encode(read.trace), hex::encode(read.span), read.sampled), (TRACE.to_owned(), SPAN.to_owned(), true));
        assert!(!Caller::read(&format!("00-{TRACE}-{SPAN}-00")).expect("a caller").sampled);
        assert!(Caller::read(&format!("01-{TRACE}-{SPAN}-03-more")).expect("of a later version").sampled);
        for bad in [
            String::new(),
            "00".to_owned(),
            format!("00-{TRACE}-{SPAN}"),
            format!("00-{TRACE}-{SPAN}-01-more"),
            format!("ff-{TRACE}-{SPAN}-01"),
            format!("00-{}-{SPAN}-01", TRACE.to_uppercase()),
            format!("00-{}-{SPAN}-01", "0".repeat(32)),
            format!("00-{TRACE}-{}-01", "0".repeat(16)),
            format!("00-{TRACE}00-{SPAN}-01"),
            format!("00-{TRACE}-é067aa0ba902b7-01"),
        ] {
            assert_eq!(Caller::read(&bad), None, "{bad}");
        }
    }

    #[test]
    fn a_share_of_the_requests_is_traced_and_a_caller_decides_for_its_own() {
        let (none, all) = (Sampler::new(0.0), Sampler::new(1.0));
        assert!(none.decide("").is_none() && all.decide("").is_some());
        assert!(none.decide(&format!("00-{TRACE}-{SPAN}-01")).is_some());
        assert!(all.decide(&format!("00-{TRACE}-{SPAN}-00")).is_none());
    }

    #[test]
    fn nobody_begins_more_traces_than_there_may_be() {
        let sampler = Sampler::new(1.0);
        let begun = (0..1_000).filter(|_| sampler.has_room(7)).count();
        assert_eq!(u64::try_from(begun), Ok(MOST_A_SECOND));
        assert!(sampler.has_room(8), "the next second has room again");
    }
}
