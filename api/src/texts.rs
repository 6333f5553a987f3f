//! The files of the page and the description of the service, which the build script packs.

use std::io::Read as _;
use std::ops::Range;
use std::sync::LazyLock;

use flate2::bufread::DeflateDecoder;

include!(concat!(env!("OUT_DIR"), "/places.rs"));
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/page.deflate"));

/// The text of a file; `None` if there is no such file.
pub(crate) fn text(name: &str) -> Option<&'static str> {
    static ALL: LazyLock<String> = LazyLock::new(|| {
        let mut all = String::new();
        match DeflateDecoder::new(PACKED).read_to_string(&mut all) {
            Ok(_) => all,
            Err(error) => panic!("the build script packed the page: {error}"),
        }
    });
    let (_, place) = PLACES.iter().find(|(file, _)| *file == name)?;
    ALL.get(place.clone())
}

/// The text of a file.
///
/// # Panics
/// There is no such file.
pub(crate) fn own(name: &str) -> &'static str {
    text(name).unwrap_or_else(|| panic!("no file {name}"))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_files_are_those_of_the_folder_and_the_description() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let entries = fs::read_dir(folder.join("assets")).unwrap().map(|entry| entry.unwrap().path());
        let files = entries.filter(|path| path.is_file()).chain([folder.join("openapi.json")]);
        let mut found = 0;
        for file in files {
            let name = file.file_name().unwrap().to_str().unwrap();
            if name.starts_with('.') {
                continue;
            }
            assert!(text(name) == Some(fs::read_to_string(&file).unwrap().as_str()), "{name}");
            found += 1;
        }
        assert_eq!((found, text("none.js")), (PLACES.len(), None));
    }
}
