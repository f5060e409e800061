//! Where traces go.

use clap::Args;
use secrecy::{ExposeSecret, SecretString};
use std::env;
use url::Url;

/// Traces for OpenTelemetry. Off unless a collector is named.
#[derive(Args, Clone, Debug)]
pub struct TraceSettings {
    /// Collector of traces by OTLP over HTTP, such as `http://127.0.0.1:4318` [default: `OTEL_EXPORTER_OTLP_ENDPOINT`; without either,
    /// nothing is traced]
    #[arg(long, env = "INLAY_OTLP_URL", global = true)]
    pub otlp_url: Option<Url>,

    /// Headers for the collector: `name=value`, several separated by commas [default: `OTEL_EXPORTER_OTLP_HEADERS`]
    #[arg(long, env = "INLAY_OTLP_HEADERS", global = true, hide_env_values = true)]
    pub otlp_headers: Option<SecretString>,

    /// Share of requests that are traced when their caller does not say, from 0 to 1
    #[arg(long, env = "INLAY_TRACE_SHARE", global = true, default_value_t = 0.1, value_parser = share)]
    pub trace_share: f64,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "must be a number from 0 to 1".to_owned())
}

impl TraceSettings {
    /// The address to send traces to, if there is one.
    ///
    /// # Errors
    /// A sentence for the operator.
    pub fn address(&self) -> Result<Option<Url>, String> {
        let given = match &self.otlp_url {
            Some(url) => Some(url.clone()),
            None => match env::var("OTEL_EXPORTER_OTLP_ENDPOINT").ok().filter(|text| !text.is_empty()) {
                Some(text) => {
                    Some(text.parse().map_err(|_| "OTEL_EXPORTER_OTLP_ENDPOINT is not a URL like http://127.0.0.1:4318")?)
                }
                None => None,
            },
        };
        let Some(mut url) = given else { return Ok(None) };
        if !matches!(url.scheme(), "http" | "https") {
            return Err("INLAY_OTLP_URL must begin with http:// or https://; only OTLP over HTTP is spoken".to_owned());
        }
        let path = format!("{}/v1/traces", url.path().trim_end_matches('/'));
        url.set_path(&path);
        Ok(Some(url))
    }

    /// The headers for the collector.
    ///
    /// # Errors
    /// A sentence for the operator, without the headers' values.
    pub fn headers(&self) -> Result<Vec<(String, String)>, String> {
        let told = self.otlp_headers.as_ref().map(|headers| headers.expose_secret().to_owned());
        let told = told.or_else(|| env::var("OTEL_EXPORTER_OTLP_HEADERS").ok()).unwrap_or_default();
        let parts = told.split(',').map(str::trim).filter(|part| !part.is_empty());
        let pair = |part: &str| part.split_once('=').map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
        parts
            .map(|part| {
                pair(part).ok_or_else(|| "INLAY_OTLP_HEADERS must be `name=value`, several separated by commas".to_owned())
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(url: &str, headers: &str) -> TraceSettings {
        TraceSettings { otlp_url: url.parse().ok(), otlp_headers: Some(headers.to_owned().into()), trace_share: 1.0 }
    }

    #[test]
    fn traces_go_below_the_collectors_address() {
        for (url, expected) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            ("https://traces.example/otlp/", "https://traces.example/otlp/v1/traces"),
        ] {
            assert_eq!(given(url, "").address().expect("an address").expect("one").as_str(), expected);
        }
        assert!(given("grpc://127.0.0.1:4317", "").address().expect_err("refused").contains("http://"));
    }

    #[test]
    fn headers_are_pairs_and_never_shown() {
        let headers = given("http://a", "authorization=Bearer s3cret, x-team = 1").headers().expect("pairs");
        assert_eq!(headers, [("authorization".to_owned(), "Bearer s3cret".to_owned()), ("x-team".to_owned(), "1".to_owned())]);
        let refused = given("http://a", "s3cret").headers().expect_err("no pair");
        assert!(!refused.contains("s3cret") && !format!("{:?}", given("http://a", "a=s3cret")).contains("s3cret"));
        assert!(share("0.5").is_ok() && share("1.1").is_err() && share("NaN").is_err() && share("x").is_err());
    }
}
