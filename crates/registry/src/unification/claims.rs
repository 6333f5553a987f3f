//! The designer's claims about Flowish, checked on every set of pieces of one colour.

use std::collections::HashMap;

use marquis_core::Cells;
use marquis_engine::game::{ClaimId, Finding, LookedAt};
use marquis_engine::{Control, EngineError, Progress};
use marquis_games::hex::Side;
use marquis_games::unification::{Flow, Stepping as _};

/// The largest side on which every set of pieces is checked, and the most pieces on the next one.
const WHOLE_SIDE: u8 = 3;
const MOST_PIECES_BEYOND: u32 = 4;

const ALWAYS_A_MOVE: ClaimId =
    ClaimId::OfDesigner { words: "a player who is not in one group has a move", ends_play: false };
/// Steps depend on the mover's own pieces alone and captures are permanent. So if the moves of one colour never
/// return, play ends.
const NEVER_RETURN: ClaimId =
    ClaimId::OfDesigner { words: "the moves of one colour never return", ends_play: true };

/// Checks the designer's claims that a player of Flowish who is not in one group always has a move, and that his
/// moves never return.
pub(super) fn claims(side: Side, control: &Control<'_>) -> Result<Vec<Finding>, EngineError> {
    let most = match side.get() {
        0..=WHOLE_SIDE => side.board().count(),
        _ => MOST_PIECES_BEYOND,
    };
    let board = side.board();
    let mut stuck = None;
    let mut walk = SetWalk { side, heights: HashMap::new(), returns: None };
    for pieces in 2..=most {
        for set in sets(board.count(), pieces) {
            if control.stopped() {
                return Err(EngineError::Interrupted);
            }
            if !board.is_one_group(set) && walk.successors(set).is_empty() {
                stuck = Some(format!("{set:?}"));
            }
            walk.height(set);
        }
        let phase = "sets of one colour".to_owned();
        control.tell(&Progress {
            phase,
            done: u64::from(pieces),
            total: Some(u64::from(most)),
            bounds: None,
        });
    }
    let highest = walk.heights.values().flatten().max().copied().unwrap_or(0);
    let are_all = most == board.count();
    let positions = format!(
        "the {} sets of 2 to {most} pieces of one colour, which make at most {highest} moves in a row{}",
        walk.heights.len(),
        if are_all { "" } else { "; larger ones were not looked at" }
    );
    let looked_at = &LookedAt { positions, are_all };
    Ok(vec![
        Finding::among(ALWAYS_A_MOVE, looked_at, stuck),
        Finding::among(NEVER_RETURN, looked_at, walk.returns),
    ])
}

/// All sets of `size` of the first `cells` cells.
fn sets(cells: u32, size: u32) -> impl Iterator<Item = Cells> {
    let end = Cells::first(cells).0;
    let mut next = Some(Cells::first(size).0);
    std::iter::from_fn(move || {
        let set = next.filter(|&set| set <= end)?;
        // Gosper's hack: the next larger number with the same number of bits.
        let low = set & set.wrapping_neg();
        let ripple = set + low;
        next = Some(ripple | ((set ^ ripple) / low) >> 2);
        Some(Cells(set))
    })
}

/// The number of consecutive moves that a set of one colour can make; `None` while it is being computed.
struct SetWalk {
    side: Side,
    heights: HashMap<Cells, Option<u32>>,
    returns: Option<String>,
}

impl SetWalk {
    fn successors(&self, set: Cells) -> Vec<Cells> {
        let mut after = Vec::new();
        if !self.side.board().is_one_group(set) {
            Flow::steps(self.side.board(), set, |step| after.push(set.without(step.from).with(step.to)));
        }
        after
    }

    fn height(&mut self, set: Cells) -> u32 {
        match self.heights.get(&set) {
            Some(Some(height)) => return *height,
            Some(None) => {
                self.returns = Some(format!("{set:?}"));
                return 0;
            }
            None => {}
        }
        self.heights.insert(set, None);
        let successors = self.successors(set);
        let height = successors.into_iter().map(|after| 1 + self.height(after)).max().unwrap_or(0);
        self.heights.insert(set, Some(height));
        height
    }
}
