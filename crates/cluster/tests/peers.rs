//! Ranks as threads: messages reach the right rank, and errors name a lost rank.

use std::thread;

use marquis_cluster::peers::most_bytes;
use marquis_cluster::talk::{any, first_word, swap_long, tell_all};
use marquis_cluster::threads::ThreadPeer;
use marquis_cluster::{Alone, Error, Hello, Outbox, Peers, Rank, Ranks};

fn ranks(count: u32) -> Ranks {
    Ranks::new(count).expect("more than none")
}

/// Runs `work` on `count` ranks and returns the results.
fn among<T: Send>(count: u32, work: impl Fn(&dyn Peers) -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let work = &work;
        let start = |peer: ThreadPeer| scope.spawn(move || work(&peer));
        let running: Vec<_> = ThreadPeer::some(ranks(count)).into_iter().map(start).collect();
        running.into_iter().map(|rank| rank.join().expect("no panic")).collect()
    })
}

#[test]
fn each_batch_comes_to_its_rank() {
    for count in [1, 2, 3, 7] {
        let received = among(count, |peers| {
            let own = peers.rank().0 as u8;
            let batch = |to: Rank| [own, to.0 as u8].repeat(own as usize);
            peers.swap(peers.ranks().all().map(batch).collect()).expect("all are there")
        });
        for (to, batches) in received.iter().enumerate() {
            let expected: Vec<Vec<u8>> =
                (0..count as u8).map(|from| [from, to as u8].repeat(from as usize)).collect();
            assert_eq!(*batches, expected);
        }
    }
}

#[test]
fn the_largest_number_is_the_same_for_all() {
    let largest =
        among(5, |peers| peers.largest(u64::from(peers.rank().0 * 7 % 5) << 40).expect("all are there"));
    assert_eq!(largest, [4 << 40; 5]);
    let someone = among(4, |peers| any(peers, peers.rank() == Rank(2)).expect("all are there"));
    let nobody = among(4, |peers| any(peers, false).expect("all are there"));
    assert_eq!((someone, nobody), (vec![true; 4], vec![false; 4]));
}

#[test]
fn long_texts_go_in_pieces() {
    let long = (3 << 20) + 17;
    let received = among(3, |peers| {
        let own = peers.rank().0 as u8;
        let text = |to: Rank| vec![own * 16 + to.0 as u8; long * usize::from(own)];
        swap_long(peers, &peers.ranks().all().map(text).collect::<Vec<_>>()).expect("all are there")
    });
    for (to, texts) in received.iter().enumerate() {
        for (from, text) in texts.iter().enumerate() {
            assert_eq!(text.len(), long * from);
            assert!(text.iter().all(|&byte| usize::from(byte) == from * 16 + to));
        }
    }
}

#[test]
fn what_one_rank_has_to_say_all_hear() {
    let heard = among(3, |peers| {
        let own = (peers.rank() == Rank(1)).then_some(b"the disk is full".as_slice());
        first_word(peers, own).expect("all are there")
    });
    assert_eq!(heard, vec![Some((Rank(1), b"the disk is full".to_vec())); 3]);
    let silent = among(3, |peers| first_word(peers, (peers.rank() == Rank(2)).then_some([].as_slice())));
    assert_eq!(silent, vec![Ok(Some((Rank(2), Vec::new()))); 3]);
    assert_eq!(among(3, |peers| first_word(peers, None)), vec![Ok(None); 3]);
}

/// Returns when all ranks have called it.
fn wait_for_all(peers: &dyn Peers) -> Result<(), Error> {
    peers.largest(0).map(|_| ())
}

#[test]
fn a_rank_that_ends_in_the_middle_is_named() {
    let ends = among(3, |peers| {
        wait_for_all(peers)?;
        if peers.rank() == Rank(1) {
            return Ok(());
        }
        wait_for_all(peers)
    });
    let gone = Error::Lost { rank: Rank(1) };
    let lost = Err(gone.clone());
    // Rank 0 asks rank 1 first; rank 2 may see rank 0 as lost, because it has given up by then.
    assert_eq!((&ends[0], &ends[1]), (&lost, &Ok(())));
    assert!(matches!(ends[2], Err(Error::Lost { .. })), "{:?}", ends[2]);
    assert!(gone.to_string().starts_with("rank 1 ended before"));
}

#[test]
fn all_hear_the_same_of_a_difference() {
    let said = |peers: &dyn Peers, odd: Rank| {
        let tables = if peers.rank() == odd { "02v01 4f" } else { "02v01 3e" };
        Hello::new()
            .with("the game", "squish", "ask for one")
            .with("the table", tables, "fetch it")
            .agree(peers)
    };
    assert_eq!(among(4, |peers| said(peers, Rank(9))), vec![Ok(()); 4]);
    let differs = among(4, |peers| said(peers, Rank(2)));
    let expected = Error::Differs {
        what: "the table".to_owned(),
        first: Rank(0),
        expected: "02v01 3e".to_owned(),
        rank: Rank(2),
        found: "02v01 4f".to_owned(),
        advice: "fetch it",
    };
    assert_eq!(differs, vec![Err(expected.clone()); 4]);
    let words = expected.to_string();
    for part in ["the table", "rank 0", "02v01 3e", "rank 2", "02v01 4f", "fetch it"] {
        assert!(words.contains(part), "{words}");
    }
}

#[test]
fn a_rank_that_says_less_or_something_else_differs() {
    let fewer = among(2, |peers| {
        let hello = Hello::new().with("the version", "1", "install one");
        if peers.rank() == Rank(1) { hello } else { hello.with("the tables", "none", "fetch them") }
            .agree(peers)
    });
    assert!(
        matches!(&fewer[0], Err(Error::Differs { rank: Rank(1), found, .. }) if found == "nothing"),
        "{fewer:?}"
    );
    let noise = among(2, |peers| {
        if peers.rank() == Rank(1) {
            return tell_all(peers, &[0xff; 11]).map(|_| ());
        }
        Hello::new().with("the version", "1", "install one").agree(peers)
    });
    assert!(matches!(&noise[0], Err(Error::Differs { rank: Rank(1), .. })), "{noise:?}");
}

#[test]
fn what_is_sent_to_others_is_counted() {
    let traffic = among(3, |peers| {
        let mut outbox = Outbox::new(peers.ranks(), 8);
        outbox.put(peers.rank(), &[0; 8]);
        outbox.put(Rank((peers.rank().0 + 1) % 3), &[0; 5]);
        assert_eq!((outbox.room(peers.rank()), outbox.room(Rank((peers.rank().0 + 2) % 3))), (0, 8));
        outbox.swap(peers).expect("all are there");
        peers.largest(0).expect("all are there");
        peers.traffic()
    });
    for own in traffic {
        assert_eq!((own.sent_bytes, own.messages, own.rounds), (5, 1, 2));
    }
}

#[test]
#[should_panic(expected = "a batch of")]
fn a_batch_without_bound_is_refused() {
    let most = most_bytes(Ranks::ONE);
    let _ = Alone.swap(vec![vec![0; most + 1]]);
}

#[test]
fn among_many_ranks_all_batches_together_keep_to_four_bytes() {
    for count in [1, 2, 63, 64, 65, 1000, 1 << 20] {
        let received = most_bytes(ranks(count)) as u64 * u64::from(count);
        assert!(received <= 1 << 30 && received > 1 << 23, "{count} ranks: {received}");
    }
}
