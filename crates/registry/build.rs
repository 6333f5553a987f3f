//! Lists the proof files that become part of the program.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let folder = manifest.join("../../tablebases/proofs");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    // A browser build fetches the proofs that it needs.
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() != Ok("wasm32") {
        proofs(&folder, &mut files)?;
    }
    files.sort();
    let mut list = String::from(
        "/// The proof files that come with the program.\nconst SHIPPED: &[ShippedProof] = &[\n",
    );
    for file in files {
        let name = file.strip_prefix(&folder).unwrap_or(&file).display().to_string();
        let _ = writeln!(
            list,
            "    ShippedProof {{ name: {name:?}, bytes: include_bytes!({:?}) }},",
            file.display().to_string()
        );
    }
    list.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("shipped_proofs.rs"), list)
}

/// Adds the proof files below a folder.
fn proofs(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            proofs(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "proof") {
            files.push(path);
        }
    }
    Ok(())
}
