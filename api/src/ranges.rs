//! Files that are sent as a whole or in ranges.
//!
//! Source: RFC 9110 §14, "Range Requests".

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use actix_files::NamedFile;
use actix_web::body::{BoxBody, SizedStream};
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    ByteRangeSpec, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, HeaderValue, Range,
};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream::{self, Stream, StreamExt as _};

use crate::identity::random_word;
use crate::problem::Problem;

/// Bytes read at a time.
const PIECE: u64 = 64 << 10;
/// A request for more ranges, or for overlapping ones, gets the whole file, which costs less.
const MOST_RANGES: usize = 16;

/// The file behind a response that can be sent in ranges.
struct Ranged {
    file: File,
    length: u64,
}

/// A file on the disk that can be sent in ranges.
///
/// # Errors
/// The system has no more file handles.
pub(crate) fn file(named: NamedFile, request: &HttpRequest) -> io::Result<HttpResponse> {
    let ranged = Ranged { file: named.file().try_clone()?, length: named.metadata().len() };
    let mut response = named.into_response(request);
    response.extensions_mut().insert(ranged);
    Ok(response)
}

/// The ranges of a response, or the whole response if it has none.
pub(crate) fn part(mut response: ServiceResponse<BoxBody>, range: &Range) -> ServiceResponse<BoxBody> {
    let ranged = response.response_mut().extensions_mut().remove::<Ranged>();
    let (Some(Ranged { file, length }), Range::Bytes(asked)) = (ranged, range) else { return response };
    let parts = match &satisfiable(asked, length)[..] {
        [] => return response.error_response(Problem::no_such_range(length)),
        [one] => ResponseParts::one(*one),
        several if is_worth_parts(several) => {
            ResponseParts::several(several, length, response.headers().get(CONTENT_TYPE))
        }
        _ => return response,
    };
    let kind = parts.boundary.as_ref().map(|boundary| format!("multipart/byteranges; boundary={boundary}"));
    let said = parts.range.map(|(from, to)| format!("bytes {from}-{to}/{length}"));
    let body = BoxBody::new(SizedStream::new(parts.length(), parts.read(Arc::new(file))));
    let mut partial = response.map_body(|_, _| body);
    *partial.response_mut().status_mut() = StatusCode::PARTIAL_CONTENT;
    let headers = partial.headers_mut();
    headers.remove(CONTENT_LENGTH);
    // A part of a file must not be compressed in transit.
    headers.insert(CONTENT_ENCODING, HeaderValue::from_static("identity"));
    for (name, value) in [(CONTENT_RANGE, said), (CONTENT_TYPE, kind)] {
        if let Some(value) = value.and_then(|text| HeaderValue::from_str(&text).ok()) {
            headers.insert(name, value);
        }
    }
    partial
}

/// The satisfiable ranges: first and last byte.
fn satisfiable(asked: &[ByteRangeSpec], length: u64) -> Vec<(u64, u64)> {
    asked.iter().filter_map(|range| range.to_satisfiable_range(length)).collect()
}

/// Whether these ranges are few and do not overlap.
fn is_worth_parts(parts: &[(u64, u64)]) -> bool {
    let mut sorted = parts.to_vec();
    sorted.sort_unstable();
    let is_apart = sorted.windows(2).all(|pair| pair[0].1 < pair[1].0);
    parts.len() <= MOST_RANGES && is_apart
}

/// The parts of a partial response.
struct ResponseParts {
    parts: Vec<ResponsePart>,
    /// For a single range: its first and last byte.
    range: Option<(u64, u64)>,
    /// For several ranges: the boundary between them.
    boundary: Option<String>,
}

enum ResponsePart {
    Text(Bytes),
    /// Bytes of the file: offset and length.
    File(u64, u64),
}

impl ResponseParts {
    fn one((from, to): (u64, u64)) -> Self {
        Self { parts: vec![ResponsePart::File(from, to - from + 1)], range: Some((from, to)), boundary: None }
    }

    /// RFC 9110 §14.6, media type multipart/byteranges.
    ///
    /// * `kind`: the media type of the file.
    fn several(ranges: &[(u64, u64)], whole: u64, kind: Option<&HeaderValue>) -> Self {
        // Random, so that no file contains it.
        let boundary = random_word();
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or("application/octet-stream");
        let mut parts = Vec::with_capacity(2 * ranges.len() + 1);
        for (from, to) in ranges {
            let head = format!(
                "\r\n--{boundary}\r\nContent-Type: {kind}\r\nContent-Range: bytes {from}-{to}/{whole}\r\n\r\n"
            );
            parts.extend([ResponsePart::Text(head.into()), ResponsePart::File(*from, to - from + 1)]);
        }
        parts.push(ResponsePart::Text(format!("\r\n--{boundary}--\r\n").into()));
        Self { parts, range: None, boundary: Some(boundary) }
    }

    fn length(&self) -> u64 {
        let length = |part: &ResponsePart| match part {
            ResponsePart::Text(text) => text.len() as u64,
            ResponsePart::File(_, count) => *count,
        };
        self.parts.iter().map(length).sum()
    }

    /// The bytes, read as the client takes them.
    fn read(self, file: Arc<File>) -> impl Stream<Item = io::Result<Bytes>> {
        stream::iter(self.parts).flat_map(move |part| match part {
            ResponsePart::Text(text) => stream::once(async { Ok(text) }).boxed_local(),
            ResponsePart::File(from, count) => pieces(Arc::clone(&file), from, count).boxed_local(),
        })
    }
}

/// A part of a file, one piece at a time.
fn pieces(file: Arc<File>, from: u64, count: u64) -> impl Stream<Item = io::Result<Bytes>> {
    stream::try_unfold((from, count), move |(from, left)| {
        let file = Arc::clone(&file);
        async move {
            if left == 0 {
                return Ok(None);
            }
            let count = left.min(PIECE);
            let read = web::block(move || {
                let mut piece = vec![0; count as usize];
                file.read_exact_at(&mut piece, from).map(|()| Bytes::from(piece))
            });
            let piece = read.await.map_err(io::Error::other)??;
            Ok(Some((piece, (from + count, left - count))))
        }
    })
}
