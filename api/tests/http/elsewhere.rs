//! Remote tables: in a bucket that answers, does not answer, is not reached, or sends wrong bytes.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use actix_web::rt::spawn;
use actix_web::web::Data;
use marquis_api::{AppState, Config};
use marquis_core::GameId;
use marquis_engine::{Engine, EngineOptions};
use marquis_registry::official;
use marquis_table::elsewhere::is_address;
use marquis_table::{Elsewhere, Error as TableError, FarFolder, Found, Pieces};
use serde_json::{Value, json};

use crate::service::{PATIENCE, generated, get, post, settings};

const ADDRESS: &str = "s3://bucket/tables";
/// White wins in one (README); two pieces each.
const NEAR: &str = "/v1/squish?position=3/wb2/5/1w1b/3_w";
/// Three pieces each.
const FAR: &str = "/v1/squish?position=bbw/4/w3b/4/w2_w";

/// The behaviour of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    Well,
    /// Requests wait until the mood changes.
    Silent,
    Away,
    /// Sends wrong bytes.
    Wrong,
}

/// The shared state of a bucket.
struct Known {
    mood: Mutex<Mood>,
    /// The names of the threads that sent requests.
    asked_by: Mutex<BTreeSet<String>>,
}

impl Known {
    fn mood(&self) -> MutexGuard<'_, Mood> {
        self.mood.lock().unwrap()
    }

    fn set(&self, mood: Mood) {
        *self.mood() = mood;
    }

    fn take_threads(&self) -> BTreeSet<String> {
        std::mem::take(&mut *self.asked_by.lock().unwrap())
    }
}

/// A local folder that acts as a remote one.
struct Bucket {
    folder: PathBuf,
    known: Arc<Known>,
}

impl Bucket {
    fn bytes(&self, path: &str) -> Result<Vec<u8>, TableError> {
        let name = self.name(path);
        let thread = std::thread::current().name().unwrap_or_default().to_owned();
        self.known.asked_by.lock().unwrap().insert(thread);
        let begun = Instant::now();
        while *self.known.mood() == Mood::Silent && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
        }
        if *self.known.mood() == Mood::Away {
            let source = std::io::Error::other("nobody is there");
            return Err(TableError::NotReached { name, tries: 1, source });
        }
        fs::read(self.folder.join(path)).map_err(|_| TableError::NotThere { name })
    }
}

impl Elsewhere for Bucket {
    fn address(&self) -> &str {
        ADDRESS
    }

    fn find(&self, path: &str, _: &dyn Fn() -> bool) -> Result<Option<Found>, TableError> {
        let bytes = self.bytes(path)?.len() as u64;
        Ok(Some(Found { bytes, mark: Some("1".to_owned()) }))
    }

    fn read(
        &self,
        path: &str,
        _: &Found,
        from: u64,
        take: &mut dyn FnMut(&[u8]) -> Result<(), TableError>,
        _: &dyn Fn() -> bool,
    ) -> Result<bool, TableError> {
        take(&self.bytes(path)?[from as usize..]).map(|()| true)
    }

    fn piece(&self, path: &str, _: &Found, range: Range<u64>) -> Result<Vec<u8>, TableError> {
        let mut piece = self.bytes(path)?[range.start as usize..range.end as usize].to_vec();
        if *self.known.mood() == Mood::Wrong {
            piece.iter_mut().for_each(|byte| *byte ^= 1);
        }
        Ok(piece)
    }
}

/// A service with the tables of Squish on side 3 with up to two pieces each in a folder, and up to three in a bucket.
struct Service {
    state: Data<AppState>,
    bucket: Arc<Known>,
    far: Arc<FarFolder>,
    place: tempfile::TempDir,
}

fn build(folder: &Path, pieces: &str) {
    generated(folder, GameId::new("squish"), |query| {
        (query.side, query.pieces) = (Some(3), Some(pieces.to_owned()));
    });
}

fn serving(config: Config, elsewhere: Vec<Arc<FarFolder>>) -> Data<AppState> {
    let tables = config.tables.iter().filter(|place| !is_address(place.to_str().unwrap())).cloned().collect();
    let state = AppState::starting(official(), config).unwrap();
    // No memory cache, so that every look-up sends requests.
    let options = EngineOptions { tables, elsewhere, cache_bytes: 0, ..EngineOptions::default() };
    state.open(Engine::open(official(), options).unwrap().0);
    Data::new(state)
}

impl Service {
    /// * `kept`: the size of the disk cache in bytes.
    fn keeping(kept: u64) -> Self {
        let place = tempfile::tempdir().unwrap();
        let (near, folder) = (place.path().join("near"), place.path().join("far"));
        build(&near, "2v2");
        build(&folder, "3v3");
        let bucket = Arc::new(Known { mood: Mutex::new(Mood::Well), asked_by: Mutex::default() });
        let pieces = Pieces::new(&place.path().join("pieces"), kept).unwrap();
        let far = FarFolder::new(Box::new(Bucket { folder, known: Arc::clone(&bucket) }), pieces);
        let far = Arc::new(far);
        let config = Config { tables: vec![near, PathBuf::from(ADDRESS)], ..settings() };
        let state = serving(config, vec![Arc::clone(&far)]);
        bucket.take_threads();
        Self { state, bucket, far, place }
    }

    async fn answer(&self, uri: &str) -> Value {
        let reply = get(&self.state, uri).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.json()
    }

    /// The same service with all tables in a local folder.
    fn of_folders(&self) -> Data<AppState> {
        serving(Config { tables: vec![self.place.path().join("far")], ..settings() }, Vec::new())
    }

    async fn refused(&self, uri: &str) {
        let reply = get(&self.state, uri).await;
        assert_eq!((reply.status.as_u16(), reply.header("retry-after")), (503, "10"), "{}", reply.text);
        assert_eq!(reply.json()["type"], "urn:marquis:problem:tables-not-reached");
        assert!(!reply.text.contains("bucket"), "{}", reply.text);
    }
}

#[actix_web::test]
async fn answers_are_those_of_folders_and_no_thread_that_talks_to_clients_waits() {
    let service = Service::keeping(0);
    let folders = service.of_folders();
    let batch = json!({"positions": ["bbw/4/w3b/4/w2 w", "3/wb2/5/1w1b/3 w", "nonsense"], "budget_ms": 0});
    for uri in [NEAR, FAR, &format!("{FAR}&line=true"), &format!("{FAR}&level=8&budget_ms=50&seed=1")] {
        assert_eq!(service.answer(uri).await, get(&folders, uri).await.json(), "{uri}");
    }
    let expected = post(&folders, "/v1/squish", &batch).await.json();
    assert_eq!(expected["answers"][0]["proof"], "table", "{expected}");
    assert_eq!(post(&service.state, "/v1/squish", &batch).await.json(), expected);
    let threads = service.bucket.take_threads();
    let is_meant = |name: &String| name.starts_with("elsewhere-") || name.starts_with("far-search-");
    assert!(!threads.is_empty() && threads.iter().all(is_meant), "{threads:?}");
}

#[test]
fn tables_that_come_to_a_place_elsewhere_are_loaded() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("far");
    build(&folder, "1v1");
    let known = Arc::new(Known { mood: Mutex::new(Mood::Well), asked_by: Mutex::default() });
    let pieces = Pieces::new(&place.path().join("pieces"), 0).unwrap();
    let far = FarFolder::new(Box::new(Bucket { folder: folder.clone(), known: Arc::clone(&known) }), pieces);
    let options = EngineOptions { elsewhere: vec![Arc::new(far)], ..EngineOptions::default() };
    let (engine, _) = Engine::open(official(), options).unwrap();
    let few = engine.tables().len();
    assert!(engine.look_elsewhere().unwrap().is_none());
    build(&folder, "2v2");
    known.set(Mood::Away);
    assert!(engine.look_elsewhere().unwrap_err().is_not_reached());
    assert_eq!(engine.tables().len(), few);
    known.set(Mood::Well);
    assert!(engine.look_elsewhere().unwrap().is_some_and(|left_out| left_out.is_empty()));
    assert!(few > 0 && engine.tables().len() > few && engine.look_elsewhere().unwrap().is_none());
}

#[actix_web::test]
async fn places_elsewhere_are_listed_with_what_came_of_them() {
    let service = Service::keeping(1 << 20);
    let tables = service.answer("/v1/tables").await["tables"].as_array().unwrap().clone();
    let at = |table: &&Value| table["address"] == ADDRESS;
    assert!(tables.iter().any(|table| table.get("address").is_none()));
    let far = tables.iter().filter(at).count();
    assert!(far > 4, "{tables:?}");
    let place = json!([{"address": ADDRESS, "tables": far, "reached": true}]);
    assert_eq!(service.answer("/healthz").await["elsewhere"], place);
    let count = async |came: &str| -> u64 {
        let metrics = get(&service.state, "/metrics").await.text;
        let name = format!("marquis_elsewhere_pieces_total{{address=\"{ADDRESS}\",came=\"{came}\"}} ");
        let line =
            metrics.lines().find_map(|line| line.strip_prefix(&name)).unwrap_or_else(|| panic!("{metrics}"));
        assert!(metrics.contains(&format!("marquis_elsewhere_reached{{address=\"{ADDRESS}\"}} 1\n")));
        line.trim().parse().unwrap()
    };
    let fetched = count("fetched").await;
    service.answer(FAR).await;
    assert!(fetched > 0 && count("kept").await > 0 && count("failed").await == 0);
    // The service does not send files of a bucket.
    let reply = get(&service.state, "/v1/tables/squish-s3/03v03.mqt").await;
    let lies = format!("is a remote table; download it from {ADDRESS}/squish-s3/03v03.mqt");
    assert!(
        reply.status == 404 && reply.json()["detail"].as_str().unwrap().contains(&lies),
        "{}",
        reply.text
    );
}

#[actix_web::test]
async fn a_place_that_does_not_answer_holds_up_nobody_who_needs_it_not() {
    let service = Service::keeping(0);
    let expected = service.answer(FAR).await;
    service.bucket.set(Mood::Silent);
    // More than the number of threads for them.
    let asking: Vec<_> = (0..20)
        .map(|number| {
            let (state, own) = (service.state.clone(), format!("{FAR}&budget_ms={number}"));
            spawn(async move { get(&state, &own).await })
        })
        .collect();
    let state = service.state.clone();
    let batch = spawn(async move {
        let far = json!({"positions": ["bbw/4/w3b/4/w2 w"], "budget_ms": 0});
        post(&state, "/v1/squish", &far).await
    });
    let waiting = || service.far.figures().waiting;
    let begun = Instant::now();
    while waiting() == 0 && begun.elapsed() < PATIENCE {
        actix_web::rt::time::sleep(Duration::from_millis(5)).await;
    }
    for number in 0..20 {
        assert_eq!(service.answer(&format!("{NEAR}&budget_ms={number}")).await["proof"], "table");
    }
    let near = json!({"positions": vec!["3/wb2/5/1w1b/3 w"; 100], "budget_ms": 0});
    let near = post(&service.state, "/v1/squish", &near).await.json();
    assert!(near["answers"].as_array().unwrap().iter().all(|answer| answer["proof"] == "table"), "{near}");
    let searched = service.answer("/v1/swish?position=w1w/4/1ooo1/4/b1b_w_0-0_2&budget_ms=30000").await;
    assert_eq!((&searched["value"], &searched["plies"]), (&json!("loss"), &json!(12)), "{searched}");
    assert_eq!(get(&service.state, "/readyz").await.status, 200);
    assert!(waiting() > 0 && asking.iter().all(|asked| !asked.is_finished()) && !batch.is_finished());
    service.bucket.set(Mood::Well);
    for asked in asking {
        assert_eq!(asked.await.unwrap().json(), expected);
    }
    assert_eq!(batch.await.unwrap().json()["answers"][0]["value"], expected["value"]);
}

#[actix_web::test]
async fn what_needs_a_place_that_is_away_is_refused_until_it_is_back() {
    let service = Service::keeping(0);
    let expected = service.answer(FAR).await;
    for (mood, reached) in [(Mood::Away, false), (Mood::Wrong, true)] {
        service.bucket.set(mood);
        service.refused(&format!("{FAR}&budget_ms=1")).await;
        service.refused(&format!("{FAR}&line=true")).await;
        service.refused(&format!("{FAR}&level=8&seed=1")).await;
        let both = json!({"positions": ["bbw/4/w3b/4/w2 w", "3/wb2/5/1w1b/3 w"], "budget_ms": 100});
        let both = post(&service.state, "/v1/squish", &both).await.json();
        assert_eq!(both["answers"][0]["problem"]["type"], "urn:marquis:problem:tables-not-reached", "{both}");
        assert_eq!(both["answers"][1]["proof"], "table", "{both}");
        // Everything else works as usual.
        assert_eq!(service.answer(&format!("{NEAR}&budget_ms=7")).await["proof"], "table");
        let health = get(&service.state, "/readyz").await;
        assert_eq!(
            (health.status.as_u16(), &health.json()["elsewhere"][0]["reached"]),
            (200, &json!(reached))
        );
        service.bucket.set(Mood::Well);
        assert!(!service.far.has_changed().unwrap());
        assert_eq!(service.answer(&format!("{FAR}&budget_ms=2")).await, expected, "after {mood:?}");
    }
    assert!(service.far.figures().failed > 0);
}

#[actix_web::test]
async fn what_a_search_might_have_been_told_by_a_place_that_is_away_is_not_called_unknown() {
    let service = Service::keeping(0);
    // Four pieces each, some plies from captures: in no table, and too hard for so few positions.
    let deep = "/v1/squish?position=wbw/4/b3b/4/wbw_w&nodes=700";
    let known = service.answer(deep).await;
    assert!(service.bucket.take_threads().iter().any(|name| name.starts_with("far-search-")), "{known}");
    assert_eq!(known["value"], "unknown", "{known}");
    service.bucket.set(Mood::Away);
    // A different question, because the answer to the first one is cached.
    service.refused("/v1/squish?position=wbw/4/b3b/4/wbw_w&nodes=701").await;
    service.bucket.set(Mood::Well);
    service.far.has_changed().unwrap();
    assert_eq!(service.answer(&format!("{deep}&budget_ms=29000")).await["value"], "unknown");
}
