//! Puts the chart runtime into the program: `dist/charts.server.js`, which `scripts/build-charts` makes.

use std::{env, path::PathBuf, process::ExitCode};

fn main() -> ExitCode {
    let root = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let bundle = root.join("../../dist/charts.server.js");
    println!("cargo::rerun-if-changed={}", bundle.display());
    if !bundle.is_file() {
        println!("cargo::error=dist/charts.server.js is missing: run scripts/build-charts first");
        return ExitCode::FAILURE;
    }
    println!("cargo::rustc-env=INLAY_CHARTS_BUNDLE={}", bundle.display());
    ExitCode::SUCCESS
}
