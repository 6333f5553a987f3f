//! Value iteration for small Senet positions: a lower and an upper bound on each chance, iterated until they meet.

use std::collections::HashMap;

use super::rows::opponent;
use super::senet::{Position, Senet, THROWS};

/// The winning chance of the player to throw, and the number of positions needed for it.
#[derive(Clone, Copy, Debug)]
pub struct SenetValue {
    /// The lower bound.
    pub lower: f64,
    /// The upper bound.
    pub upper: f64,
    /// The reachable positions, from the view of the player to throw, including finished ones.
    pub states: usize,
    /// The number of finished games among them with the winner to throw.
    pub finished_wins: usize,
    /// The number of finished games among them with the loser to throw.
    pub finished_losses: usize,
}

/// The rules for one position, from the view of the player to throw.
enum Node {
    /// The game is over, with this chance for the player to throw.
    Over(f64),
    /// For each throw its weight and the positions after its moves, each with whether the same player throws again.
    Open(Vec<(u32, Vec<(usize, bool)>)>),
}

/// The position from the view of the player to throw, who is always Black.
#[must_use]
pub fn from_thrower(position: &str) -> String {
    let mut position = Position::read(position);
    if position.turn == 'w' {
        position.track.values_mut().for_each(|colour| *colour = opponent(['w', 'b'], *colour));
        position.turn = 'b';
    }
    position.write()
}

/// The value of a position to within `error`.
#[must_use]
pub fn solve(start: &str, error: f64) -> SenetValue {
    let nodes = graph(&from_thrower(start));
    let (mut lower, mut upper) = (bound(&nodes, 0.), bound(&nodes, 1.));
    // Position 0 is the start.
    while upper[0] - lower[0] > error {
        for (index, node) in nodes.iter().enumerate() {
            if let Node::Open(throws) = node {
                (lower[index], upper[index]) = (sweep(throws, &lower, &upper), sweep(throws, &upper, &lower));
            }
        }
    }
    let finished = |wanted: f64| {
        nodes.iter().filter(|node| matches!(node, Node::Over(chance) if *chance == wanted)).count()
    };
    SenetValue {
        lower: lower[0],
        upper: upper[0],
        states: nodes.len(),
        finished_wins: finished(1.),
        finished_losses: finished(0.),
    }
}

/// The known chances, and `unknown` for unfinished games.
fn bound(nodes: &[Node], unknown: f64) -> Vec<f64> {
    nodes.iter().map(|node| if let Node::Over(chance) = node { *chance } else { unknown }).collect()
}

/// The chance of the player to throw, given the player's own chances and those of the opponent.
fn sweep(throws: &[(u32, Vec<(usize, bool)>)], mine: &[f64], theirs: &[f64]) -> f64 {
    let chance = |&(next, again): &(usize, bool)| if again { mine[next] } else { 1. - theirs[next] };
    let best = |moves: &[(usize, bool)]| moves.iter().map(chance).fold(0., f64::max);
    throws.iter().map(|(weight, moves)| f64::from(*weight) / 16. * best(moves)).sum()
}

fn graph(start: &str) -> Vec<Node> {
    let mut names = vec![start.to_owned()];
    let mut numbers = HashMap::from([(start.to_owned(), 0)]);
    let mut nodes = Vec::new();
    while let Some(position) = names.get(nodes.len()).cloned() {
        if let Some(end) = Senet.over(&position) {
            nodes.push(Node::Over(if end.value == "win" { 1. } else { 0. }));
            continue;
        }
        let mut throws = Vec::new();
        for (throw, weight) in THROWS {
            let mut moves = Vec::new();
            for next in Senet.moves(&position, throw).values() {
                let again = next.ends_with('b');
                let next = from_thrower(next);
                let number = *numbers.entry(next.clone()).or_insert_with(|| {
                    names.push(next);
                    names.len() - 1
                });
                moves.push((number, again));
            }
            throws.push((weight, moves));
        }
        nodes.push(Node::Open(throws));
    }
    nodes
}
