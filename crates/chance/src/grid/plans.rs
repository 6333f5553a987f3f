//! The moves of all rows, computed once.

use super::layout::{Choices, Destination, GridMove, JumpsId, Layout, MaskId};

/// All moves of some rows, computed once.
#[derive(Default)]
pub(super) struct Plans {
    /// For each row the place of its masks, then for each throw those of its first and of its other moves.
    starts: Vec<u32>,
    moves: Vec<PackedMove>,
    masks: Vec<MaskId>,
    weights: Vec<u32>,
}

/// A move of a row.
#[derive(Clone, Copy)]
pub(super) struct PackedMove {
    pub(super) source: Destination,
    /// The first of its masks.
    pub(super) mask: MaskId,
    /// The range of the other masks.
    more: (u32, u32),
    pub(super) jumps: Option<JumpsId>,
}

impl Plans {
    pub(super) fn new(layout: &dyn Layout) -> Self {
        let mut plans = Self { weights: layout.weights().to_vec(), ..Self::default() };
        let mut choices = Choices::default();
        for row in 0..layout.rows() {
            plans.starts.push(plans.masks.len() as u32);
            layout.position_masks(row, &mut plans.masks);
            plans.starts.push(plans.masks.len() as u32);
            for throw in 0..plans.weights.len() {
                layout.choices(row, throw, &mut choices);
                for list in [&choices.first, &choices.otherwise] {
                    plans.starts.push(plans.moves.len() as u32);
                    list.iter().for_each(|choice| plans.push(choice));
                }
            }
            plans.starts.push(plans.moves.len() as u32);
        }
        plans
    }

    fn push(&mut self, choice: &GridMove) {
        let start = self.masks.len() as u32;
        let Some((&mask, more)) = choice.masks.split_first() else { return };
        self.masks.extend(more);
        let more = (start, self.masks.len() as u32);
        self.moves.push(PackedMove { source: choice.source, mask, more, jumps: choice.jumps });
    }

    /// All moves that change the column: where they lead, and their jumps.
    pub(super) fn jumps(&self) -> impl Iterator<Item = (Destination, JumpsId)> + '_ {
        self.moves.iter().filter_map(|own| Some((own.source, own.jumps?)))
    }

    pub(super) fn row(&self, row: usize) -> RowPlan<'_> {
        let each = 3 + 2 * self.weights.len();
        RowPlan { plans: self, row, starts: &self.starts[row * each..(row + 1) * each] }
    }
}

/// All moves of a row.
#[derive(Clone, Copy)]
pub(super) struct RowPlan<'a> {
    plans: &'a Plans,
    row: usize,
    starts: &'a [u32],
}

impl<'a> RowPlan<'a> {
    /// The masks of the columns that form a position with the row.
    #[inline(always)]
    pub(super) fn position(&self) -> &'a [MaskId] {
        &self.plans.masks[self.starts[0] as usize..self.starts[1] as usize]
    }

    /// The first moves of throw `i` are list `2 i`, the others list `2 i + 1`.
    #[inline(always)]
    pub(super) fn moves(&self, list: usize) -> &'a [PackedMove] {
        &self.plans.moves[self.starts[2 + list] as usize..self.starts[3 + list] as usize]
    }

    /// The move to prefetch after a first move of a throw: the next first move of the same throw, or the first of the
    /// next one.
    #[inline(always)]
    pub(super) fn next_first(&self, throw: usize, number: usize) -> Option<&'a PackedMove> {
        let of_next =
            || (throw + 1 < self.weights().len()).then(|| self.moves(2 * throw + 2).first()).flatten();
        self.moves(2 * throw).get(number + 1).or_else(of_next)
    }

    /// The masks of a move after the first.
    #[inline(always)]
    pub(super) fn more(&self, choice: &PackedMove) -> &'a [MaskId] {
        &self.plans.masks[choice.more.0 as usize..choice.more.1 as usize]
    }

    #[inline(always)]
    pub(super) fn row(&self) -> usize {
        self.row
    }

    /// The weights of the throws.
    #[inline(always)]
    pub(super) fn weights(&self) -> &'a [u32] {
        &self.plans.weights
    }
}
