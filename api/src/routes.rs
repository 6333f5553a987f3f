//! The addresses of the service: every one with its methods. What is not here is not served.

use actix_web::http::Method;

/// An address and the methods that it has; `{…}` stands for one part of the path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub(crate) path: &'static str,
    /// As in the header `Allow`.
    pub(crate) allow: &'static str,
}

macro_rules! addresses {
    ($($name:ident = $path:literal, $allow:literal;)*) => {
        $(pub(crate) const $name: Address = Address { path: $path, allow: $allow };)*

        /// Every address of the service.
        pub(crate) const ALL: &[Address] = &[$($name),*];
    };
}

addresses! {
    INDEX = "/", "GET, HEAD";
    DOCS = "/docs/", "GET, HEAD";
    STUDIES_PAGE = "/studies/", "GET, HEAD";
    RULES_PAGE = "/rules/{game}", "GET, HEAD";
    ASSET = "/assets/{name}", "GET, HEAD";
    OFFLINE = "/offline/", "GET, HEAD";
    OFFLINE_FILE = "/offline/{file}", "GET, HEAD";
    OPENAPI = "/openapi.json", "GET, HEAD";
    METRICS = "/metrics", "GET, HEAD";
    LIVE = "/livez", "GET, HEAD";
    READY = "/readyz", "GET, HEAD";
    HEALTH = "/healthz", "GET, HEAD";
    GAMES = "/v1/games", "GET, HEAD";
    TABLES = "/v1/tables", "GET, HEAD";
    TABLE_FILE = "/v1/tables/{folder}/{file}", "GET, HEAD";
    STUDIES = "/v1/studies", "GET, HEAD";
    STUDY = "/v1/studies/{study}", "GET, HEAD";
    JOBS = "/v1/jobs", "GET, HEAD";
    JOB = "/v1/jobs/{id}", "GET, HEAD, DELETE";
    EVENTS = "/v1/jobs/{id}/events", "GET, HEAD";
    PROOF = "/v1/jobs/{id}/proof", "GET, HEAD";
    RULES = "/v1/{game}/rules", "GET, HEAD";
    MOVES = "/v1/{game}/moves", "GET, HEAD";
    NORMAL = "/v1/{game}/normal", "GET, HEAD";
    PERFT = "/v1/{game}/perft", "GET, HEAD";
    BOOK = "/v1/{game}/book", "GET, HEAD";
    GALLERY = "/v1/{game}/gallery", "GET, HEAD";
    GALLERY_PROOF = "/v1/{game}/gallery/{file}", "GET, HEAD";
    RECORD = "/v1/{game}/record", "POST";
    REVIEW = "/v1/{game}/review", "POST";
    BALANCE = "/v1/{game}/balance", "POST";
    DESIGN = "/v1/{game}/design", "POST";
    SOLVE = "/v1/{game}/solve", "POST";
    GENERATE = "/v1/{game}/generate", "POST";
    POSITIONS = "/v1/{game}", "GET, HEAD, POST";
}

/// The address that a request was matched with, for figures; `other` where there is none.
pub(crate) fn route_of(pattern: Option<&str>) -> &'static str {
    let found = ALL.iter().find(|address| Some(address.path) == pattern);
    found.map_or("other", |address| address.path)
}

/// A method as a word; methods that no address has are one word, so that clients cannot make up figures.
pub(crate) fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}
