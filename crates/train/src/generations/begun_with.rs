//! The parameters of a folder's course, so that no course resumes with the games of another.

use std::fs;
use std::io;
use std::path::Path;

use marquis_eval::file::WeightsIdentity;

use super::{TrainError, TrainingPlan, write};

/// The name of the file: each line is a key and its value.
const FILE: &str = "plan.txt";
const POSITIONS: &str = "positions";

/// Refuses to resume a course of another board or plan, and records the parameters of a new one.
///
/// Generations may be added to a plan, or removed at its end. A folder without the file comes from an earlier
/// version, and gets one.
///
/// # Errors
/// The folder belongs to another course; or the file cannot be read or written.
pub(super) fn check(
    folder: &Path,
    identity: &WeightsIdentity<'_>,
    plan: &TrainingPlan,
) -> Result<(), TrainError> {
    let path = folder.join(FILE);
    let own = lines(identity, plan);
    let kept = match fs::read_to_string(&path) {
        Ok(kept) => kept,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(TrainError::File { path, source }),
    };
    let of = |name: &str| kept.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let mut is_longer = true;
    for (name, expected) in &own {
        let Some(found) = of(name) else { continue };
        if *name == POSITIONS && is_start(found, expected) {
            continue;
        }
        is_longer &= *name != POSITIONS;
        if found != expected && !(*name == POSITIONS && is_start(expected, found)) {
            let (expected, found) = (format!("{name} {expected}"), found.to_owned());
            return Err(TrainError::Another { path, expected, found });
        }
    }
    if is_longer {
        let text: String = own.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
        write(&path, text.as_bytes())?;
    }
    Ok(())
}

/// All parameters that the games and networks depend on.
fn lines(identity: &WeightsIdentity<'_>, plan: &TrainingPlan) -> [(&'static str, String); 6] {
    let TrainingPlan { seed, positions, nodes, games, epochs, .. } = plan;
    let WeightsIdentity { game, variant, version } = identity;
    let positions: Vec<String> = positions.iter().map(usize::to_string).collect();
    [
        ("board", format!("{game} {variant}, version {version}")),
        ("seed", seed.to_string()),
        ("nodes", nodes.to_string()),
        ("games a file", games.to_string()),
        ("epochs", epochs.to_string()),
        (POSITIONS, positions.join(",")),
    ]
}

/// Whether `list` equals `start` or continues it.
fn is_start(start: &str, list: &str) -> bool {
    list.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(positions: &[usize]) -> TrainingPlan {
        TrainingPlan { seed: 1, positions: positions.to_vec(), nodes: 600, games: 200, epochs: 10, pairs: 60 }
    }

    #[test]
    fn a_course_of_another_board_or_plan_is_refused_and_one_with_more_generations_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let board = WeightsIdentity { game: "squish", variant: "side=4", version: 1 };
        let begun = |board: &WeightsIdentity<'_>, plan: &TrainingPlan| check(folder.path(), board, plan);
        let text = || fs::read_to_string(folder.path().join(FILE)).unwrap();
        for positions in [&[100][..], &[100], &[100, 200]] {
            begun(&board, &plan(positions)).unwrap();
        }
        let longest = text();
        assert!(longest.ends_with("positions: 100,200\n"), "{longest}");
        begun(&board, &plan(&[100])).unwrap();
        assert_eq!(text(), longest);
        let usual = || plan(&[100, 200]);
        for (other, words) in [
            (TrainingPlan { seed: 2, ..usual() }, "expected seed 2, found 1"),
            (TrainingPlan { nodes: 500, ..usual() }, "expected nodes 500, found 600"),
            (TrainingPlan { games: 100, ..usual() }, "expected games a file 100, found 200"),
            (TrainingPlan { epochs: 3, ..usual() }, "expected epochs 3, found 10"),
            (plan(&[100, 20]), "expected positions 100,20, found 100,200"),
            (plan(&[10]), "expected positions 10, found 100,200"),
        ] {
            let refused = begun(&board, &other).unwrap_err().to_string();
            assert!(refused.contains(words), "{refused}");
        }
        let other = WeightsIdentity { variant: "side=5", ..board };
        let refused = begun(&other, &usual()).unwrap_err().to_string();
        assert!(refused.contains("squish side=5, version 1, found squish side=4, version 1"), "{refused}");
        begun(&board, &TrainingPlan { pairs: 1, ..usual() }).expect("no game depends on it");
    }
}
