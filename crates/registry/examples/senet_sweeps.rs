//! The speed of sweeps over layers of Senet, in memory and in strips on disk: `senet_sweeps MOVERvOPPONENT FOLDER
//! [SWEEPS] [PLACE…]`
//!
//! Sweeps over first estimates, with unknown layers below; FOLDER holds the strips meanwhile. PLACE is `tiles`,
//! `strips` or `disk`; all three by default. Strips must end with the same numbers in memory and on disk.
//! `RAYON_NUM_THREADS` is the number of cores to use.

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use marquis_games::senet::SenetLayer;
use marquis_registry::senet::rates::{Arrangement, timed_sweeps};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [layer, folder, more @ ..] = &arguments[..] else {
        return Err("expected a layer such as 4v4, and a folder".into());
    };
    let (mover, opponent) = layer.split_once('v').ok_or("expected a layer such as 4v4")?;
    let layer = SenetLayer::new(mover.parse()?, opponent.parse()?).ok_or("expected 1 to 5 pieces each")?;
    let sweeps: u32 = more.first().map_or(Ok(4), |text| text.parse())?;
    let chosen: Vec<Arrangement> = more.iter().skip(1).map(|word| place(word)).collect::<Result<_, _>>()?;
    let chosen = if chosen.is_empty() { Arrangement::ALL.to_vec() } else { chosen };
    let threads = rayon::current_num_threads();
    let mut sums = Vec::new();
    for place in chosen {
        let (mut done, mut all, mut positions) = (0, Duration::ZERO, 0);
        let sum = timed_sweeps(layer, place, Path::new(folder), &mut |sweep| {
            done += 1;
            all += sweep.time;
            positions += sweep.positions;
            let [read, written] = sweep.moved.map(|bytes| bytes as f64 / 1e9);
            println!(
                "{place}, sweep {done}: {:.2} s, {read:.2} GB read, {written:.2} GB written",
                sweep.time.as_secs_f64()
            );
            done < sweeps
        })?;
        let rate = positions as f64 / all.as_secs_f64() / threads as f64;
        println!("{place}: {:.2} million positions a second and core, {threads} of them", rate / 1e6);
        if place != Arrangement::Tiles {
            sums.push(sum);
        }
    }
    if sums.windows(2).any(|two| two[0] != two[1]) {
        return Err("the strips differ".into());
    }
    Ok(())
}

fn place(word: &str) -> Result<Arrangement, String> {
    let found = Arrangement::ALL.into_iter().find(|place| place.word() == word);
    found.ok_or_else(|| format!("expected tiles, strips or disk, found {word}"))
}
