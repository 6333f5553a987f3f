//! Lines that end where the end is foregone.

use marquis_core::{Bounds, Game, Hashed, Outcome, Over, Player, Reason, Value};
use marquis_proof::checker::{Foregone, Grounds, Promise, Refusal, StrategyHead, check_never_loses};
use marquis_proof::hints::{Hints, HolderPart, Next};
use marquis_proof::{ProofSearch, SearchLimits, Settings, Strategy};

/// A heap of stones: take one or two; the player who takes the last one wins. The outcome is foregone for at most
/// `known_to` stones: a multiple of three is lost for the player to move, all else is won, unless `is_wrong`.
#[derive(Clone, Debug)]
struct Heap {
    known_to: u8,
    /// The foregone outcomes are wrong.
    is_wrong: bool,
}

impl Heap {
    fn knowing(known_to: u8) -> Self {
        Self { known_to, is_wrong: false }
    }
}

impl Game for Heap {
    type Position = (u8, Player);
    type Move = u8;

    fn turn(&self, &(_, turn): &Self::Position) -> Player {
        turn
    }

    fn over(&self, &(stones, turn): &Self::Position) -> Option<Over> {
        (stones == 0).then(|| Over::won(Reason::Stuck, turn.opponent()))
    }

    fn moves(&self, &(stones, _): &Self::Position, out: &mut Vec<u8>) {
        out.extend(1..=stones.min(2));
    }

    fn play(&self, &(stones, turn): &Self::Position, taken: u8) -> Self::Position {
        (stones - taken, turn.opponent())
    }

    const KNOWS_FOREGONE: bool = true;

    fn foregone(&self, &(stones, turn): &Self::Position) -> Option<Outcome> {
        let known = stones > 0 && stones <= self.known_to;
        let wins = !stones.is_multiple_of(3) ^ self.is_wrong;
        known.then(|| Outcome::Winner(if wins { turn } else { turn.opponent() }))
    }
}

impl Hashed for Heap {
    fn key(&self, &(stones, turn): &Self::Position) -> u64 {
        (u64::from(stones) << 1 | turn as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

fn grounds<'a>() -> Grounds<'a, Heap> {
    Grounds::without_tables(&|_| false)
}

/// The bounds that the search finds for a heap, with its strategy.
fn solved(heap: &Heap, stones: u8) -> (Bounds, Strategy<Heap>) {
    let search = ProofSearch::new(heap, Settings::within(1 << 20, 1));
    let mut found = search.solve(&(stones, Player::First), &SearchLimits::default(), |_| {});
    (found.bounds, found.strategies.pop().expect("a strategy"))
}

#[test]
fn lines_end_where_the_end_is_foregone_and_the_checker_says_how_many() {
    let (to_the_end, early) = (Heap::knowing(0), Heap::knowing(9));
    let [(_, long), (bounds, short)] = [&to_the_end, &early].map(|heap| solved(heap, 20));
    assert_eq!(bounds, Bounds::exact(Value::Win));
    let [long, short] = [(&to_the_end, long), (&early, short)].map(|(heap, strategy)| {
        assert!(StrategyHead::read(strategy.bytes()).unwrap().ends_early && !strategy.rests_on_tables());
        (strategy.replay(heap, grounds()).unwrap(), strategy)
    });
    assert_eq!((long.0.by_theorem, short.0.by_theorem), (0, 1));
    assert!(short.0.positions < long.0.positions && short.1.bytes().len() < long.1.bytes().len());
}

#[test]
fn played_on_a_proof_rests_on_no_theorem_and_a_wrong_theorem_is_found_out() {
    let played_on = Grounds { foregone: Foregone::PlayedOn, ..grounds() };
    let heap = Heap::knowing(9);
    let (_, strategy) = solved(&heap, 20);
    let replayed = strategy.replay(&heap, played_on).unwrap();
    // From 18 on: 18, 17, 16, 15, … down to zero, once for each player to move who can get there.
    assert_eq!((replayed.by_theorem, replayed.positions), (0, 20));
    assert_eq!(replayed.longest, Some(13));

    let wrong = Heap { is_wrong: true, ..heap };
    let (_, strategy) = solved(&wrong, 20);
    assert!(strategy.replay(&wrong, grounds()).unwrap().by_theorem > 0);
    assert!(matches!(strategy.replay(&wrong, played_on), Err(Refusal::Broken { .. })));
}

#[test]
fn a_strategy_that_never_loses_wins_where_every_line_ends_with_a_win() {
    let heap = Heap::knowing(0);
    let (_, strategy) = solved(&heap, 20);
    // Head 2: the first player never loses.
    let never_loses = [&[2], &strategy.bytes()[1..]].concat();
    let kept = check_never_loses(&heap, &strategy.root, Player::First, &never_loses, grounds()).unwrap();
    assert_eq!((kept.promise, kept.longest), (Promise::Win, Some(13)));
}

#[test]
fn a_first_position_whose_end_is_foregone_has_a_strategy_without_a_move() {
    let heap = Heap::knowing(9);
    let (bounds, strategy) = solved(&heap, 6);
    assert_eq!(bounds, Bounds::exact(Value::Loss));
    assert_eq!(strategy.bytes(), [1, 2]);
    assert_eq!(strategy.replay(&heap, grounds()).unwrap().positions, 1);
}

#[test]
fn lines_do_not_end_early_where_the_head_does_not_say_so() {
    let (to_the_end, early) = (Heap::knowing(0), Heap::knowing(9));
    let [(_, long), (_, short)] = [&to_the_end, &early].map(|heap| solved(heap, 20));
    let replay = |strategy: &Strategy<Heap>, heap: &Heap, ends: u8| {
        let mut bytes = strategy.bytes().to_vec();
        bytes[1] = ends;
        strategy.kind.replay(heap, &strategy.root, strategy.holder, &bytes, grounds())
    };
    assert_eq!(replay(&long, &early, 0).unwrap().by_theorem, 0);
    assert!(replay(&long, &early, 2).is_err());
    assert!(replay(&short, &early, 0).is_err());
    assert!(matches!(replay(&short, &early, 4), Err(Refusal::Head { .. })));
}

#[test]
fn an_end_that_is_not_the_holders_is_refused() {
    let (_, strategy) = solved(&Heap::knowing(9), 20);
    let wrong = Heap { is_wrong: true, ..Heap::knowing(9) };
    assert!(matches!(strategy.replay(&wrong, grounds()), Err(Refusal::Broken { .. })));
}

#[test]
fn hints_go_on_to_the_end_of_the_game_where_a_theorem_names_no_line() {
    let heap = Heap::knowing(9);
    let (_, strategy) = solved(&heap, 20);
    let hints_in = |memory| Hints::of(&heap, &(20, Player::First), strategy.bytes(), memory, &|| false);
    assert!(matches!(hints_in(0), Err(Refusal::Room { .. })));
    let hints = hints_in(1 << 22).unwrap();
    // The winner leaves a multiple of three, and the other player one or two stones less.
    let mut stones = Vec::new();
    for entry in hints.entries() {
        let (left, taken) = (entry.position.0, entry.position.0 % 3);
        assert_eq!(entry.play, HolderPart::Move(taken));
        assert_eq!(entry.replies.len(), if left == taken { 0 } else { 2 });
        assert!(entry.replies.iter().all(|(_, next)| *next != Next::Over), "{left} stones");
        stones.push(left);
    }
    stones.sort_unstable();
    assert_eq!(stones, (1..=20).filter(|left| left % 3 != 0 && *left != 19).collect::<Vec<_>>());
}
