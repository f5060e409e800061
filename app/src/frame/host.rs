//! The host page, as the page speaks with it.

use super::calm::Told;
use crate::browser::parent;
use inlay_contract::frame::message::{ErrorCode, In, Out};
use leptos::prelude::*;

/// The host around a page. It hears and is told nothing where the address names no origin.
#[derive(Clone, Copy)]
pub struct Host {
    origin: StoredValue<Option<String>>,
    told: StoredValue<Told>,
}

impl Host {
    /// The host on an origin.
    #[must_use]
    pub fn new(origin: Option<&str>) -> Self {
        Self { origin: StoredValue::new(origin.map(str::to_owned)), told: StoredValue::new(Told::default()) }
    }

    /// Posts a message; no error over and over.
    pub fn post(self, message: &Out) {
        let now = parent::now();
        // The hand-over itself sees to it that refusals of tokens do not come over and over.
        if let Out::Error { code: ErrorCode::InvalidParameter | ErrorCode::ChartFailed, message } = message
            && self.told.try_update_value(|told| told.admits(message, now)) != Some(true)
        {
            return;
        }
        if let Some(origin) = self.origin.try_get_value().flatten() {
            parent::post(&origin, &message.to_json().to_string());
        }
    }

    /// Posts that a parameter cannot be used. The message begins with the parameter's name.
    pub fn refuse_parameter(self, message: String) {
        self.post(&Out::Error { code: ErrorCode::InvalidParameter, message });
    }

    /// Listens as long as the page stands.
    pub fn listen(self, heard: impl Fn(In) + 'static) {
        let Some(origin) = self.origin.get_value() else { return };
        parent::listen(origin, move |message| {
            if self.origin.with_value(Option::is_some) {
                heard(message);
            }
        });
    }

    /// Another wasm speaks with the host from now on.
    pub fn close(self) {
        self.origin.set_value(None);
    }
}
