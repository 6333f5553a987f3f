//! Tests of the registry's games through the public interface: tables, builds, proofs and the look ahead.

mod book;
mod certified;
mod checkpoints;
mod half;
mod heads;
mod judged;
mod nothing_proved;
mod pages;
mod plans;
mod ranks;
mod refusals;
mod shared_study;
mod squinch;
mod sub_tables;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// All files in a folder, by relative path.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(here) = folders.pop() {
        for entry in fs::read_dir(&here).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below it").to_owned();
                files.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    files
}
