//! Lists in memory and on disk agree.

use std::cell::Cell;

use super::*;
use crate::pool::ProofPool;

/// A number spread over the whole range.
fn position(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[test]
fn what_goes_to_disk_in_the_middle_is_found_as_if_it_had_stayed_in_memory() {
    const MOST: u64 = 300_000;
    let (disk, pool, crowded) =
        (Disk::new(std::env::temp_dir(), 64 << 20), ProofPool::new(1 << 20), Cell::default());
    let mut room = ProofRoom { share: pool.share(&crowded), disk: Some(&disk) };
    let (mut listed, mut held) =
        (NotedPositions::<u64, u32>::default(), NotedPositions::<u64, u32>::default());
    let both =
        |number: u64, listed: &mut NotedPositions<'_, u64, u32>, held: &mut NotedPositions<'_, u64, u32>| {
            let (position, note) = (position(number), number as u32);
            assert_eq!(listed.find(&position), held.find(&position));
            assert_eq!(listed.add(position, note), held.add(position, note));
        };
    for number in 0..MOST {
        if listed.begins_chunk() {
            room.make(&mut listed, 0).expect("there is disk");
        }
        both(number, &mut listed, &mut held);
        // Forgets some positions and adds others in their place.
        if number % 50_000 == 49_999 {
            for listed in [&mut listed, &mut held] {
                listed.truncate(number as MetNumber - 5_000);
                listed.set_note(17, number as u32).expect("it is there");
            }
            for number in number - 5_000..=number {
                both(number ^ 1 << 40, &mut listed, &mut held);
            }
        }
    }
    assert!(matches!(listed, NotedPositions::Filed(_)) && matches!(held, NotedPositions::Held(_)));
    assert_eq!(listed.len(), held.len());
    for number in 0..MOST {
        for number in [number, number ^ 1 << 40] {
            let found = listed.find(&position(number)).expect("the disk reads");
            assert_eq!(Ok(found), held.find(&position(number)), "{number}");
            if let Some(id) = found {
                assert_eq!(listed.get(id), held.get(id), "{number}");
            }
        }
    }
    // Its memory is bounded, and its disk is released.
    assert!(listed.bytes() <= pool.bytes());
    assert!((8 << 20..64 << 20).contains(&disk.taken()), "{} bytes", disk.taken());
    drop(listed);
    assert_eq!(disk.taken(), 0);
}

#[test]
fn a_disk_that_is_too_small_ends_it() {
    let (disk, pool, crowded) =
        (Disk::new(std::env::temp_dir(), 4 << 20), ProofPool::new(1 << 20), Cell::default());
    let mut room = ProofRoom { share: pool.share(&crowded), disk: Some(&disk) };
    let mut listed = NotedPositions::<u64, u32>::default();
    let mut add = |number: u64| {
        if listed.begins_chunk() {
            room.make(&mut listed, 0)?;
        }
        listed.add(position(number), 0)
    };
    let ended = (0..1_000_000).find_map(|number| add(number).err());
    assert_eq!(ended, Some(Ended::Memory));
    assert_eq!(disk.trouble(), Some(crate::DiskTrouble::Limit { bytes: 4 << 20 }));
}
