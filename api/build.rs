//! Packs the files of the page and the description of the service: deflated they take a quarter of the bytes.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// Whether the page has files with this extension.
fn is_served(extension: &OsStr) -> bool {
    ["css", "html", "js", "svg"].map(OsStr::new).contains(&extension)
}

fn main() -> io::Result<()> {
    let folder = |variable| PathBuf::from(env::var_os(variable).unwrap_or_default());
    let (manifest, out) = (folder("CARGO_MANIFEST_DIR"), folder("OUT_DIR"));
    let (assets, description) = (manifest.join("assets"), manifest.join("openapi.json"));
    let mut files = vec![description.clone()];
    for entry in fs::read_dir(&assets)? {
        // Not what editors and file managers leave there.
        files.extend(Some(entry?.path()).filter(|path| path.extension().is_some_and(is_served)));
    }
    files.sort();
    println!("cargo::rerun-if-changed={}", assets.display());
    println!("cargo::rerun-if-changed={}", description.display());

    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    let mut places = String::from(
        "/// Each file with its place in the text.\nconst PLACES: &[(&str, Range<usize>)] = &[\n",
    );
    let mut end = 0;
    for file in files {
        let text = fs::read_to_string(&file)?;
        packed.write_all(text.as_bytes())?;
        let start = end;
        end += text.len();
        let name = file.file_name().unwrap_or_default().display().to_string();
        let _ = writeln!(places, "    ({name:?}, {start}..{end}),");
    }
    places.push_str("];\n");
    fs::write(out.join("page.deflate"), packed.finish()?)?;
    fs::write(out.join("places.rs"), places)
}
