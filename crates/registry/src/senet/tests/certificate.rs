//! Detection of forged tables by verification and opening: false chances and errors, missing certificates, damaged
//! blocks.

use std::collections::HashMap;

use marquis_core::{Chance as _, Player, Slot};
use marquis_engine::chance::{LayerChances, LoadedLayer};
use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{
    BuildQuery, ChanceCells, Control, Engine, EngineError, EngineOptions, FileError, Limits, causes,
};
use marquis_games::senet::{Senet, SenetLayer};

use super::{Folder, SENET, build, error, first_chance, layers_below, loaded, registry, tables, with_work};

#[test]
fn a_wrong_entry_is_a_fault() {
    let folder = Folder::new("wrong");
    build("1v1", &folder.0, &Control::none()).expect("built");
    let layer = SenetLayer { mover: 1, opponent: 1 };
    let half = LoadedLayer::<SenetLayer>::CERTAIN / 2;
    let bounds = |_, out: &mut [[u64; 2]]| {
        out.fill([half; 2]);
        Ok(())
    };
    let solved = LayerChances { bounds: &bounds, parts: 1, gap: 1e-9 };
    with_work(&folder, &|_| {}, |work| work.write(layer, &solved)).expect("written");
    let verified =
        folder.engine().verify(&folder.0, None, &Limits::default(), &Control::none()).expect("verified");
    assert!(!verified.faults.is_empty());
}

#[test]
fn bounds_that_cross_or_are_not_available_leave_the_earlier_file() {
    let folder = Folder::new("crossed");
    build("1v1", &folder.0, &Control::none()).expect("built");
    let layer = SenetLayer { mover: 1, opponent: 1 };
    let path = folder.0.join(format!("senet/{}.mqt", crate::senet::layer_name(layer)));
    let before = std::fs::read(&path).expect("a table");
    let refused = |of: &(dyn Fn(u64) -> Result<[u64; 2], marquis_table::Error> + Sync)| {
        let bounds = |first: Slot, out: &mut [[u64; 2]]| {
            (first.0..).zip(out).try_for_each(|(slot, out)| of(slot).map(|bounds| *out = bounds))
        };
        let solved = LayerChances { bounds: &bounds, parts: 1, gap: 1e-9 };
        let error = with_work(&folder, &|_| {}, |work| work.write(layer, &solved)).expect_err("no bounds");
        assert_eq!(std::fs::read(&path).expect("the earlier table"), before);
        causes(&error).to_string()
    };
    let crossed = refused(&|slot| Ok(if slot == 7 { [2, 1] } else { [1, 2] }));
    assert!(crossed.ends_with("the lower bound in slot 7 must be at most 1, found 2"), "{crossed}");
    let lost = || marquis_table::Error::io("slots.0", "read it")(std::io::ErrorKind::UnexpectedEof.into());
    let unread = refused(&|slot| if slot == 7 { Err(lost()) } else { Ok([1, 2]) });
    assert!(unread.starts_with("slots.0: cannot read it: "), "{unread}");
}

/// Writes a table again with other chances and valid checksums.
///
/// * `bounds_stay`: whether the bounds of the certificate stay unchanged or move with the chances.
fn forge(folder: &Folder, layer: SenetLayer, chance: &dyn Fn(usize) -> f64, bounds_stay: bool) {
    let path = folder.0.join(format!("senet/{}.mqt", crate::senet::layer_name(layer)));
    let cache = std::sync::Arc::new(marquis_table::BlockCache::new(0));
    let table = marquis_table::file::open(&path, &cache).expect("opened");
    let header = table.header().clone();
    let read = |name: &str| table.all_cells(table.stream(name).expect(name)).expect("read");
    let (chances, above, below) = (read("chance"), read("above"), read("below"));
    drop(table);
    let parts: i64 = header.notes["parts"].parse().expect("a number");
    let units: Vec<u32> =
        (0..header.slots as usize).map(|slot| (chance(slot) * f64::from(u32::MAX)).round() as u32).collect();
    let moved = |at: usize| {
        let before = u32::from_le_bytes(chances[4 * at..4 * at + 4].try_into().expect("four bytes"));
        i64::from(units[at]) - i64::from(before)
    };
    let cells = |first: u64, out: &mut [u8]| {
        for (at, cell) in (first as usize..).zip(out.chunks_exact_mut(4)) {
            cell.copy_from_slice(&units[at].to_le_bytes());
        }
    };
    let certificate = |of: &[u8], sign: i64, first: u64, out: &mut [u8]| {
        for (at, cell) in (first as usize..).zip(out.chunks_exact_mut(2)) {
            let before = i64::from(u16::from_le_bytes([of[2 * at], of[2 * at + 1]]));
            let stays = if bounds_stay { sign * moved(at) * parts } else { 0 };
            cell.copy_from_slice(&((before + stays).clamp(0, u16::MAX.into()) as u16).to_le_bytes());
        }
    };
    let above = |first: u64, out: &mut [u8]| certificate(&above, -1, first, out);
    let below = |first: u64, out: &mut [u8]| certificate(&below, 1, first, out);
    let (identity, slots) = (header.identity.clone(), header.slots);
    let (counts, notes) = (header.counts.clone(), header.notes.clone());
    let plan = marquis_table::LayerPlan { identity, slots, counts, notes };
    let stream = marquis_table::StreamPlan::new;
    let streams = [
        stream("chance", marquis_table::Width::Four, &cells),
        stream("above", marquis_table::Width::Two, &above),
        stream("below", marquis_table::Width::Two, &below),
    ];
    marquis_table::file::create(&path, &plan, &streams, &|_| {}).expect("written");
}

/// The layers of two pieces against one and of one against two.
const UNEQUAL: [SenetLayer; 2] = [SenetLayer { mover: 2, opponent: 1 }, SenetLayer { mover: 1, opponent: 2 }];

/// Chances of both layers in which every throw is worth `each` more to the player with two pieces than it really is.
/// No single step is wrong by more; all of them together are wrong by the second result.
fn favoured(honest: &HashMap<SenetLayer, LoadedLayer<SenetLayer>>, each: f64) -> ([Vec<f64>; 2], f64) {
    let truth = UNEQUAL.map(|layer| {
        let of = |slot| first_chance(honest, &layer.position(marquis_core::Slot(slot)));
        (0..layer.slots()).map(of).collect::<Vec<f64>>()
    });
    let mut chances = truth.clone();
    for _ in 0..150 {
        for (number, layer) in UNEQUAL.into_iter().enumerate() {
            for slot in 0..layer.slots() {
                let position = layer.position(marquis_core::Slot(slot));
                let of = |after: &marquis_games::senet::Position| {
                    let own =
                        SenetLayer::of(after).and_then(|own| UNEQUAL.iter().position(|&layer| layer == own));
                    let Some(own) = own else { return first_chance(honest, after) };
                    let chance = chances[own][UNEQUAL[own].slot(after).0 as usize];
                    if after.turn() == Player::First { chance } else { 1.0 - chance }
                };
                let mut moves = Vec::new();
                let mut mean = 0.0;
                for &throw in Senet.throws() {
                    moves.clear();
                    Senet.moves(&position, throw, &mut moves);
                    let best = moves.iter().map(|&mv| of(&Senet.play(&position, throw, mv)));
                    mean += f64::from(throw.weight) / 16.0 * best.fold(0.0, f64::max);
                }
                let favour = if number == 0 { each } else { -each };
                chances[number][slot as usize] = (mean + favour).clamp(0.0, 1.0);
            }
        }
    }
    let pairs = chances.iter().flatten().zip(truth.iter().flatten());
    let off = pairs.map(|(found, truth)| (found - truth).abs()).fold(0.0, f64::max);
    (chances, off)
}

#[test]
fn a_stated_error_that_is_false_is_found_and_a_true_one_is_proved() {
    let honest = Folder::new("honest");
    build("2v1", &honest.0, &Control::none()).expect("built");
    let engine = Engine::open(registry(), EngineOptions::default()).expect("opened").0;
    let verify = |folder: &Folder| {
        engine.verify(&folder.0, None, &Limits::default(), &Control::none()).expect("verified")
    };
    let report = verify(&honest);
    assert!(report.faults.is_empty() && report.unproved.is_empty(), "{report:?}");
    assert_eq!(report.proved.len(), 3, "{report:?}");
    let chances = loaded(&honest, &layers_below(2, 1));
    let error = error(&chances);
    let (_, off) = favoured(&chances, error / 4.0);
    for times in [1.1, 1.5, 2.0, 5.0, 10.0, 100.0] {
        // Before the forgery the table is off by at most the error.
        let each = error / 4.0 * (times + 1.0) * error / off * 1.1;
        let (forged_chances, found) = favoured(&chances, each);
        assert!(found >= times * error + error, "{times}: {found}");
        for bounds_stay in [false, true] {
            let forged = Folder::new("forged");
            std::fs::create_dir_all(forged.0.join("senet")).expect("made");
            for (name, bytes) in tables(&honest) {
                std::fs::write(forged.0.join("senet").join(name), bytes).expect("written");
            }
            for (layer, of) in UNEQUAL.into_iter().zip(&forged_chances) {
                forge(&forged, layer, &|slot| of[slot], bounds_stay);
            }
            let report = verify(&forged);
            assert!(!report.faults.is_empty(), "{times} times the error, bounds stay: {bounds_stay}");
            assert_eq!(report.proved.len(), 1, "one piece each alone: {:?}", report.proved);
        }
    }
}

#[test]
fn a_table_without_a_certificate_is_said_not_to_be_proved() {
    let folder = Folder::new("uncertified");
    let query = BuildQuery {
        pieces: Some("1v1".to_owned()),
        chances: ChanceCells::TwoBytes,
        ..BuildQuery::new(SENET)
    };
    generate(&registry(), &query, &folder.0, CHECKPOINT_EVERY, &Limits::default(), &Control::none())
        .expect("built");
    let report = folder.engine().verify(&folder.0, None, &Limits::default(), &Control::none());
    let report = report.expect("verified");
    assert!(report.faults.is_empty() && report.proved.is_empty());
    assert!(report.unproved.len() == 1 && report.unproved[0].contains("is not proved"), "{report:?}");
}

#[test]
fn a_damaged_block_is_neither_kept_nor_listed() {
    let folder = Folder::new("damaged");
    build("1v1", &folder.0, &Control::none()).expect("built");
    let sums = std::fs::read(folder.0.join("B3SUMS")).expect("listed");
    let path = folder.0.join("senet/1v1.mqt");
    let mut bytes = std::fs::read(&path).expect("read");
    bytes[100] ^= 1;
    std::fs::write(&path, &bytes).expect("written");
    let Err(EngineError::File(error)) = build("1v1", &folder.0, &Control::none()) else {
        panic!("a damaged table was kept")
    };
    assert_eq!(error.path(), path);
    let FileError::Unsound { source: marquis_table::Error::Damaged { place, .. } } = &error else {
        panic!("{error:?}")
    };
    assert!(place.contains("block 0"), "{place}");
    let told = causes(&error).to_string();
    assert!(told.contains("block 0") && told.contains("remove the file and build again"), "{told}");
    assert_eq!(std::fs::read(folder.0.join("B3SUMS")).expect("listed"), sums);
    std::fs::remove_file(&path).expect("removed");
    build("1v1", &folder.0, &Control::none()).expect("built again");
    assert_eq!(std::fs::read(folder.0.join("B3SUMS")).expect("listed"), sums);
}
