//! Classes of sets under a group against plain enumeration and Burnside's count.

use std::collections::BTreeSet;

use marquis_core::{Cell, Cells};
use marquis_rank::{Element, Group, SetClasses};

/// The turns and mirrors of a ring of cells.
fn dihedral(cells: u8) -> Group {
    let turn = |by: u8| (0..cells).map(|c| Cell((c + by) % cells)).collect();
    let mirror = |by: u8| (0..cells).map(|c| Cell((2 * cells - c + by) % cells)).collect();
    Group::new((0..cells).map(turn).chain((0..cells).map(mirror)).collect())
}

fn sets(cells: u32, size: u32) -> Vec<Cells> {
    (0..1u64 << cells).map(Cells).filter(|set| set.len() == size).collect()
}

/// The smallest image, computed cell by cell, without the table.
fn smallest(group: &Group, set: Cells) -> Cells {
    let image = |element: Element| set.map(|cell| group.image(element, cell)).collect();
    group.elements().map(image).min().unwrap()
}

#[test]
fn necklaces_of_seven_and_eight_beads() {
    // Bracelets of 7 and of 8 beads of two colours: OEIS A000029 gives 18 and 30.
    for (cells, bracelets) in [(7, 18), (8, 30)] {
        let group = dihedral(cells);
        let count: u32 = (0..=u32::from(cells)).map(|size| SetClasses::new(&group, size).count()).sum();
        assert_eq!(count, bracelets);
    }
}

#[test]
fn each_set_is_taken_to_the_smallest_of_its_images() {
    let group = dihedral(8);
    for size in 0..=8 {
        let classes = SetClasses::new(&group, size);
        let mut seen = BTreeSet::new();
        for set in sets(8, size) {
            let (class, element) = classes.find(set);
            let representative = classes.representative(class);
            assert_eq!(group.image_of(element, set), representative);
            assert_eq!(representative, smallest(&group, set));
            assert_eq!(group.image_of(group.inverse(element), representative), set);
            seen.insert(class);
        }
        assert_eq!(seen.len(), classes.count() as usize);
    }
}

#[test]
fn a_stabiliser_holds_all_elements_that_change_nothing() {
    let group = dihedral(6);
    for size in 0..=6 {
        let classes = SetClasses::new(&group, size);
        for set in sets(6, size) {
            let (class, _) = classes.find(set);
            let representative = classes.representative(class);
            let fixing: Vec<Element> = group
                .elements()
                .filter(|&e| {
                    representative.map(|cell| group.image(e, cell)).collect::<Cells>() == representative
                })
                .collect();
            assert_eq!(classes.stabiliser(class).collect::<Vec<_>>(), fixing);
            assert_eq!(classes.is_free(class), fixing.len() == 1);
        }
    }
}

#[test]
fn pairs_of_sets_are_named_up_to_symmetry() {
    let group = dihedral(8);
    let classes = SetClasses::new(&group, 3);
    let name = |a: Cells, b: Cells| {
        let (class, element) = classes.find(a);
        (class, classes.smallest_beside(&group, class, group.image_of(element, b)))
    };
    let mut names = BTreeSet::new();
    let mut orbits = BTreeSet::new();
    for a in sets(8, 3) {
        for b in sets(8, 2).into_iter().filter(|b| !b.meets(a)) {
            let images = || group.elements().map(|e| (group.image_of(e, a), group.image_of(e, b)));
            assert!(images().all(|(x, y)| name(x, y) == name(a, b)));
            names.insert(name(a, b));
            orbits.insert(images().min());
        }
    }
    assert_eq!(names.len(), orbits.len());
}

#[test]
fn classes_beside_taken_cells_are_those_of_the_other_cells() {
    let group = dihedral(8);
    // Opposite cells stay in place or change places under half a turn and two mirrors.
    let taken = Cells(0b0001_0001);
    let keeping = |e: &Element| taken.map(|cell| group.image(*e, cell)).collect::<Cells>() == taken;
    let elements: Vec<Element> = group.elements().filter(keeping).collect();
    assert_eq!(elements.len(), 4);
    for size in 0..=6 {
        let classes = SetClasses::beside(&group, &elements, taken, size);
        let image = |e: Element, set: Cells| set.map(|cell| group.image(e, cell)).collect::<Cells>();
        let smallest_image = |set: Cells| elements.iter().map(|&e| image(e, set)).min().unwrap();
        let free: Vec<Cells> = sets(8, size).into_iter().filter(|set| !set.meets(taken)).collect();
        let smallest: BTreeSet<Cells> = free.iter().map(|&set| smallest_image(set)).collect();
        assert_eq!(classes.count() as usize, smallest.len());
        assert!(classes.all().map(|(set, ..)| set).eq(free.iter().copied()));
        for (set, class, element) in classes.all() {
            assert_eq!(classes.find(set), (class, element));
            assert_eq!(classes.representative(class), smallest_image(set));
            assert_eq!(group.image_of(element, set), classes.representative(class));
        }
    }
}

#[test]
#[should_panic(expected = "in place")]
fn elements_that_move_taken_cells_are_refused() {
    let group = dihedral(5);
    let all: Vec<Element> = group.elements().collect();
    let _ = SetClasses::beside(&group, &all, Cells(1), 2);
}

#[test]
#[should_panic(expected = "inverse")]
fn permutations_that_are_no_group_are_refused() {
    let turned = (0..5).map(|c| Cell((c + 1) % 5)).collect();
    let _ = Group::new(vec![(0..5).map(Cell).collect(), turned]);
}
