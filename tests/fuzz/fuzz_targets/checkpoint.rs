#![no_main]
//! No checkpoint makes a build panic, fail or use more memory than its layers justify.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use marquis_engine::tables::generate;
use marquis_engine::{Control, Limits};
use marquis_fuzz::seeds::{self, Interrupted};
use marquis_fuzz::{container, folder};

/// Every small build as an interruption left it.
static BUILDS: LazyLock<Vec<Option<Interrupted>>> = LazyLock::new(|| {
    let all = folder::empty().keep();
    let interrupted =
        |(number, build)| seeds::interrupted(&seeds::query(build), &all.join(format!("{number}")));
    (0..).zip(seeds::BUILDS).map(|(number, build): (u8, _)| interrupted((number, build))).collect()
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [build, file, rest @ ..] = data else { return };
    let Some(build) = &BUILDS[usize::from(*build) % BUILDS.len()] else { return };
    let checkpoint = &build.checkpoints[usize::from(*file) % build.checkpoints.len()];
    if !container::write(rest, &build.out.join(checkpoint)) {
        return;
    }
    let done = generate(
        &marquis_registry::official(),
        &build.query,
        &build.out,
        Duration::MAX,
        &Limits::default(),
        &Control::none(),
    );
    assert!(done.is_ok(), "useless files are built again: {done:?}");
    // The next input starts from the interrupted build.
    for file in seeds::files(&build.out, Path::new("")) {
        if !build.finished.contains(&file) {
            fs::remove_file(build.out.join(file)).expect("a file of this build");
        }
    }
});
