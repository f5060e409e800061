//! Makes sure that the folder of the pages' files is there, so that the server compiles before the pages are built. A release's
//! linker keeps one copy of functions with equal code, where it can: generic code has many.

use std::{
    env,
    path::Path,
    process::{Command, Stdio},
};

/// What tells `lld`, the linker of Rust on Linux, to do so.
const ONE_COPY: &str = "-Wl,--icf=all";

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rerun-if-changed=build.rs");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") && linker_takes(ONE_COPY)? {
        println!("cargo:rustc-link-arg-bins={ONE_COPY}");
    }
    std::fs::create_dir_all("dist/pkg")
}

/// Whether a program can be linked with an argument: other linkers than `lld` fail.
fn linker_takes(argument: &str) -> std::io::Result<bool> {
    let of = |name: &str| env::var(name).unwrap_or_default();
    let (folder, linker) = (of("OUT_DIR"), of("RUSTC_LINKER"));
    let program = Path::new(&folder).join("linked.rs");
    std::fs::write(&program, "fn main() {}\n")?;
    let mut rustc = Command::new(of("RUSTC"));
    rustc.args(["--target", &of("TARGET"), "--out-dir", &folder, "-C", &format!("link-arg={argument}")]);
    if !linker.is_empty() {
        rustc.args(["-C", &format!("linker={linker}")]);
    }
    let linked = rustc.arg(&program).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    Ok(linked.success())
}
