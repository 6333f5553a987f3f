//! Strategies as bytes: the checker accepts only correct ones and refuses modified ones.

use std::collections::HashMap;

use marquis_core::{Bounds, Game, Outcome, Player, Plies, Value};
use marquis_proof::checker::{Checked, Grounds, Promise, Refusal, check_never_loses, check_win};
use marquis_proof::{
    Disk, Guarantee, NoHeuristic, NoOracle, Oracle, ProofIndex, ProofSearch, SearchLimits, Settings, Strategy,
};

use crate::common::beads::Beads;
use crate::common::{Dice, Maze, solve_all};

const SETTINGS: Settings = Settings { table_bytes: 1 << 16, proof_bytes: 1 << 24, threads: 1 };

fn check<G: Game>(
    game: &G,
    kind: Guarantee,
    holder: Player,
    root: &G::Position,
    bytes: &[u8],
    grounds: Grounds<'_, G>,
) -> Result<Checked<G::Position>, Refusal> {
    match kind {
        Guarantee::Win => check_win(game, root, holder, bytes, grounds),
        Guarantee::NeverLose => check_never_loses(game, root, holder, bytes, grounds),
    }
}

fn rules_alone<G: Game>() -> Grounds<'static, G> {
    Grounds::without_tables(&|_| false)
}

fn strategies(maze: &Maze) -> Vec<Strategy<Maze>> {
    ProofSearch::new(maze, SETTINGS).solve(&0, &SearchLimits::default(), |_| {}).strategies
}

fn allows(bounds: Bounds, value: Value) -> bool {
    bounds.worst <= value && value <= bounds.best
}

/// Plays against the strategy at random, with the moves that lead into its index. For each position the index gives
/// correct bounds, and the game ends within the plies that it names.
fn keeps_its_promise(
    maze: &Maze,
    truth: &HashMap<u16, Value>,
    found: &Checked<u16>,
    bytes: &[u8],
    dice: &mut Dice,
) {
    let disk = Disk::new(std::env::temp_dir(), 0);
    let index = ProofIndex::of(maze, &0, bytes, rules_alone(), (1 << 20, &disk)).expect("it was replayed");
    for _ in 0..4 {
        let (mut position, mut plies, mut due) = (0, 0, found.longest);
        while maze.over(&position).is_none() && plies < 200 {
            let moves = &maze.next[usize::from(position)];
            if maze.turn(&position) == found.holder {
                let lasts = |next: &u16| match maze.over(next) {
                    Some(over) if found.promise == Promise::Win => {
                        (over.outcome == Outcome::Winner(found.holder)).then_some(0)
                    }
                    Some(over) => (over.outcome != Outcome::Winner(found.holder.opponent())).then_some(0),
                    None => Some(
                        index.look(&ProofIndex::<Maze>::key(next))?.within.map_or(0, |Plies(within)| within),
                    ),
                };
                let kept = moves.iter().filter(|next| lasts(next).is_some()).min_by_key(|next| lasts(next));
                position = *kept.expect("the strategy has a move");
            } else {
                let footing = index
                    .look(&ProofIndex::<Maze>::key(&position))
                    .expect("the strategy has an answer to every move");
                assert!(allows(footing.bounds, truth[&position]), "{position} in {maze:?}");
                due = footing.within.map(|Plies(within)| plies + u32::from(within)).or(due);
                position = moves[dice.roll(moves.len())];
            }
            plies += 1;
        }
        assert!(due.is_none_or(|due| plies <= due), "{plies} plies of {due:?} in {maze:?}");
    }
}

#[test]
fn a_strategy_changed_in_one_byte_is_refused_or_still_right() {
    let mut dice = Dice::new(11);
    let (mut refused, mut accepted) = (0, 0);
    for _ in 0..400 {
        let nodes = 3 + dice.roll(20);
        let maze = Maze::random(&mut dice, nodes, 5, false);
        let truth = solve_all(&maze, &0);
        for strategy in strategies(&maze) {
            let bytes = strategy.bytes().to_vec();
            let mut judge =
                |bytes: &[u8]| match check(&maze, strategy.kind, strategy.holder, &0, bytes, rules_alone()) {
                    Ok(found) => {
                        accepted += 1;
                        keeps_its_promise(&maze, &truth, &found, bytes, &mut dice);
                    }
                    Err(_) => refused += 1,
                };
            judge(&bytes);
            for at in 0..bytes.len() {
                for value in 0..=255 {
                    let mut changed = bytes.clone();
                    changed[at] = value;
                    judge(&changed);
                }
            }
        }
    }
    assert!(refused > 100_000 && accepted > 1000, "{refused} refused, {accepted} accepted");
}

#[test]
fn a_strategy_with_a_byte_left_out_or_added_at_the_end_is_refused() {
    let mut dice = Dice::new(12);
    for _ in 0..500 {
        let maze = Maze::random(&mut dice, 20, 5, false);
        for strategy in strategies(&maze) {
            let judge =
                |bytes: &[u8]| check(&maze, strategy.kind, strategy.holder, &0, bytes, rules_alone()).is_ok();
            let bytes = strategy.bytes().to_vec();
            assert!(judge(&bytes));
            assert!(!judge(&bytes[..bytes.len() - 1]));
            for value in 0..=255 {
                let mut longer = bytes.clone();
                longer.push(value);
                assert!(!judge(&longer));
            }
        }
    }
}

#[test]
fn no_bytes_prove_what_is_false() {
    let mut dice = Dice::new(13);
    let mut tried = 0;
    for _ in 0..5000 {
        let maze = Maze::random(&mut dice, 12, 4, false);
        let value = solve_all(&maze, &0)[&0];
        if maze.over(&0).is_some() {
            continue;
        }
        let turn = maze.turn(&0);
        for (kind, holder) in [Guarantee::Win, Guarantee::NeverLose].into_iter().zip([turn, turn]) {
            let holds = match kind {
                Guarantee::Win => value == Value::Win,
                Guarantee::NeverLose => value != Value::Loss,
            };
            if holds {
                continue;
            }
            let head = u8::from(kind == Guarantee::NeverLose) << 1 | u8::from(holder == Player::Second);
            for _ in 0..20 {
                let marked = dice.roll(2) as u8;
                let mut bytes = vec![head, marked];
                bytes.extend((0..dice.roll(20)).map(|_| dice.roll(4) as u8));
                assert!(check(&maze, kind, holder, &0, &bytes, rules_alone()).is_err());
                tried += 1;
            }
        }
    }
    assert!(tried > 50_000);
}

/// Tables with the correct values of some positions.
struct Some3rd(HashMap<u16, Value>);

impl Oracle<Maze> for Some3rd {
    fn value(&self, position: &u16) -> Option<Value> {
        (position % 3 == 2).then(|| self.0[position])
    }
}

#[test]
fn lines_that_end_on_tables_are_checked_against_them() {
    let mut dice = Dice::new(14);
    let mut by_table = 0;
    for _ in 0..3000 {
        let maze = Maze::random(&mut dice, 30, 9, false);
        let truth = solve_all(&maze, &0);
        let table = Some3rd(truth.clone());
        let search = ProofSearch::with_knowledge(&maze, &table, &NoHeuristic, SETTINGS);
        let found = search.solve(&0, &SearchLimits::default(), |_| {});
        assert_eq!(found.bounds.value(), Some(truth[&0]));
        for strategy in &found.strategies {
            let bytes = strategy.bytes().to_vec();
            let judge = |grounds| check(&maze, strategy.kind, strategy.holder, &0, &bytes, grounds);
            let checked = judge(Grounds { oracle: &table, ..rules_alone() }).expect("a good proof");
            assert_eq!(strategy.rests_on_tables(), checked.by_table > 0);
            by_table += checked.by_table;
            if checked.by_table > 0 {
                let refusal = judge(rules_alone());
                assert!(matches!(refusal, Err(Refusal::NoTable { .. })), "{refusal:?}");
            }
        }
    }
    assert!(by_table > 1000, "{by_table}");
}

#[test]
fn a_win_may_not_go_round_in_a_circle() {
    // 0 and 1 belong to the first player's win only if that player leaves the ring 0–1 for 2.
    use marquis_core::Outcome;
    let maze = Maze {
        turn: vec![Player::First, Player::Second, Player::Second],
        end: vec![None, None, Some(Outcome::Winner(Player::First))],
        next: vec![vec![1, 2], vec![0], vec![]],
        key_bits: 64,
    };
    let judge = |bytes: &[u8]| check_win(&maze, &0, Player::First, bytes, rules_alone());
    assert_eq!(judge(&[0, 0, 1]).map(|found| found.longest), Ok(Some(1)));
    assert!(matches!(judge(&[0, 0, 0]), Err(Refusal::Circular { .. })));
    assert!(check_never_loses(&maze, &0, Player::First, &[2, 0, 0], rules_alone()).is_ok());
}

#[test]
fn a_replay_ends_soon_after_it_is_told_to() {
    // A corridor of the first player's moves that ends in a win.
    use marquis_core::Outcome;
    let nodes = 60_000_u16;
    let mut end = vec![None; usize::from(nodes)];
    end[usize::from(nodes) - 1] = Some(Outcome::Winner(Player::First));
    let maze = Maze {
        turn: vec![Player::First; usize::from(nodes)],
        end,
        next: (1..nodes).map(|next| vec![next]).chain([vec![]]).collect(),
        key_bits: 64,
    };
    let bytes: Vec<u8> = [0, 0].into_iter().chain((1..nodes).map(|_| 0)).collect();
    assert_eq!(
        check_win(&maze, &0, Player::First, &bytes, rules_alone()).map(|found| found.positions),
        Ok(60_000)
    );
    let asked = std::cell::Cell::new(0);
    let stop = |_| asked.replace(asked.get() + 1) == 2;
    let told = Grounds { stop: &stop, ..rules_alone() };
    let Err(Refusal::Stopped { positions }) = check_win(&maze, &0, Player::First, &bytes, told) else {
        panic!("the replay went on");
    };
    assert!(positions < 20_000 && asked.get() == 3, "{positions} positions, asked {} times", asked.get());
}

#[test]
fn a_squeeze_board_of_side_4_has_a_proof_that_replays() {
    let (game, root) = Beads::read("w2b/5/1o2o1/1oo1oo1/b4w/5/b2w w 0-0 2", true);
    let search = ProofSearch::with_knowledge(
        &game,
        &NoOracle,
        &NoHeuristic,
        Settings { table_bytes: 1 << 24, proof_bytes: 1 << 28, threads: 1 },
    );
    let found =
        search.solve(&root, &SearchLimits { nodes: Some(3_000_000), ..SearchLimits::default() }, |_| {});
    assert!(!found.strategies.is_empty());
    for strategy in found.strategies {
        let bytes = strategy.bytes().to_vec();
        let again = check(&game, strategy.kind, strategy.holder, &root, &bytes, rules_alone());
        assert!(again.expect("accepted").positions >= strategy.len());
    }
}
