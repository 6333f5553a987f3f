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
    RULES_PAGE = "/rules/{game}", "GET, HEAD";
    ASSET = "/assets/{name}", "GET, HEAD";
    OPENAPI = "/openapi.json", "GET, HEAD";
    METRICS = "/metrics", "GET, HEAD";
    LIVE = "/livez", "GET, HEAD";
    READY = "/readyz", "GET, HEAD";
    HEALTH = "/healthz", "GET, HEAD";
    GAMES = "/v1/games", "GET, HEAD";
    TABLES = "/v1/tables", "GET, HEAD";
    JOB = "/v1/jobs/{id}", "GET, HEAD, DELETE";
    EVENTS = "/v1/jobs/{id}/events", "GET, HEAD";
    RULES = "/v1/{game}/rules", "GET, HEAD";
    BALANCE = "/v1/{game}/balance", "POST";
    POSITIONS = "/v1/{game}", "GET, HEAD, POST";
}

/// The address that a path belongs to, for figures; `other` where there is none.
pub(crate) fn route_of(path: &str) -> &'static str {
    // Asked for most, and thousands of times a second.
    let name = path.strip_prefix("/v1/").filter(|name| !name.is_empty() && !name.contains('/'));
    if name.is_some_and(|name| name != "games" && name != "tables") {
        return POSITIONS.path;
    }
    let exact = ALL.iter().find(|address| address.path == path);
    let fits = |address: &&Address| {
        let (mut parts, mut pattern) = (path.split('/'), address.path.split('/'));
        loop {
            match (parts.next(), pattern.next()) {
                (None, None) => return true,
                (Some(part), Some(wanted)) if part == wanted => {}
                (Some(part), Some(wanted)) if wanted.starts_with('{') && !part.is_empty() => {}
                _ => return false,
            }
        }
    };
    exact.or_else(|| ALL.iter().find(fits)).map_or("other", |address| address.path)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_counts_for_its_address_and_no_other() {
        for (path, route) in [
            ("/v1/games", "/v1/games"),
            ("/v1/squish", "/v1/{game}"),
            ("/v1/swish/balance", "/v1/{game}/balance"),
            ("/v1/jobs/17/events", "/v1/jobs/{id}/events"),
            ("/", "/"),
            ("/v1/", "other"),
            ("/v2/squish", "other"),
            ("/v1/squish/balance/more", "other"),
        ] {
            assert_eq!(route_of(path), route, "{path}");
        }
    }
}
