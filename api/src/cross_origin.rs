//! Which pages of other origins may make requests from a browser.
//!
//! Source: the Fetch standard, section "CORS protocol".

use actix_cors::Cors;
use actix_web::http::header::{self, HeaderName};

use crate::config::Config;
use crate::request_id::X_REQUEST_ID;

/// Seconds for which a browser caches its permissions.
const REMEMBERED: usize = 3600;
/// The headers that a page may read in addition to the body.
const EXPOSED: [HeaderName; 6] = [
    header::ACCEPT_RANGES,
    header::CONTENT_RANGE,
    header::ETAG,
    header::LOCATION,
    header::RETRY_AFTER,
    X_REQUEST_ID,
];

/// The CORS rules of the settings: nothing is allowed if they name no origin.
pub(crate) fn cross_origin(config: &Config) -> Cors {
    let cors = Cors::default()
        .block_on_origin_mismatch(false)
        .allowed_methods(["GET", "HEAD", "POST", "DELETE"])
        .allow_any_header()
        .expose_headers(EXPOSED)
        .max_age(REMEMBERED);
    if config.cors.iter().any(|origin| origin == "*") {
        return cors.allow_any_origin().send_wildcard();
    }
    config.cors.iter().fold(cors, |cors, origin| cors.allowed_origin(origin))
}
