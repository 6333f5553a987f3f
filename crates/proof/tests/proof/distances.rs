//! Compares plies to the end with an enumeration of all lines of small graphs.

use marquis_core::{Game, Outcome, Player};
use marquis_proof::{Distances, Ended, SearchLimits, Span};

use crate::common::{Dice, Maze};

/// Whether a player wins within `plies` plies, by enumerating all lines.
fn wins(maze: &Maze, position: u16, winner: Player, plies: u16) -> bool {
    if let Some(over) = maze.over(&position) {
        return over.outcome == Outcome::Winner(winner);
    }
    let nexts = &maze.next[usize::from(position)];
    let after = |next: &u16| plies > 0 && wins(maze, *next, winner, plies - 1);
    if maze.turn(&position) == winner {
        nexts.iter().any(after)
    } else {
        plies > 0 && nexts.iter().all(after)
    }
}

#[test]
fn the_shortest_win_is_found_and_nothing_shorter() {
    const DEPTH: u16 = 9;
    let mut dice = Dice::new(31);
    let (mut decided, mut open) = (0, 0);
    for _ in 0..600 {
        let maze = Maze::random(&mut dice, 24, 7, false);
        for winner in Player::BOTH {
            let truth = (0..=DEPTH).find(|&plies| wins(&maze, 0, winner, plies));
            let mut distances = Distances::new(&maze, winner, &|_| None, SearchLimits::default(), 1 << 20);
            let found = (0..=DEPTH).find(|&plies| distances.within(&0, plies).expect("there is no limit"));
            assert_eq!(found, truth, "{winner:?} in {maze:?}");
            let span = distances.span(&0);
            match truth {
                Some(plies) => assert_eq!(span, Span { least: plies, most: Some(plies) }, "{maze:?}"),
                None => assert!(span.least == DEPTH + 1 && span.most.is_none(), "{span:?} in {maze:?}"),
            }
            decided += usize::from(truth.is_some_and(|plies| plies > 2));
            open += usize::from(truth.is_none());
        }
    }
    assert!(decided > 100 && open > 100, "{decided} decided, {open} open");
}

#[test]
fn what_is_known_saves_the_search_and_a_limit_ends_it() {
    let mut dice = Dice::new(32);
    let mut shortened = 0;
    for _ in 0..300 {
        let maze = Maze::random(&mut dice, 30, 8, false);
        let plies = (0..=8).find(|&plies| wins(&maze, 0, Player::First, plies));
        let Some(plies) = plies.filter(|&plies| plies > 2) else { continue };
        let known = |position: &u16| {
            let within = (0..=8).find(|&plies| wins(&maze, *position, Player::First, plies))?;
            Some(Span { least: 0, most: Some(within) })
        };
        let nodes = |known: &dyn Fn(&u16) -> Option<Span>| {
            let mut distances = Distances::new(&maze, Player::First, known, SearchLimits::default(), 1 << 20);
            assert_eq!((0..=8).find(|&plies| distances.within(&0, plies).unwrap()), Some(plies));
            distances.nodes()
        };
        let (alone, helped) = (nodes(&|_| None), nodes(&known));
        assert!(helped <= alone, "{helped} {alone}");
        shortened += usize::from(helped < alone);
        let limits = SearchLimits { nodes: Some(1), ..SearchLimits::default() };
        let mut limited = Distances::new(&maze, Player::First, &|_| None, limits, 1 << 20);
        assert_eq!((3..=8).find_map(|plies| limited.within(&0, plies).err()), Some(Ended::Nodes));
    }
    assert!(shortened > 10, "{shortened}");
}
