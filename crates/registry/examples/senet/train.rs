//! `train TABLES MOST FOLDER [KNOWN LOOKED_AT ROUNDS EPOCHS]`: trains the network on tables.
//!
//! `MOST` is the largest layer of the tables, such as `4v3`: every layer up to it and its swap. After each round the
//! network's loss per decision against the tables is measured on layers that it was trained on; the command
//! `decisions` measures it on others.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use marquis_eval::{Fine, file};
use marquis_games::senet::{Position, SenetLayer};
use marquis_sense::senet::{IDENTITY, SenetJudge, SenetTraining, learn};

use crate::chances::SenetChances;
use crate::decisions::decisions_anywhere;
use crate::network::Network;

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [tables, most, folder, numbers @ ..] = arguments else {
        return Err("expected TABLES MOST FOLDER [KNOWN LOOKED_AT ROUNDS EPOCHS]".into());
    };
    let (more, fewer) = most.split_once('v').expect("such as 4v3");
    let (more, fewer): (u8, u8) = (more.parse().expect("pieces"), fewer.parse().expect("pieces"));
    let number =
        |place: usize, usual| numbers.get(place).map_or(usual, |text| text.parse().expect("a number"));
    let plan = SenetTraining {
        seed: 1,
        known: number(0, 400_000),
        looked_at: number(1, 200_000),
        rounds: number(2, 8),
        epochs: number(3, 6),
    };
    let sound = |layer: SenetLayer| {
        layer.mover.max(layer.opponent) <= more && layer.mover.min(layer.opponent) <= fewer
    };
    let all =
        (1..=more).flat_map(|mover| (1..=more).filter_map(move |opponent| SenetLayer::new(mover, opponent)));
    let layers: Vec<SenetLayer> = all.filter(|&layer| sound(layer)).collect();
    let chances = SenetChances::read_layers(&marquis_registry::official(), Path::new(tables), &layers);
    let chances = chances.expect("the tables can be read");
    let known = |position: &Position| match SenetLayer::of(position) {
        Some(layer) if !sound(layer) => None,
        _ => Some(chances.of(position.turn(), position)),
    };
    std::fs::create_dir_all(folder).expect("the folder can be made");
    let stop = Arc::new(AtomicBool::new(false));
    let called = Arc::clone(&stop);
    ctrlc::set_handler(move || called.store(true, Ordering::Relaxed)).expect("a handler can be set");
    let begun = std::time::Instant::now();
    learn(&known, &plan, &|| !stop.load(Ordering::Relaxed), &mut |line, network| {
        println!("{:7.0} s  {line}", begun.elapsed().as_secs_f64());
        if let Some(network) = network {
            let bytes = file::write_fine(&IDENTITY, network);
            let path = Path::new(folder).join("senet.net");
            std::fs::write(path.with_extension("new"), bytes).expect("the weights can be written");
            std::fs::rename(path.with_extension("new"), &path).expect("the weights can be named");
            measure(&layers, &chances, network);
        }
    });
    Ok(())
}

/// The network's loss per decision, in points of a chance, one and two throws ahead.
fn measure(layers: &[SenetLayer], chances: &SenetChances, network: &Fine) {
    let judge = SenetJudge(network.clone());
    for &layer in layers.iter().filter(|layer| layer.mover >= 3 && layer.opponent >= 3) {
        let [alone, ahead] = [0, 1]
            .map(|throws| decisions_anywhere(chances, &Network { judge: &judge, throws }, layer, 5000, 7));
        println!(
            "           {}v{}: chance off by {:.3} points, lost a decision {:.4} (judge alone), {:.4} (a throw ahead)",
            layer.mover,
            layer.opponent,
            100.0 * alone.off(),
            100.0 * alone.lost_each(),
            100.0 * ahead.lost_each()
        );
    }
}
