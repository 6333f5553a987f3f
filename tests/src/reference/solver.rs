//! Exhaustive retrograde analysis over texts, for graphs of some ten thousand positions.

use std::collections::HashMap;

use super::Reference;

/// The solution of all positions reachable from one.
pub struct Solved {
    /// The value for the player to move and the plies to the end, by position text; `None` for the plies of a draw.
    pub scores: HashMap<String, (&'static str, Option<u32>)>,
}

impl Solved {
    /// The number of finished games of this value.
    #[must_use]
    pub fn finished(&self, value: &str) -> usize {
        self.scores.values().filter(|score| **score == (value, Some(0))).count()
    }

    /// The number of positions of this value.
    #[must_use]
    pub fn count(&self, value: &str) -> usize {
        self.scores.values().filter(|score| score.0 == value).count()
    }
}

/// Solves everything reachable from `start`.
///
/// First the whole graph is listed. Then, for plies `n` = 0, 1, 2, …: a position with a move to a loss in `n - 1`
/// plies is a win in `n`; one whose moves all lead to wins, the longest in `n - 1` plies, is a loss. The positions
/// that remain when a round finds nothing are draws.
#[must_use]
pub fn solve(game: &dyn Reference, start: &str) -> Solved {
    let graph = reachable(game, start);
    let mut scores: HashMap<String, (&'static str, Option<u32>)> = HashMap::new();
    for position in graph.keys() {
        if let Some(end) = game.over(position) {
            let plies = (end.value != "draw").then_some(0);
            scores.insert(position.clone(), (end.value, plies));
        }
    }
    for plies in 1.. {
        let mut found = Vec::new();
        for (position, nexts) in &graph {
            if scores.contains_key(position) {
                continue;
            }
            let after: Vec<_> = nexts.iter().map(|next| scores.get(next).copied()).collect();
            if after.contains(&Some(("loss", Some(plies - 1)))) {
                found.push((position.clone(), ("win", Some(plies))));
            } else if after.iter().all(|score| matches!(score, Some(("win", _)))) {
                found.push((position.clone(), ("loss", Some(plies))));
            }
        }
        if found.is_empty() {
            break;
        }
        scores.extend(found);
    }
    for position in graph.into_keys() {
        scores.entry(position).or_insert(("draw", None));
    }
    Solved { scores }
}

/// All positions reachable from `start`, with their successors.
fn reachable(game: &dyn Reference, start: &str) -> HashMap<String, Vec<String>> {
    let mut graph = HashMap::new();
    let mut open = vec![start.to_owned()];
    while let Some(position) = open.pop() {
        if !graph.contains_key(&position) {
            let nexts: Vec<String> = game.moves(&position).into_values().collect();
            open.extend(nexts.iter().filter(|&next| !graph.contains_key(next)).cloned());
            graph.insert(position, nexts);
        }
    }
    graph
}
