//! Writes what a browser loads of the search: `marquis_web_bg.wasm` and the script `marquis_web.js` that calls it.
//!
//! `marquis-bindgen WASM FOLDER`: the WebAssembly that the compiler made of `crates/web`, and where the two files go.
#![forbid(unsafe_code)]

use std::env;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [wasm, folder] = &arguments[..] else {
        eprintln!("expected the .wasm file that the compiler made, and a folder; found {arguments:?}");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let web = bindgen
        .input_path(wasm)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .web(true);
    match web.and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:?}");
            ExitCode::from(4)
        }
    }
}
