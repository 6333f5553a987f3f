//! The world of MPI: all processes that the launcher started.
//!
//! Only the thread that initialised MPI calls it; the work runs on another thread, which hands its batches over.
//! Another rank may take hours, and MPI waits busily. So the ranks first gather at a barrier that is polled, and swap
//! the batches only when all have arrived.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mpi::collective::SystemOperation;
use mpi::datatype::{Partition, PartitionMut};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives as _};
use mpi::{Count, Threading};

use marquis_cluster::peers::expect_bounded;
use marquis_cluster::{Error, Meter, Peers, Rank, RankBytes, Ranks, Traffic, launch};

/// How long the barrier is polled without a sleep, since the other ranks often arrive at once.
const EAGER: Duration = Duration::from_micros(200);
/// The sleep between later polls.
const REST: Duration = Duration::from_micros(200);

/// Returns the result of `work`, run as one of the ranks that the launcher started; once per process.
///
/// A panic of the work ends the processes of all ranks.
///
/// # Errors
/// MPI is not available, or reaches other ranks than the launcher started.
pub fn among<T: Send>(work: impl FnOnce(&dyn Peers) -> T + Send) -> Result<T, Error> {
    let Some((universe, threading)) = mpi::initialize_with_threading(Threading::Funneled) else {
        return Err(Error::NoThreads { found: "that it was already started and finished".to_owned() });
    };
    if threading < Threading::Funneled {
        return Err(Error::NoThreads { found: format!("{threading:?}") });
    }
    let world = universe.world();
    let found = world.size() as u32;
    let ranks = Ranks::new(found).unwrap_or(Ranks::ONE);
    if let Some(launched) = launch::launched().filter(|launched| *launched != ranks) {
        let advice =
            "start it by the launcher of the MPI that it was compiled with, under Slurm `srun --mpi=pmix`";
        return Err(Error::Apart { launched: launched.get(), found, advice });
    }
    let (ask, asked) = channel();
    let (answer, answers) = channel();
    let desk = Mutex::new(WorldChannel { ask, answers });
    let office = Office { rank: Rank(world.rank() as u32), ranks, desk, meter: Meter::default() };
    std::thread::scope(|scope| {
        let worker = scope.spawn(move || work(&office));
        serve(&world, &asked, &answer);
        // Otherwise the other ranks would wait for ever for a rank that makes no more calls.
        worker.join().or_else(|_| world.abort(101))
    })
}

/// A request from the work to the thread that calls MPI.
enum WorldRequest {
    Swap(Vec<RankBytes>),
    Largest(u64),
}

enum WorldResponse {
    Swapped(Vec<RankBytes>, Spent),
    Largest(u64, Spent),
}

/// The time that a call took.
#[derive(Clone, Copy)]
struct Spent {
    waiting: Duration,
    sending: Duration,
}

/// Answers requests until the work ends.
fn serve(world: &SimpleCommunicator, asked: &Receiver<WorldRequest>, answer: &Sender<WorldResponse>) {
    let mut buffers = Buffers::default();
    for call in asked {
        let begun = Instant::now();
        gather(world);
        let gathered = Instant::now();
        let spent = || Spent { waiting: gathered - begun, sending: gathered.elapsed() };
        let answered = match call {
            WorldRequest::Swap(batches) => WorldResponse::Swapped(buffers.swap(world, batches), spent()),
            WorldRequest::Largest(own) => {
                let mut largest = own;
                world.all_reduce_into(&own, &mut largest, SystemOperation::max());
                WorldResponse::Largest(largest, spent())
            }
        };
        if answer.send(answered).is_err() {
            return;
        }
    }
}

/// Returns when all ranks have arrived.
fn gather(world: &SimpleCommunicator) {
    let begun = Instant::now();
    let mut barrier = world.immediate_barrier();
    while let Err(open) = barrier.test() {
        if begun.elapsed() > EAGER {
            std::thread::sleep(REST);
        } else {
            std::thread::yield_now();
        }
        barrier = open;
    }
}

/// The buffers of a swap, kept between calls because the system clears newly allocated memory.
#[derive(Default)]
struct Buffers {
    sent: Vec<u8>,
    received: Vec<u8>,
}

impl Buffers {
    /// Returns the batches of the other ranks for this one, in the lists that were passed.
    fn swap(&mut self, world: &SimpleCommunicator, mut batches: Vec<RankBytes>) -> Vec<RankBytes> {
        let counts: Vec<Count> =
            batches.iter().map(|batch| Count::try_from(batch.len()).expect("batches have a bound")).collect();
        let mut coming: Vec<Count> = vec![0; counts.len()];
        world.all_to_all_into(&counts[..], &mut coming[..]);
        let total: Count = coming.iter().sum();
        let Self { sent, received } = self;
        sent.clear();
        batches.iter().for_each(|batch| sent.extend_from_slice(batch));
        // One byte more than needed: the address of an empty list is 1, which MPI takes for "in place".
        sent.push(0);
        if received.len() <= total as usize {
            received.resize(total as usize + 1, 0);
        }
        {
            let own = Partition::new(&sent[..], &counts[..], places(&counts));
            let mut others = PartitionMut::new(&mut received[..], &coming[..], places(&coming));
            world.all_to_all_varcount_into(&own, &mut others);
        }
        let mut rest = received.as_slice();
        for (batch, count) in batches.iter_mut().zip(&coming) {
            let (own, others) = rest.split_at(*count as usize);
            rest = others;
            batch.clear();
            batch.extend_from_slice(own);
        }
        batches
    }
}

/// The start of each part.
fn places(counts: &[Count]) -> Vec<Count> {
    let begin = |sum: &mut Count, count: &Count| {
        let place = *sum;
        *sum += count;
        Some(place)
    };
    counts.iter().scan(0, begin).collect()
}

/// A rank as its work sees it.
struct Office {
    rank: Rank,
    ranks: Ranks,
    desk: Mutex<WorldChannel>,
    meter: Meter,
}

struct WorldChannel {
    ask: Sender<WorldRequest>,
    answers: Receiver<WorldResponse>,
}

impl Office {
    fn ask(&self, call: WorldRequest) -> WorldResponse {
        let desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        desk.ask.send(call).expect("the thread that speaks MPI is there as long as somebody asks");
        desk.answers.recv().expect("every call is answered")
    }

    fn spent(&self, Spent { waiting, sending }: Spent) {
        self.meter.waited(waiting);
        self.meter.sending(sending);
    }
}

impl Peers for Office {
    fn rank(&self) -> Rank {
        self.rank
    }

    fn ranks(&self) -> Ranks {
        self.ranks
    }

    fn swap(&self, batches: Vec<RankBytes>) -> Result<Vec<RankBytes>, Error> {
        expect_bounded(self.ranks, &batches);
        self.meter.batches(self.rank, &batches);
        match self.ask(WorldRequest::Swap(batches)) {
            WorldResponse::Swapped(batches, spent) => {
                self.spent(spent);
                Ok(batches)
            }
            WorldResponse::Largest(..) => unreachable!("a call is answered in kind"),
        }
    }

    fn largest(&self, own: u64) -> Result<u64, Error> {
        self.meter.round();
        match self.ask(WorldRequest::Largest(own)) {
            WorldResponse::Largest(largest, spent) => {
                self.spent(spent);
                Ok(largest)
            }
            WorldResponse::Swapped(..) => unreachable!("a call is answered in kind"),
        }
    }

    fn traffic(&self) -> Traffic {
        self.meter.traffic()
    }
}
