//! What a monitor wants to know, in the words of Prometheus.

use std::fmt::Error;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

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
struct Source {
    source: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct State {
    state: &'static str,
}

/// The figures of the service.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter>,
    durations: Family<Route, Histogram, fn() -> Histogram>,
    answers: Family<Source, Counter>,
    jobs: Family<State, Gauge>,
    searches: Gauge,
    tables: Gauge,
    cached: Gauge,
    cached_bytes: Gauge,
}

/// What is counted only when somebody asks.
pub(crate) struct Levels {
    pub(crate) jobs: Vec<(&'static str, i64)>,
    pub(crate) searches: usize,
    pub(crate) tables: usize,
    /// Cached answers and their bytes.
    pub(crate) cached: (u64, u64),
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let bounds: fn() -> Histogram = || Histogram::new(BOUNDS);
        let mut all = Self {
            registry: Registry::with_prefix("marquis"),
            requests: Family::default(),
            durations: Family::new_with_constructor(bounds),
            answers: Family::default(),
            jobs: Family::default(),
            searches: Gauge::default(),
            tables: Gauge::default(),
            cached: Gauge::default(),
            cached_bytes: Gauge::default(),
        };
        let started = Gauge::<f64, AtomicU64>::default();
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        started.set(now.unwrap_or_default().as_secs_f64());
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        let to = &mut all.registry;
        to.register("build", "The version that runs", version);
        to.register_with_unit("start_time", "When the service started, since 1970", Unit::Seconds, started);
        to.register("http_requests", "Requests answered", all.requests.clone());
        to.register_with_unit(
            "http_request_duration",
            "Time from a request to its response",
            Unit::Seconds,
            all.durations.clone(),
        );
        to.register("answers", "Positions answered, by where the answer comes from", all.answers.clone());
        to.register("jobs", "Jobs in memory, by state", all.jobs.clone());
        to.register("searches", "Searches that wait or run", all.searches.clone());
        to.register("tables", "Tables that are loaded", all.tables.clone());
        to.register("cached_answers", "Answers that are kept ready", all.cached.clone());
        to.register_with_unit(
            "cached_answers",
            "About the memory of answers that are kept ready",
            Unit::Bytes,
            all.cached_bytes.clone(),
        );
        all
    }

    /// Counts a response.
    pub(crate) fn responded(&self, route: &'static str, method: &'static str, status: u16, took: Duration) {
        self.requests.get_or_create(&Request { route, method, status: status.into() }).inc();
        self.durations.get_or_create(&Route { route }).observe(took.as_secs_f64());
    }

    /// Counts an answer: `cache`, `rules`, `table`, `search` or `none`.
    pub(crate) fn answered(&self, source: &'static str) {
        self.answers.get_or_create(&Source { source }).inc();
    }

    /// Everything as text.
    pub(crate) fn text(&self, levels: &Levels) -> Result<String, Error> {
        let gauge = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        for &(state, count) in &levels.jobs {
            self.jobs.get_or_create(&State { state }).set(count);
        }
        self.searches.set(gauge(levels.searches as u64));
        self.tables.set(gauge(levels.tables as u64));
        self.cached.set(gauge(levels.cached.0));
        self.cached_bytes.set(gauge(levels.cached.1));
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}
