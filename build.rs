//! Makes sure that the folder of the pages' files is there, so that the server compiles before the pages are built.

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rerun-if-changed=build.rs");
    std::fs::create_dir_all("dist/pkg")
}
