//! Quixo on 4×4, all positions with value and plies, including writing: `cargo bench … --bench quixo`.
//!
//! GamesmanOne takes 29.3 s for its 86 093 442 positions on two cores of the same kind.

use std::time::Instant;

use marquis_bench::solved;
use marquis_core::{Indexed, Plies, Score, Slot};
use marquis_retro::{Counts, Entry, LayerCells};
use marquis_table::{Fingerprint, Identity, LayerPlan, StreamPlan, Width, file};
use marquis_tests::guests::quixo::{NAME, Quixo};

fn main() {
    let game = Quixo::FOUR;
    let begun = Instant::now();
    let layers = solved(&game, game.layers());
    let solving = begun.elapsed();
    let folder = tempfile::tempdir().expect("a folder");
    let (mut bytes, mut classes) = (0, 0);
    for layer in game.layers() {
        let cells = layers.get(layer).expect("a layer");
        let LayerCells::Narrow(codes) = cells else { panic!("more than 125 plies") };
        let name = game.layer_name(layer);
        let path = folder.path().join(format!("{name}.mqt"));
        let source = |first: u64, out: &mut [u8]| out.copy_from_slice(&codes[first as usize..][..out.len()]);
        let plan = LayerPlan {
            identity: Identity {
                game: NAME.to_owned(),
                variant: game.variant(),
                layer: name,
                rules: Fingerprint::of("quixo edge=4"),
            },
            slots: codes.len() as u64,
            counts: std::collections::BTreeMap::new(),
            notes: std::collections::BTreeMap::new(),
        };
        file::create(&path, &plan, &[StreamPlan::new("score", Width::One, &source)], &|_| ())
            .expect("written");
        bytes += std::fs::metadata(&path).expect("a file").len();
        classes += Counts::of(cells).positions();
    }
    let written = begun.elapsed();
    let (layer, slot) = game.slot(&game.start());
    assert_eq!(layers.get(layer).expect("it").entry(slot), Entry::Score(Score::Win(Plies(21))));
    let positions: u64 = game
        .layers()
        .into_iter()
        .flat_map(|layer| (0..game.slots(layer)).map(move |slot| (layer, Slot(slot))))
        .filter_map(|(layer, slot)| game.position(layer, slot))
        .map(|position| game.sharing(&position))
        .sum();
    assert_eq!(positions, 86_093_442);
    println!(
        "{positions} positions in {classes} classes: solved in {solving:.1?}, written after {written:.1?}, {bytes} bytes"
    );
}
