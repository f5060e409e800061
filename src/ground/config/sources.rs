//! Where customers' databases may be.

use clap::Args;
use inlay_query::{Addresses, PrivateSources};
use std::path::PathBuf;

/// The allowed locations of customers' databases: by default the internet, and files outside the system's own folders.
#[derive(Args, Clone, Debug)]
pub struct Sources {
    /// Allow connections to this machine and to private networks: `true`, or hosts, addresses and networks separated by commas
    #[arg(
        long,
        env = "INLAY_ALLOW_PRIVATE_SOURCES",
        global = true,
        default_value = "false",
        value_name = "LIST",
        hide_default_value = true
    )]
    pub allow_private_sources: PrivateSources,

    /// The only folders that SQLite files may be in, separated by commas [default: all but the system's own]
    #[arg(long, env = "INLAY_SQLITE_FOLDERS", global = true, value_delimiter = ',', value_name = "FOLDERS")]
    pub sqlite_folders: Vec<PathBuf>,
}

impl Sources {
    /// The addresses that a connection may have.
    pub fn addresses(&self) -> Addresses {
        Addresses::default().with_private(self.allow_private_sources.clone()).with_folders(self.sqlite_folders.clone())
    }
}
