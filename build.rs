//! Makes sure that the folder of the pages' files is there, so that the server compiles before the pages are built. A release's
//! linker keeps one copy of functions with equal code, where it can: generic code has many. A release embeds the pages' files in
//! compressed form, so each must have it.

use std::{
    env,
    path::Path,
    process::{Command, Stdio},
};

/// What tells `lld`, the linker of Rust on Linux, to do so.
const ONE_COPY: &str = "-Wl,--icf=all";

/// The files that pages load.
const PAGES: &str = "dist/pkg";
/// The endings of those that are compressed.
const COMPRESSED: [&str; 5] = ["wasm", "js", "css", "svg", "json"];

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rerun-if-changed=build.rs");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") && linker_takes(ONE_COPY)? {
        println!("cargo:rustc-link-arg-bins={ONE_COPY}");
    }
    std::fs::create_dir_all(PAGES)?;
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo:rerun-if-changed={PAGES}");
        compressed(Path::new(PAGES))?;
    }
    Ok(())
}

/// Fails if a file that a release embeds in compressed form alone has no such form (`src/faces/embeds/assets.rs`).
fn compressed(folder: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            compressed(&path)?;
        } else if path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| COMPRESSED.contains(&ending)) {
            let packed = format!("{}.br", path.display());
            if !Path::new(&packed).exists() {
                return Err(std::io::Error::other(format!(
                    "{packed} is missing: run scripts/build-pages before a release build"
                )));
            }
        }
    }
    Ok(())
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
