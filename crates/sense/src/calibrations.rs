//! Maps from the leanings of a board to chances, by phase: the lines of `calibration.txt`.
//!
//! ```text
//! # board (or game, for its hand-made terms), slope, draws where all is even
//! squish-4 1.245 0.000
//! # the same in one phase of its games: before the slope there is the number of the phase
//! squish-4 2 1.310 0.000
//! ```

use std::collections::BTreeMap;

use marquis_eval::Calibration;

/// The maps of one board: one for all phases, and those of single phases.
#[derive(Clone, Debug, Default)]
struct Maps {
    all: Option<Calibration>,
    phases: BTreeMap<u8, Calibration>,
}

/// The maps of all boards.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calibrations(BTreeMap<String, Maps>);

impl Calibrations {
    /// Replaces all maps of the boards in the text; `#` starts a comment.
    ///
    /// # Errors
    /// The number of the first invalid line; nothing is replaced then.
    pub(crate) fn read(&mut self, text: &str) -> Result<(), usize> {
        let mut found: BTreeMap<String, Maps> = BTreeMap::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = line.split_whitespace().collect();
            let (name, phase, numbers) = match words[..] {
                [] => continue,
                [name, slope, draws] => (name, None, [slope, draws]),
                [name, phase, slope, draws] => {
                    (name, Some(phase.parse().map_err(|_| number + 1)?), [slope, draws])
                }
                _ => return Err(number + 1),
            };
            let map = calibration(numbers).ok_or(number + 1)?;
            let maps = found.entry(name.to_owned()).or_default();
            match phase {
                Some(phase) => drop(maps.phases.insert(phase, map)),
                None => maps.all = Some(map),
            }
        }
        self.0.extend(found);
        Ok(())
    }

    /// Removes the maps of a board.
    pub(crate) fn forget(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// The map of a board in a phase, or else the one for all phases, or else the identity.
    pub(crate) fn of(&self, name: &str, phase: u8) -> Calibration {
        let maps = self.0.get(name);
        let map = maps.and_then(|maps| maps.phases.get(&phase).copied().or(maps.all));
        map.unwrap_or(Calibration::NONE)
    }
}

/// The map of a slope and a share of draws; `None` if either is out of range.
fn calibration(numbers: [&str; 2]) -> Option<Calibration> {
    let [slope, draws] = numbers.map(|word| word.parse::<f64>().ok());
    let map = Calibration { slope: slope?, draws: draws? };
    let sound = map.slope.is_finite() && map.slope > 0.0 && (0.0..=1.0).contains(&map.draws);
    sound.then_some(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_has_its_own_map_or_that_of_all() {
        let mut maps = Calibrations::default();
        maps.read("a 2 0.5\na 3 1.5 0.25 # late\nb 3 4 0").expect("sound lines");
        assert_eq!(maps.of("a", 3), Calibration { slope: 1.5, draws: 0.25 });
        assert_eq!(maps.of("a", 2), Calibration { slope: 2.0, draws: 0.5 });
        assert_eq!(maps.of("b", 2), Calibration::NONE);
        assert_eq!(maps.of("c", 3), Calibration::NONE);
        // A later text replaces all maps of a board.
        maps.read("a 1 0").expect("a sound line");
        assert_eq!(maps.of("a", 3), Calibration { slope: 1.0, draws: 0.0 });
        maps.forget("b");
        assert_eq!(maps.of("b", 3), Calibration::NONE);
    }

    #[test]
    fn the_first_line_that_says_something_else_is_named_and_none_is_taken() {
        for (text, line) in [
            ("a 0.9 0.1\na 0 0", 2),
            ("a -1 0", 1),
            ("\na 1 1.5", 2),
            ("a 1", 1),
            ("a x 1 0", 1),
            ("a 256 1 0", 1),
            ("a 1 1 0 0", 1),
            ("a one 0", 1),
            ("a NaN 0", 1),
        ] {
            let mut maps = Calibrations::default();
            assert_eq!(maps.read(text), Err(line), "{text}");
            assert_eq!(maps.of("a", 0), Calibration::NONE, "{text}");
        }
    }
}
