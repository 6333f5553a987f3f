//! A cycle of moves among solved positions.

use std::collections::HashMap;

use marquis_core::{Game, Notation, Playable};
use marquis_retro::exhaustive::Solved;

use crate::{Control, EngineError, Progress};

/// Whether a position is on the current path of the walk, or finished.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    OnPath,
    Done,
}

/// The moves of a cycle and its first position; `None` if there is no cycle.
pub(super) fn find_cycle<G: Playable>(
    game: &G,
    solved: &Solved<G>,
    control: &Control<'_>,
) -> Result<Option<String>, EngineError> {
    let Some((&root, _)) = solved.iter().next() else { return Ok(None) };
    let mut marks: HashMap<G::Position, Mark> = HashMap::with_capacity(solved.states());
    let mut path: Vec<Visited<G>> = vec![(root, legal(game, &root), 0)];
    marks.insert(root, Mark::OnPath);
    while let Some((position, moves, next)) = path.last_mut() {
        let Some(&mv) = moves.get(*next) else {
            marks.insert(*position, Mark::Done);
            path.pop();
            continue;
        };
        *next += 1;
        let child = game.play(position, mv);
        match marks.get(&child) {
            Some(Mark::Done) => {}
            Some(Mark::OnPath) => return Ok(Some(cycle_text(game, &path, &child))),
            None => {
                if marks.len().is_multiple_of(1 << 16) {
                    if control.stopped() {
                        return Err(EngineError::Interrupted);
                    }
                    let (phase, done) = ("looking for cycles".to_owned(), marks.len() as u64);
                    control.tell(&Progress {
                        phase,
                        done,
                        total: Some(solved.states() as u64),
                        bounds: None,
                    });
                }
                marks.insert(child, Mark::OnPath);
                path.push((child, legal(game, &child), 0));
            }
        }
    }
    Ok(None)
}

fn legal<G: Game>(game: &G, position: &G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    if game.over(position).is_none() {
        game.moves(position, &mut moves);
    }
    moves
}

/// A position of the walk, its moves, and the index of the next one.
type Visited<G> = (<G as Game>::Position, Vec<<G as Game>::Move>, usize);

fn cycle_text<G: Notation>(game: &G, path: &[Visited<G>], first: &G::Position) -> String {
    let from = path.iter().position(|(position, _, _)| position == first).unwrap_or(0);
    let moves: Vec<String> = path[from..]
        .iter()
        .map(|(position, moves, next)| game.move_text(position, moves[next - 1]))
        .collect();
    format!("{}: {}", game.position_text(first), moves.join(" "))
}
