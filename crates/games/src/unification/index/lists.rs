//! Many lists, one after the other in one vector.

/// Lists by their numbers, from 0 on.
#[derive(Clone, Debug)]
pub(super) struct Lists<T> {
    /// Where each list ends among the items.
    pub(super) ends: Vec<u32>,
    pub(super) items: Vec<T>,
}

impl<T> Lists<T> {
    /// Panics if there is no such list.
    #[inline]
    pub(super) fn of(&self, list: u32) -> &[T] {
        let at = list as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.items[start as usize..self.ends[at] as usize]
    }
}

impl<T: Copy + Default> Lists<T> {
    /// Groups items into lists.
    ///
    /// * `put_all`: puts every item, with the number of its list below `count`; called twice, and must do the same
    ///   both times.
    pub(super) fn grouped(count: u32, put_all: impl Fn(&mut dyn FnMut(u32, T))) -> Self {
        let mut ends = vec![0_u32; count as usize];
        put_all(&mut |list, _| ends[list as usize] += 1);
        let mut total = 0;
        for end in &mut ends {
            total += std::mem::replace(end, total);
        }
        let mut items = vec![T::default(); total as usize];
        // Each end starts at the beginning of its list and is right when all items are in place.
        put_all(&mut |list, item| {
            let place = &mut ends[list as usize];
            items[*place as usize] = item;
            *place += 1;
        });
        Self { ends, items }
    }
}
