//! The metrics of the service, in the Prometheus format.

use std::fmt::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Metric, Registry, Unit};

use marquis_engine::PlaceElsewhere;
use marquis_table::FarFigures;
use marquis_wire::reports::SubTableFigures;

use crate::room::UnderWay;

/// Upper bounds of the durations, in seconds.
const BOUNDS: [f64; 13] =
    [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10.0, 60.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    route: &'static str,
    method: &'static str,
    status: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SourceLabels {
    source: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StateLabels {
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PlaceLabels {
    address: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PiecesOf {
    address: String,
    /// `fetched`, `kept` or `failed`.
    came: &'static str,
}

/// The metrics of the service.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter>,
    durations: Family<Route, Histogram, fn() -> Histogram>,
    answers: Family<SourceLabels, Counter>,
    jobs: Family<StateLabels, Gauge>,
    searches: Gauge,
    tables: Gauge,
    sub_tables: Gauge,
    sub_table_bytes: Gauge,
    /// Of remote places.
    reached: Family<PlaceLabels, Gauge>,
    waiting: Family<PlaceLabels, Gauge>,
    far_pieces: Family<PiecesOf, Counter>,
    cached: Gauge,
    cached_bytes: Gauge,
    reply_bytes: Gauge,
    most_bytes: Gauge,
    request_bytes: Gauge,
    unsent_bytes: Gauge,
    positions: Gauge,
    cut_off: Gauge,
    damaged: Gauge,
    faults: Gauge,
    resident: Gauge,
}

/// Values that are read only when the metrics are requested.
pub(crate) struct Levels {
    pub(crate) jobs: Vec<(&'static str, i64)>,
    pub(crate) searches: usize,
    pub(crate) tables: usize,
    /// Tables that were built for a request and are kept.
    pub(crate) sub_tables: SubTableFigures,
    /// The places of remote tables.
    pub(crate) elsewhere: Vec<PlaceElsewhere>,
    /// Cached answers and their bytes.
    pub(crate) cached: (u64, u64),
    pub(crate) under_way: UnderWay,
    /// The number of current faults, and of all faults found so far.
    pub(crate) damaged: usize,
    pub(crate) faults: u64,
}

/// Registers a metric.
fn put<M: Metric + Clone>(to: &mut Registry, name: &str, help: &str, unit: Option<Unit>, figure: M) -> M {
    match unit {
        Some(unit) => to.register_with_unit(name, help, unit, figure.clone()),
        None => to.register(name, help, figure.clone()),
    }
    figure
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::default();
        let gauge = Gauge::default;
        let memory = "Memory in use by the process";
        let resident = put(&mut registry, "process_resident_memory", memory, Some(Unit::Bytes), gauge());
        let to = registry.sub_registry_with_prefix("marquis");
        let started = Gauge::<f64, AtomicU64>::default();
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        started.set(now.unwrap_or_default().as_secs_f64());
        put(to, "start_time", "Start of the service, since 1970", Some(Unit::Seconds), started);
        // `Info` cannot be cloned.
        to.register("build", "The running version", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
        let bounds: fn() -> Histogram = || Histogram::new(BOUNDS);
        let durations = Family::new_with_constructor(bounds);
        let (took, sources) = ("Time from a request to its response", "Positions answered, by source");
        let replies = "Memory reserved for the answers of running batches";
        let room = "Memory limit of answers in progress, and again of requests";
        let requests = "Memory reserved for requests that are being read";
        let unsent = "Bytes that wait in connections for slow clients";
        let positions = "Positions of batches without an answer yet";
        let cut_off = "Clients disconnected because they did not read";
        let damaged = "Damaged tables, weights, jobs and proofs, which are left out; /healthz names them";
        let faults = "Damaged files and entries found";
        let sub_tables = "Cached tables that were built in memory for a question";
        let sub_table_bytes = "Approximate memory of these tables";
        let reached = "Whether the last request for remote tables reached them: 1 or 0";
        let waiting = "Requests that wait for remote tables";
        let far_pieces = "Requested blocks of remote tables: fetched, cached or failed";
        let kept_bytes = "Approximate memory of cached answers";
        Self {
            requests: put(to, "http_requests", "Requests answered", None, Family::default()),
            durations: put(to, "http_request_duration", took, Some(Unit::Seconds), durations),
            answers: put(to, "answers", sources, None, Family::default()),
            jobs: put(to, "jobs", "Jobs in memory, by state", None, Family::default()),
            searches: put(to, "searches", "Searches that wait or run", None, gauge()),
            tables: put(to, "tables", "Tables that are loaded", None, gauge()),
            sub_tables: put(to, "sub_tables", sub_tables, None, gauge()),
            sub_table_bytes: put(to, "sub_tables", sub_table_bytes, Some(Unit::Bytes), gauge()),
            reached: put(to, "elsewhere_reached", reached, None, Family::default()),
            waiting: put(to, "elsewhere_waiting", waiting, None, Family::default()),
            far_pieces: put(to, "elsewhere_pieces", far_pieces, None, Family::default()),
            cached: put(to, "cached_answers", "Answers that are kept ready", None, gauge()),
            cached_bytes: put(to, "cached_answers", kept_bytes, Some(Unit::Bytes), gauge()),
            reply_bytes: put(to, "reply_room_used", replies, Some(Unit::Bytes), gauge()),
            most_bytes: put(to, "reply_room", room, Some(Unit::Bytes), gauge()),
            request_bytes: put(to, "request_room_used", requests, Some(Unit::Bytes), gauge()),
            unsent_bytes: put(to, "unsent", unsent, Some(Unit::Bytes), gauge()),
            positions: put(to, "batch_positions", positions, None, gauge()),
            cut_off: put(to, "clients_cut_off", cut_off, None, gauge()),
            damaged: put(to, "damaged", damaged, None, gauge()),
            faults: put(to, "faults", faults, None, gauge()),
            resident,
            registry,
        }
    }

    /// Counts a response.
    pub(crate) fn responded(&self, route: &'static str, method: &'static str, status: u16, took: Duration) {
        self.requests.get_or_create(&Request { route, method, status: status.into() }).inc();
        self.durations.get_or_create(&Route { route }).observe(took.as_secs_f64());
    }

    /// Counts an answer: `cache`, `rules`, `table`, `search` or `none`.
    pub(crate) fn answered(&self, source: &'static str) {
        self.answers.get_or_create(&SourceLabels { source }).inc();
    }

    /// All metrics as text.
    pub(crate) fn text(&self, levels: &Levels) -> Result<String, Error> {
        for &(state, count) in &levels.jobs {
            self.jobs.get_or_create(&StateLabels { state }).set(count);
        }
        levels.elsewhere.iter().for_each(|place| self.tell_of(place));
        for (figure, now) in [
            (&self.searches, levels.searches as u64),
            (&self.tables, levels.tables as u64),
            (&self.sub_tables, levels.sub_tables.tables),
            (&self.sub_table_bytes, levels.sub_tables.bytes),
            (&self.cached, levels.cached.0),
            (&self.cached_bytes, levels.cached.1),
            (&self.reply_bytes, levels.under_way.reply_bytes),
            (&self.most_bytes, levels.under_way.most_bytes),
            (&self.request_bytes, levels.under_way.request_bytes),
            (&self.unsent_bytes, levels.under_way.unsent_bytes),
            (&self.positions, levels.under_way.positions),
            (&self.cut_off, levels.under_way.cut_off),
            (&self.damaged, levels.damaged as u64),
            (&self.faults, levels.faults),
            (&self.resident, resident_bytes()),
        ] {
            figure.set(i64::try_from(now).unwrap_or(i64::MAX));
        }
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

impl Metrics {
    /// Copies the counters of a remote place.
    fn tell_of(&self, place: &PlaceElsewhere) {
        let address = || place.address.clone();
        let FarFigures { fetched, kept, failed, waiting } = place.pieces;
        let of_place = || PlaceLabels { address: address() };
        self.reached.get_or_create(&of_place()).set(place.reached.into());
        self.waiting.get_or_create(&of_place()).set(i64::try_from(waiting).unwrap_or(i64::MAX));
        for (came, count) in [("fetched", fetched), ("kept", kept), ("failed", failed)] {
            let pieces = self.far_pieces.get_or_create(&PiecesOf { address: address(), came });
            pieces.inner().store(count, Ordering::Relaxed);
        }
    }
}

/// The memory of this process; 0 if the system does not report it.
///
/// Source: proc(5), `VmRSS` of `/proc/self/status`, in KiB.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|rest| rest.trim().strip_suffix(" kB")?.parse::<u64>().ok()).map_or(0, |kib| kib << 10)
}
