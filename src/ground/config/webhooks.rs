//! Webhooks.

use clap::Args;
use inlay_query::PrivateSources;

/// Limits on webhook messages, and the allowed addresses of webhooks.
#[derive(Args, Clone, Debug)]
pub struct WebhookSettings {
    /// Maximum number of webhook messages sent at a time, on all nodes together; 0 sends none
    #[arg(long, env = "INLAY_WEBHOOKS_AT_ONCE", global = true, default_value_t = 16)]
    pub webhooks_at_once: u32,

    /// Allow webhooks to this machine and to private networks: `true`, or hosts, addresses and networks separated by commas
    #[arg(
        long,
        env = "INLAY_ALLOW_PRIVATE_WEBHOOKS",
        global = true,
        default_value = "false",
        value_name = "LIST",
        hide_default_value = true
    )]
    pub allow_private_webhooks: PrivateSources,
}
