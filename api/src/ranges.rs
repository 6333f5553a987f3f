//! Files that are sent whole or in ranges.
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

/// Read at a time.
const PIECE: u64 = 64 << 10;
/// A request for more ranges, or for such that overlap, gets the whole file: it would cost more than that.
const MOST_RANGES: usize = 16;

/// The file behind a response, of which ranges can be sent.
struct Ranged {
    file: File,
    length: u64,
}

/// A file as it lies on the disk, of which ranges can be sent.
///
/// # Errors
/// The system has no more handles.
pub(crate) fn file(named: NamedFile, request: &HttpRequest) -> io::Result<HttpResponse> {
    let ranged = Ranged { file: named.file().try_clone()?, length: named.metadata().len() };
    let mut response = named.into_response(request);
    response.extensions_mut().insert(ranged);
    Ok(response)
}

/// The ranges of a response, or the whole of it where it has none.
pub(crate) fn part(mut response: ServiceResponse<BoxBody>, range: &Range) -> ServiceResponse<BoxBody> {
    let ranged = response.response_mut().extensions_mut().remove::<Ranged>();
    let (Some(Ranged { file, length }), Range::Bytes(asked)) = (ranged, range) else { return response };
    let parts = match &satisfiable(asked, length)[..] {
        [] => return response.error_response(Problem::no_such_range(length)),
        [one] => Parts::one(*one),
        several if is_worth_parts(several) => {
            Parts::several(several, length, response.headers().get(CONTENT_TYPE))
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
    // What is a part of a file must not be packed on its way.
    headers.insert(CONTENT_ENCODING, HeaderValue::from_static("identity"));
    for (name, value) in [(CONTENT_RANGE, said), (CONTENT_TYPE, kind)] {
        if let Some(value) = value.and_then(|text| HeaderValue::from_str(&text).ok()) {
            headers.insert(name, value);
        }
    }
    partial
}

/// Those of the ranges that have bytes: first and last.
fn satisfiable(asked: &[ByteRangeSpec], length: u64) -> Vec<(u64, u64)> {
    asked.iter().filter_map(|range| range.to_satisfiable_range(length)).collect()
}

/// Whether these ranges are few and apart.
fn is_worth_parts(parts: &[(u64, u64)]) -> bool {
    let mut sorted = parts.to_vec();
    sorted.sort_unstable();
    let is_apart = sorted.windows(2).all(|pair| pair[0].1 < pair[1].0);
    parts.len() <= MOST_RANGES && is_apart
}

/// What a partial answer consists of.
struct Parts {
    parts: Vec<Part>,
    /// Of one range, its first and last byte.
    range: Option<(u64, u64)>,
    /// Of several, what stands between them.
    boundary: Option<String>,
}

enum Part {
    Text(Bytes),
    /// Bytes of the file: from here, so many.
    File(u64, u64),
}

impl Parts {
    fn one((from, to): (u64, u64)) -> Self {
        Self { parts: vec![Part::File(from, to - from + 1)], range: Some((from, to)), boundary: None }
    }

    /// RFC 9110 §14.6, media type multipart/byteranges.
    ///
    /// * `kind`: the media type of the file.
    fn several(ranges: &[(u64, u64)], whole: u64, kind: Option<&HeaderValue>) -> Self {
        // Random, so that no file has it.
        let boundary = random_word();
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or("application/octet-stream");
        let mut parts = Vec::with_capacity(2 * ranges.len() + 1);
        for (from, to) in ranges {
            let head = format!(
                "\r\n--{boundary}\r\nContent-Type: {kind}\r\nContent-Range: bytes {from}-{to}/{whole}\r\n\r\n"
            );
            parts.extend([Part::Text(head.into()), Part::File(*from, to - from + 1)]);
        }
        parts.push(Part::Text(format!("\r\n--{boundary}--\r\n").into()));
        Self { parts, range: None, boundary: Some(boundary) }
    }

    fn length(&self) -> u64 {
        let length = |part: &Part| match part {
            Part::Text(text) => text.len() as u64,
            Part::File(_, count) => *count,
        };
        self.parts.iter().map(length).sum()
    }

    /// The bytes, read as they are taken.
    fn read(self, file: Arc<File>) -> impl Stream<Item = io::Result<Bytes>> {
        stream::iter(self.parts).flat_map(move |part| match part {
            Part::Text(text) => stream::once(async { Ok(text) }).boxed_local(),
            Part::File(from, count) => pieces(Arc::clone(&file), from, count).boxed_local(),
        })
    }
}

/// A part of a file, a piece at a time.
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
