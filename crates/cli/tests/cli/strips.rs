//! Builds whose layers do not fit into memory and are solved in strips on disk: the files are the same.

use serde_json::Value;

use crate::builds::build;
use crate::common::Place;

const WHAT: &[&str] = &["squish", "--side", "4", "--pieces", "3v3"];

fn planned(place: &Place, what: &[&str], more: &[&str]) -> Value {
    place.run(&[&["generate"], what, &["--out", "t", "--dry-run", "--json"], more].concat()).json()
}

/// The least memory for a build, and the memory for all of it at once, in KiB.
fn memory(what: &[&str]) -> [u64; 2] {
    let plan = planned(&Place::new(), what, &["--memory", "64GiB"]);
    assert_eq!(plan["strips"], Value::Array(Vec::new()), "{plan}");
    ["least_memory_bytes", "memory_bytes"].map(|name| plan[name].as_u64().expect("bytes").div_ceil(1024))
}

#[test]
fn what_does_not_fit_into_memory_is_solved_in_strips_to_the_same_files() {
    for what in [WHAT, &["flowish", "--side", "4", "--pieces", "3v2"]] {
        let whole = build(&Place::new(), what, &[]);
        let [least, most] = memory(what);
        assert!(least < most, "{what:?}: {least} and {most} KiB");
        for (threads, memory) in [("1", least), ("2", (least + most) / 2), ("2", most - 1)] {
            let memory = format!("{memory}KiB");
            let more = ["--threads", threads, "--memory", &memory];
            let place = Place::new();
            let strips = planned(&place, what, &more)["strips"].clone();
            let [first, ..] = strips.as_array().expect("a list").as_slice() else {
                panic!("{what:?} in {memory}: {strips}")
            };
            assert!(first["disk_bytes"].as_u64().is_some_and(|bytes| bytes > 1 << 20), "{first}");
            assert!(
                build(&place, what, &more) == whole,
                "{what:?} differs with {threads} threads and {memory}"
            );
        }
    }
}

#[test]
fn a_build_that_fits_not_even_in_strips_says_so_before_it_starts() {
    let ([least, _], place) = (memory(WHAT), Place::new());
    let memory = format!("{}KiB", least - 1);
    let ran = place.run(&[&["generate"], WHAT, &["--out", "t", "--memory", &memory]].concat());
    assert_eq!(ran.code(), 4, "{}", ran.err());
    assert!(ran.err().contains("bytes of memory"), "{}", ran.err());
    assert!(!place.path().join("t").exists());
}
