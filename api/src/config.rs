//! The settings of the service, with defaults for a single user on a local machine.

use std::path::{Path, PathBuf};
use std::time::Duration;

use actix_web::http::Uri;
use actix_web::http::uri::Parts;
use marquis_table::elsewhere::is_address;
use marquis_wire::quantity::MOST_THREADS;
use marquis_wire::{DiskSize, MemorySize};
use serde::{Deserialize, Serialize};

use crate::coding::{UNPACKED_GROWTH, ZSTD_BYTES};
use crate::kinds::BuildSite;

/// The maximum number of positions in one request.
pub(crate) const MOST_POSITIONS: usize = 1000;
/// Room for a body of two megabytes, and for a compressed batch.
const LEAST_REPLIES: MemorySize = MemorySize(8 << 20);
/// The smallest tables of the games without chance take 160 MiB to build.
const LEAST_BUILD: MemorySize = MemorySize(192 << 20);
/// Room for a small build and the concurrent searches and jobs.
const LEAST_WITH_BUILDS: MemorySize = MemorySize(256 << 20);

/// The settings of the service; every one has a default, and an unknown one is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The address to listen on: `HOST:PORT`; port 0 lets the system choose.
    pub bind: String,
    /// Directories with tables, and addresses of such directories (`http://…`; with the feature `remote` also
    /// `https`, `s3`, `gs` and `az`), which are read remotely. The starter set is built into the first directory.
    pub tables: Vec<PathBuf>,
    /// Disk cache for pieces of remote tables; 0 for none.
    pub tables_cache: DiskSize,
    /// Look-ups in remote tables that may wait for their servers at a time; up to `queue` more wait for a thread.
    pub elsewhere_threads: usize,
    /// Directory with networks such as `squish-4.net`, used instead of the built-in ones; the games that the service
    /// gets are made with them.
    pub weights: Option<PathBuf>,
    /// Directory with the search for browsers, as `.ci/web` builds it; the pages work without it.
    pub offline: Option<PathBuf>,
    /// Directory with the guide, as `.ci/guide` builds it; by default `/guide/` is not found.
    pub guide: Option<PathBuf>,
    /// Directory with the studies to show, each in a subdirectory as written by `marquis study --state`; by default
    /// none.
    pub studies: Option<PathBuf>,
    /// Helpers that may take jobs of these studies at a time, one for each thread of `marquis work`; 0 for none.
    pub helpers: usize,
    /// Helpers of one client; further ones are refused with 429.
    pub client_helpers: usize,
    /// Maximum size of a helper's result; a larger one is refused with 413.
    pub helper_bytes: MemorySize,
    /// Seconds for which a client is refused with 403 after a result that did not hold.
    pub helper_refusal_seconds: u64,
    /// Directory for jobs and their results; by default they stay in memory.
    pub state: Option<PathBuf>,
    /// Milliseconds that a search may take if the request does not say.
    pub budget_default_ms: u64,
    /// Milliseconds that a search may take at most; a larger budget in a request is cut to this.
    pub budget_max_ms: u64,
    /// Searches that run at a time, one thread each.
    pub search_threads: usize,
    /// Jobs that run at a time, one thread each.
    pub job_threads: usize,
    /// Jobs that may be started at a time: those beyond the threads sleep between their turns and keep their state in
    /// memory, and each has its share of the memory.
    pub open_jobs: usize,
    /// Seconds after which a job yields to waiting jobs; it resumes later.
    pub job_slice_seconds: u64,
    /// Seconds of work after which a job ends with the result so far; the wait for turns is not counted.
    pub job_seconds: u64,
    /// Seconds without a request about a job after which it is cancelled, unless it was started with `go_on`.
    pub job_patience_seconds: u64,
    /// Set-ups that one design may try.
    pub design_tries: u32,
    /// Whether clients may have tables generated, into the first of the table directories. Builds take turns, and
    /// have half of `memory`, or 192 MiB if that is more.
    pub generate: bool,
    /// The disk space that one such build may take.
    pub generate_disk: MemorySize,
    /// Searches, and as many jobs, that may wait for a thread; further ones are refused with 429.
    pub queue: usize,
    /// Requests per second of one client, 0 for no limit; further ones are refused with 429.
    pub client_rate: u32,
    /// Requests that a client may make at once before its rate counts; 0 for the same number as the rate.
    pub client_burst: u32,
    /// Searches of one client that may wait or run at a time; further ones are refused with 429.
    pub client_searches: usize,
    /// Jobs of one client that may wait or run at a time; further ones are refused with 429.
    pub client_jobs: usize,
    /// Batches of one client that may be under way at a time; further ones are refused with 429.
    pub client_batches: usize,
    /// Positions of all batches together that may wait for their answers; further ones are refused with 503.
    pub batch_positions: usize,
    /// Origins whose pages may make requests from a browser, such as `https://example.org`, or `*` for all; by
    /// default none.
    pub cors: Vec<String>,
    /// Whether the last entry of `X-Forwarded-For` names the client: only behind a proxy that writes it.
    pub behind_proxy: bool,
    /// Memory for all searches and jobs together: `512MiB`, `8GiB`.
    pub memory: MemorySize,
    /// Memory for decoded blocks of tables.
    pub cache: MemorySize,
    /// Memory for the cache of answers.
    pub answers: MemorySize,
    /// Memory for answers under way to clients, and the same amount for requests that are being read; requests beyond
    /// it are refused with 503. By default an eighth of `memory`.
    pub replies: Option<MemorySize>,
    /// Memory for the proofs of finished jobs, and the same amount of disk; the oldest are evicted.
    pub proofs: MemorySize,
    /// Memory for the tables that are built for a request and kept for later ones; the oldest are evicted.
    pub sub_tables: MemorySize,
    /// Maximum bytes of a request body; a larger one is refused with 413.
    pub body_limit: usize,
    /// Seconds in which the body of a request has to arrive; a slower one is refused with 408.
    pub body_seconds: u64,
    /// Seconds in which a client has to take a part of its answer; a slower client is disconnected.
    pub write_seconds: u64,
    /// Whether a first start without tables builds the starter set.
    pub build_starter: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            bind: "127.0.0.1:8017".to_owned(),
            tables: vec![PathBuf::from("tablebases")],
            tables_cache: DiskSize(4 << 30),
            elsewhere_threads: 8,
            weights: None,
            offline: None,
            guide: None,
            studies: None,
            helpers: 0,
            client_helpers: 16,
            helper_bytes: MemorySize(16 << 20),
            helper_refusal_seconds: 3600,
            state: None,
            budget_default_ms: 1000,
            budget_max_ms: 30_000,
            search_threads: std::thread::available_parallelism().map_or(1, usize::from),
            job_threads: 2,
            open_jobs: 4,
            job_slice_seconds: 30,
            job_seconds: 3600,
            job_patience_seconds: 600,
            design_tries: 1000,
            generate: false,
            generate_disk: MemorySize(4 << 30),
            queue: 64,
            client_rate: 0,
            client_burst: 0,
            client_searches: 16,
            client_jobs: 16,
            client_batches: 16,
            batch_positions: 100_000,
            cors: Vec::new(),
            behind_proxy: false,
            memory: MemorySize(4 << 30),
            cache: MemorySize(256 << 20),
            answers: MemorySize(64 << 20),
            replies: None,
            proofs: MemorySize(256 << 20),
            sub_tables: MemorySize(256 << 20),
            body_limit: 2 << 20,
            body_seconds: 30,
            write_seconds: 30,
            build_starter: true,
        }
    }
}

/// A setting that the service cannot work with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{setting}: expected {expected}, found {found}")]
pub struct ConfigError {
    setting: &'static str,
    expected: &'static str,
    found: String,
}

impl Config {
    /// Checks that the service can work with these settings.
    ///
    /// # Errors
    /// Names the setting that is out of range.
    pub fn check(&self) -> Result<(), ConfigError> {
        let at_least_one = [
            ("search_threads", self.search_threads as u64),
            ("elsewhere_threads", self.elsewhere_threads as u64),
            ("job_threads", self.job_threads as u64),
            ("client_searches", self.client_searches as u64),
            ("client_jobs", self.client_jobs as u64),
            ("job_seconds", self.job_seconds),
            ("job_patience_seconds", self.job_patience_seconds),
            ("open_jobs", self.open_jobs as u64),
            ("design_tries", self.design_tries.into()),
            ("body_limit", self.body_limit as u64),
            ("body_seconds", self.body_seconds),
            ("write_seconds", self.write_seconds),
            ("client_batches", self.client_batches as u64),
            ("client_helpers", self.client_helpers as u64),
            ("helper_bytes", self.helper_bytes.0),
            ("helper_refusal_seconds", self.helper_refusal_seconds),
        ];
        if let Some((setting, _)) = at_least_one.into_iter().find(|&(_, number)| number == 0) {
            return Err(ConfigError { setting, expected: "a number from 1", found: "0".to_owned() });
        }
        let threads = [
            ("search_threads", self.search_threads),
            ("elsewhere_threads", self.elsewhere_threads),
            ("job_threads", self.job_threads),
            ("open_jobs", self.open_jobs),
            ("helpers", self.helpers),
            ("client_helpers", self.client_helpers),
        ];
        if let Some((setting, number)) = threads.into_iter().find(|&(_, number)| number as u64 > MOST_THREADS)
        {
            let expected = "a number from 1 to 1024";
            return Err(ConfigError { setting, expected, found: number.to_string() });
        }
        if self.batch_positions < MOST_POSITIONS {
            let found = self.batch_positions.to_string();
            let expected = "room for one batch, 1000 positions";
            return Err(ConfigError { setting: "batch_positions", expected, found });
        }
        if let Some(replies) = self.replies.filter(|&replies| replies < LEAST_REPLIES) {
            return Err(ConfigError {
                setting: "replies",
                expected: "at least 8MiB",
                found: replies.to_string(),
            });
        }
        if self.generate && self.memory < LEAST_WITH_BUILDS {
            let expected = "at least 256MiB, because clients may build tables";
            return Err(ConfigError { setting: "memory", expected, found: self.memory.to_string() });
        }
        if let Some(origin) = self.cors.iter().find(|origin| !is_origin(origin)) {
            let expected = "`*`, or an origin such as https://example.org or http://localhost:3000";
            return Err(ConfigError { setting: "cors", expected, found: format!("`{origin}`") });
        }
        if self.budget_default_ms > self.budget_max_ms {
            let found = format!("{} over {}", self.budget_default_ms, self.budget_max_ms);
            return Err(ConfigError {
                setting: "budget_default_ms",
                expected: "at most budget_max_ms",
                found,
            });
        }
        Ok(())
    }

    /// The same settings with derived defaults filled in.
    #[must_use]
    pub fn settled(self) -> Self {
        Self { replies: Some(self.reply_memory()), ..self }
    }

    /// The local directories with tables.
    #[must_use]
    pub fn folders(&self) -> Vec<PathBuf> {
        self.tables.iter().filter(|place| address(place).is_none()).cloned().collect()
    }

    /// The addresses of remote tables.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().filter_map(|place| address(place))
    }

    /// The memory for all answers under way.
    pub(crate) fn reply_memory(&self) -> MemorySize {
        self.replies.unwrap_or(MemorySize(self.memory.0 / 8)).max(LEAST_REPLIES)
    }

    /// The memory for all requests being read: the same amount as for answers, but at least room for one body or
    /// result at the limit.
    pub(crate) fn request_memory(&self) -> MemorySize {
        let body = (self.body_limit as u64).saturating_mul(1 + UNPACKED_GROWTH).saturating_add(ZSTD_BYTES);
        let result = if self.helpers > 0 { self.helper_bytes } else { MemorySize(0) };
        self.reply_memory().max(MemorySize(body)).max(result)
    }

    /// How long a client may take nothing of its answer.
    pub(crate) const fn write_patience(&self) -> Duration {
        Duration::from_secs(self.write_seconds)
    }

    /// The folder and the memory for generated tables, if clients may have some: half of all memory, but at least
    /// that of a small build. Builds take turns, and each has all of it.
    pub(crate) fn builds(&self) -> Option<BuildSite> {
        let folder = self.home().filter(|_| self.generate)?.to_owned();
        let memory = MemorySize((self.memory.0 / 2).max(LEAST_BUILD.0.min(self.memory.0)));
        Some(BuildSite { folder, memory })
    }

    /// The directory that tables are built into.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.tables.iter().map(PathBuf::as_path).find(|place| address(place).is_none())
    }

    /// How long to wait for the body of a request.
    pub(crate) const fn body_patience(&self) -> Duration {
        Duration::from_secs(self.body_seconds)
    }

    /// The memory of one search or job.
    pub(crate) fn memory_each(&self) -> MemorySize {
        // Games with remote tables have a second pool of search threads of the same size.
        let searching = if self.addresses().next().is_some() { 2 } else { 1 } * self.search_threads;
        let sharing = (searching + self.job_threads.max(self.open_jobs)).max(1) as u64;
        let shared = self.memory.0 - self.builds().map_or(0, |builds| builds.memory.0);
        MemorySize((shared / sharing).max(1))
    }
}

/// The address of a place with tables, if it is not a directory.
fn address(place: &Path) -> Option<&str> {
    place.to_str().filter(|text| is_address(text))
}

/// Whether a text is `*`, or a scheme, a host and an optional port, as in the header `Origin`.
fn is_origin(text: &str) -> bool {
    let parts = text.parse::<Uri>().map(Uri::into_parts).ok();
    let whole = |parts: &Parts| parts.path_and_query.as_ref().is_none_or(|path| path == "/");
    let named = |parts: Parts| parts.scheme.is_some() && parts.authority.is_some() && whole(&parts);
    text == "*" || !text.ends_with('/') && parts.is_some_and(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_survive_being_written_and_read() {
        let config = Config { memory: MemorySize(512 << 20), ..Config::default() }.settled();
        let text = serde_json::to_string(&config).unwrap();
        assert!(text.contains("\"memory\":\"512MiB\"") && text.contains("\"replies\":\"64MiB\""), "{text}");
        assert_eq!(serde_json::from_str::<Config>(&text).unwrap(), config);
    }

    #[test]
    fn an_unknown_setting_and_one_out_of_range_are_refused_by_name() {
        let error = serde_json::from_str::<Config>(r#"{"tabels": []}"#).unwrap_err();
        assert!(error.to_string().contains("tabels"), "{error}");
        let error = Config { search_threads: 0, ..Config::default() }.check().unwrap_err();
        assert!(error.to_string().contains("search_threads"), "{error}");
        let little = MemorySize(255 << 20);
        let error = Config { memory: little, generate: true, ..Config::default() }.check().unwrap_err();
        assert!(error.to_string().starts_with("memory: expected at least 256MiB"), "{error}");
        assert_eq!(Config { memory: little, ..Config::default() }.check(), Ok(()));
        let error = Config { open_jobs: 1_000_000, ..Config::default() }.check().unwrap_err();
        assert_eq!(error.to_string(), "open_jobs: expected a number from 1 to 1024, found 1000000");
    }

    #[test]
    fn sizes_are_read_as_people_type_them_and_written_exactly() {
        let text = r#"{"memory": "1.5GiB", "cache": "512M", "tables_cache": "8GB"}"#;
        let config = serde_json::from_str::<Config>(text).unwrap();
        assert_eq!((config.memory, config.cache), (MemorySize(3 << 29), MemorySize(512 << 20)));
        let written = serde_json::to_string(&config).unwrap();
        assert_eq!(serde_json::from_str::<Config>(&written).unwrap(), config);
    }

    #[test]
    fn origins_are_what_browsers_say_and_nothing_else() {
        let checked = |origin: &str| Config { cors: vec![origin.to_owned()], ..Config::default() }.check();
        for origin in ["*", "https://example.org", "http://localhost:3000", "http://127.0.0.1"] {
            assert_eq!(checked(origin), Ok(()), "{origin}");
        }
        for wrong in ["", "example.org", "https://example.org/", "https://example.org/page", "https://", "/a"]
        {
            let error = checked(wrong).unwrap_err().to_string();
            assert!(error.starts_with("cors: expected") && error.ends_with(&format!("`{wrong}`")), "{error}");
        }
    }
}
