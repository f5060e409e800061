//! Messages to and from the host page.

use super::throttle::ErrorThrottle;
use crate::browser::parent;
use inlay_contract::frame::message::{ErrorCode, In, Out};
use leptos::prelude::*;

/// The host page. Without an origin in the address, nothing is sent or received.
#[derive(Clone, Copy)]
pub struct Host {
    origin: StoredValue<Option<String>>,
    told: StoredValue<ErrorThrottle>,
}

impl Host {
    /// The host on an origin.
    #[must_use]
    pub fn new(origin: Option<&str>) -> Self {
        Self { origin: StoredValue::new(origin.map(str::to_owned)), told: StoredValue::new(ErrorThrottle::default()) }
    }

    /// Posts a message. Errors are not repeated.
    pub fn post(self, message: &Out) {
        let now = parent::now();
        // The hand-over itself limits refusals of tokens.
        if let Out::Error { code: ErrorCode::InvalidParameter | ErrorCode::ChartFailed, message } = message
            && self.told.try_update_value(|told| told.admits(message, now)) != Some(true)
        {
            return;
        }
        if let Some(origin) = self.origin.try_get_value().flatten() {
            parent::post(&origin, &message.to_json().to_string());
        }
    }

    /// Posts that a parameter is not valid. The message must begin with the parameter's name.
    pub fn refuse_parameter(self, message: String) {
        self.post(&Out::Error { code: ErrorCode::InvalidParameter, message });
    }

    /// Listens while the page is open.
    pub fn listen(self, heard: impl Fn(In) + 'static) {
        let Some(origin) = self.origin.get_value() else { return };
        parent::listen(origin, move |message| {
            if self.origin.with_value(Option::is_some) {
                heard(message);
            }
        });
    }

    /// Stops: another wasm now talks to the host.
    pub fn close(self) {
        self.origin.set_value(None);
    }
}
