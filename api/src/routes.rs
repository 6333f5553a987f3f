//! All addresses of the service and their methods. An address that is not listed here is not served.

use actix_web::http::Method;

/// An address and its methods; `{…}` is a placeholder for one part of the path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallRoute {
    pub(crate) path: &'static str,
    /// As in the header `Allow`.
    pub(crate) allow: &'static str,
    pub(crate) rate: Rate,
}

/// Whether a request counts against the rate of its client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rate {
    Counted,
    /// The page, which loads some fifty files, the guide, the descriptions of the service, and the addresses for monitors.
    Free,
}

macro_rules! addresses {
    ($($name:ident = $path:literal, $allow:literal, $rate:ident;)*) => {
        $(pub(crate) const $name: CallRoute = CallRoute { path: $path, allow: $allow, rate: Rate::$rate };)*

        /// Every address of the service.
        pub(crate) const ALL: &[CallRoute] = &[$($name),*];
    };
}

addresses! {
    INDEX = "/", "GET, HEAD", Free;
    DOCS = "/docs/", "GET, HEAD", Free;
    STUDIES_PAGE = "/studies/", "GET, HEAD", Free;
    GUIDE = "/guide/", "GET, HEAD", Free;
    GUIDE_FILE = "/guide/{file}", "GET, HEAD", Free;
    GUIDE_PAGE = "/guide/{part}/{file}", "GET, HEAD", Free;
    RULES_PAGE = "/rules/{game}", "GET, HEAD", Free;
    ASSET = "/assets/{name}", "GET, HEAD", Free;
    OFFLINE = "/offline/", "GET, HEAD", Free;
    OFFLINE_FILE = "/offline/{file}", "GET, HEAD", Free;
    OFFLINE_PROOF = "/offline/proofs/{file}", "GET, HEAD", Free;
    OPENAPI = "/openapi.json", "GET, HEAD", Free;
    METRICS = "/metrics", "GET, HEAD", Free;
    LIVE = "/livez", "GET, HEAD", Free;
    READY = "/readyz", "GET, HEAD", Free;
    HEALTH = "/healthz", "GET, HEAD", Free;
    GAMES = "/v1/games", "GET, HEAD", Free;
    TABLES = "/v1/tables", "GET, HEAD", Counted;
    TABLE_FILE = "/v1/tables/{folder}/{file}", "GET, HEAD", Counted;
    STUDIES = "/v1/studies", "GET, HEAD", Counted;
    STUDY = "/v1/studies/{study}", "GET, HEAD", Counted;
    HELPERS = "/v1/studies/{study}/helpers", "POST", Counted;
    HELPER = "/v1/studies/{study}/helpers/{id}", "GET, HEAD, POST, DELETE", Counted;
    JOBS = "/v1/jobs", "GET, HEAD", Counted;
    JOB = "/v1/jobs/{id}", "GET, HEAD, DELETE", Counted;
    EVENTS = "/v1/jobs/{id}/events", "GET, HEAD", Counted;
    PROOF = "/v1/jobs/{id}/proof", "GET, HEAD", Counted;
    RULES = "/v1/{game}/rules", "GET, HEAD", Free;
    MOVES = "/v1/{game}/moves", "GET, HEAD", Counted;
    NORMAL = "/v1/{game}/normal", "GET, HEAD", Counted;
    PERFT = "/v1/{game}/perft", "GET, HEAD", Counted;
    BOOK = "/v1/{game}/book", "GET, HEAD", Counted;
    GALLERY = "/v1/{game}/gallery", "GET, HEAD", Counted;
    GALLERY_PROOF = "/v1/{game}/gallery/{file}", "GET, HEAD", Counted;
    RECORD = "/v1/{game}/record", "POST", Counted;
    REVIEW = "/v1/{game}/review", "POST", Counted;
    BALANCE = "/v1/{game}/balance", "POST", Counted;
    DESIGN = "/v1/{game}/design", "POST", Counted;
    SOLVE = "/v1/{game}/solve", "POST", Counted;
    GENERATE = "/v1/{game}/generate", "POST", Counted;
    POSITIONS = "/v1/{game}", "GET, HEAD, POST", Counted;
}

/// The address that a request was matched with; `None` if there is none.
fn address_of(pattern: Option<&str>) -> Option<&'static CallRoute> {
    ALL.iter().find(|address| Some(address.path) == pattern)
}

/// The address that a request was matched with, for metrics; `other` if there is none.
pub(crate) fn route_of(pattern: Option<&str>) -> &'static str {
    address_of(pattern).map_or("other", |address| address.path)
}

/// Whether a request counts against the rate of its client: an unknown address does; the address of a page without
/// its slash, which redirects there, counts like the page.
pub(crate) fn rate_of(pattern: Option<&str>) -> Rate {
    let page = |pattern| ALL.iter().find(|address| address.path.strip_suffix('/') == Some(pattern));
    let found = address_of(pattern).or_else(|| pattern.and_then(page));
    found.map_or(Rate::Counted, |address| address.rate)
}

/// The name of a method; other methods share one name, so that clients cannot create metrics.
pub(crate) fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}
