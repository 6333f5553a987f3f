//! The output of a dry run: one estimate, the sum of its parts, and no impossible number.

use crate::common::Place;

/// The output of a dry run whose trial got far enough to measure something; a busy machine may prevent that.
fn told<T>(run: impl Fn() -> T, tells: impl Fn(&T) -> bool) -> T {
    std::iter::repeat_with(run).take(20).find(tells).expect("the trials tell something")
}

#[test]
fn a_plan_has_one_estimate_which_is_the_sum_of_its_parts() {
    let place = Place::new();
    for what in [&["senet", "--pieces", "5v5"][..], &["squish", "--side", "4", "--pieces", "3v3"]] {
        let asked = [&["generate"], what, &["--out", "t", "--dry-run"]].concat();
        let plan = told(
            || place.run(&[&asked[..], &["--json"]].concat()).json(),
            |plan| !plan["estimate"].is_null(),
        );
        let (estimate, layers) = (&plan["estimate"], plan["layers"].as_array().expect("layers"));
        let parts = estimate["parts"].as_array().expect("an estimate");
        let seconds = |value: &serde_json::Value| value["seconds"].as_f64().expect("seconds");
        let sum: f64 = parts.iter().map(seconds).sum();
        assert!((seconds(estimate) - sum).abs() <= 1e-9 * sum, "{what:?}: {estimate}");
        // Each layer is in one part.
        let mut named: Vec<&str> = parts
            .iter()
            .flat_map(|part| part["layers"].as_array().expect("layers"))
            .filter_map(|l| l.as_str())
            .collect();
        let mut all: Vec<&str> = layers.iter().filter_map(|layer| layer["layer"].as_str()).collect();
        named.sort_unstable();
        all.sort_unstable();
        assert_eq!(named, all, "{what:?}");
        // Only the estimate has times.
        let said = told(|| place.run(&asked).out(), |said| said.contains(", an estimate"));
        let (before, after) = said.split_once(", an estimate").unwrap_or_else(|| panic!("{what:?}: {said}"));
        let total = before.rsplit('\n').next().expect("a line");
        assert!(total.starts_with("about ") && !after.contains(", an estimate"), "{what:?}: {said}");
        for unit in ["hours", " h", " min"] {
            let rest = before.strip_suffix(total).expect("the end");
            assert!(
                !rest.contains(&format!("{unit} ")) && !rest.contains(&format!("{unit}\n")),
                "{what:?}: {said}"
            );
        }
    }
}

/// Less memory never chooses a faster method.
#[test]
fn a_plan_names_one_method_for_each_layer_and_memory_decides_which() {
    let place = Place::new();
    let methods = |what: &[&str], memory: &str| {
        let asked =
            [&["generate"], what, &["--out", "t", "--dry-run", "--json", "--memory", memory]].concat();
        let plan = place.run(&asked).json();
        let bundles = plan["methods"].as_array().expect("methods").clone();
        let mut planned: Vec<(String, String)> = Vec::new();
        for bundle in &bundles {
            let method = bundle["method"].as_str().expect("a method");
            let layers =
                bundle["layers"].as_array().expect("layers").iter().filter_map(|layer| layer.as_str());
            planned.extend(layers.map(|layer| (layer.to_owned(), method.to_owned())));
        }
        let layers = plan["layers"].as_array().expect("layers").iter();
        let mut all: Vec<&str> = layers.filter_map(|layer| layer["layer"].as_str()).collect();
        planned.sort();
        all.sort_unstable();
        assert_eq!(planned.iter().map(|(layer, _)| layer.as_str()).collect::<Vec<_>>(), all, "{what:?}");
        let slots = |layer: &&serde_json::Value| layer["slots"].as_u64();
        let largest = plan["layers"].as_array().and_then(|layers| layers.iter().max_by_key(slots));
        let largest = largest.and_then(|layer| layer["layer"].as_str()).expect("a layer");
        let method = planned.iter().find(|(layer, _)| layer == largest).expect("it is planned").1.clone();
        (planned, method)
    };
    let rank = |method: &str| {
        let order = ["camps", "rows", "sweeps", "un-moves", "strips", "sweeps-on-disk"];
        order.iter().position(|&other| other == method).unwrap_or_else(|| panic!("unknown method {method}"))
    };
    let squish = &["squish", "--side", "4", "--pieces", "4v3"][..];
    let senet = &["senet", "--pieces", "5v5"][..];
    for (what, memory, found) in [
        (squish, ["4GiB", "320MiB", "240MiB"], ["rows", "un-moves", "strips"]),
        (senet, ["100GiB", "40GiB", "24GiB"], ["sweeps", "sweeps-on-disk", "sweeps-on-disk"]),
        (&["squinch", "--from", "start:4x4"], ["4GiB", "1GiB", "300MiB"], ["camps"; 3]),
    ] {
        let all = memory.map(|memory| methods(what, memory));
        let of_largest: Vec<&str> = all.iter().map(|(_, method)| method.as_str()).collect();
        assert_eq!(of_largest, found, "{what:?} in {memory:?}");
        for ((less, _), (more, _)) in all[1..].iter().zip(&all) {
            for ((layer, slower), (_, faster)) in less.iter().zip(more) {
                assert!(
                    rank(faster) <= rank(slower),
                    "{what:?} {layer}: {faster}, with less memory {slower}"
                );
            }
        }
    }
}

#[test]
fn what_never_fits_is_bad_input_with_a_sensible_number() {
    let place = Place::new();
    for (what, words) in [
        (
            &["squish", "--side", "5"][..],
            "for numbering up to 60 pieces a side of squish on side 5, found 60.0 EiB",
        ),
        (&["flowish", "--side", "5", "--pieces", "30v30"], " EiB"),
        (&["squinch", "--from", "start"], "expected at most 2.0 GiB for numbering"),
        (&["swish", "--side", "5", "--pieces", "2v1", "--beads", "40"], "fewer pieces or a smaller board"),
    ] {
        let ran = place.run(&[&["generate"], what, &["--out", "t", "--dry-run"]].concat());
        assert_eq!((ran.code(), ran.out().as_str()), (2, ""), "{what:?}: {}", ran.err());
        let said = ran.err();
        assert!(said.contains(words), "{what:?}: {said}");
        let digits = said.split(|letter: char| !letter.is_ascii_digit()).map(str::len).max();
        assert!(digits < Some(10), "{what:?}: {said}");
    }
}
