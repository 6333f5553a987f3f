//! Files that come with the program as a folder: the search for browsers and the guide.

use std::path::Path;

use actix_files::NamedFile;
use actix_web::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, ETAG, HeaderMap, HeaderValue, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::{HttpRequest, HttpResponse};

/// The file at `path`; `None` if it is a folder or cannot be opened.
pub(super) async fn sent(request: &HttpRequest, path: &Path) -> Option<HttpResponse> {
    let opened = NamedFile::open_async(path).await.ok()?;
    if !opened.metadata().is_file() {
        return None;
    }
    let mut response = opened.prefer_utf8(true).into_response(request);
    mark(response.headers_mut());
    Some(response)
}

fn mark(headers: &mut HeaderMap) {
    // The file may be compressed in transit: then its tag identifies no bytes, and it has no ranges.
    if let Some(weak) = headers.get(ETAG).and_then(|tag| [b"W/", tag.as_bytes()].concat().try_into().ok()) {
        headers.insert(ETAG, weak);
    }
    headers.remove(ACCEPT_RANGES);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
}
