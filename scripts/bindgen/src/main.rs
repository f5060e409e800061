//! Creates the JavaScript glue of a wasm file: `bindgen INPUT.wasm OUT_DIR NAME`. It uses the library of the command
//! `wasm-bindgen`, and compiles in a fifth of the command's time.

use std::{env, process::ExitCode};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, folder, name] = arguments.as_slice() else {
        eprintln!("usage: bindgen INPUT.wasm OUT_DIR NAME");
        return ExitCode::FAILURE;
    };
    match generate(input, folder, name) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("bindgen: {input}: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Writes `NAME.js` and `NAME_bg.wasm` into a folder.
fn generate(input: &str, folder: &str, name: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).out_name(name).typescript(false).remove_name_section(true).remove_producers_section(true);
    bindgen.web(true)?.generate(folder)?;
    Ok(())
}
