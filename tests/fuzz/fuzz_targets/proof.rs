#![no_main]
//! No proof file makes the checker panic or use more memory than its bytes justify; claims about finished or solved
//! positions must be true.

use marquis_engine::{Engine, EngineOptions, check_proof};
use marquis_fuzz::{container, folder};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let folder = folder::empty();
    let file = folder.path().join("a.proof");
    if !container::write(data, &file) {
        return;
    }
    let checked = check_proof(&marquis_registry::official(), &file);
    let Ok((engine, _)) = Engine::open(marquis_registry::official(), EngineOptions::default()) else {
        return;
    };
    let loaded = engine.load_proof(&file);
    let holds = checked.is_ok_and(|report| report.refused.is_none());
    assert_eq!(holds, loaded.is_ok(), "both replay the same strategies: {loaded:?}");
});
