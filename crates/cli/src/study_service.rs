//! Studies of a service, for a helper that takes their jobs over HTTP.

use std::time::{Duration, Instant};

use marquis_engine::study::{JobServer, JobSource, NextJob};
use marquis_engine::{EngineError, FileError, causes};
use marquis_remote::{Address, AddressError, CallError, HttpMethod, Patience, Response, Service};
use marquis_wire::study::{
    HelperJoined, HelperState, HelperTurn, StudyHead, StudyHelpers, StudyJob, StudyReport,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::exit::CommandFailure;

/// How long the service may be silent.
const SILENCE: Duration = Duration::from_secs(15);
/// The longest wait before a retry.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// How long a request for a job waits, in milliseconds.
const WAIT: &str = "wait_ms=2000";
/// The interval between two signs of life during a search.
const BEAT: Duration = Duration::from_secs(2);
/// How long a helper tries to leave.
const FAREWELL: Duration = Duration::from_secs(2);
/// The parameter by which the page of a study names it.
const PARAMETER: &str = "study";

/// A study that a service shows.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ListedStudy {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) report: StudyReport,
    /// Missing in the responses of earlier versions.
    #[serde(default)]
    pub(crate) helpers: StudyHelpers,
}

#[derive(Deserialize)]
struct ListedStudies {
    studies: Vec<ListedStudy>,
}

/// The problem document of a refusal.
#[derive(Debug, Default, Deserialize)]
struct Refusal {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    detail: String,
}

/// A service that shows studies.
#[derive(Debug)]
pub(crate) struct StudyService {
    address: Address,
}

impl StudyService {
    /// Parses the address of a service, of its page of studies or of one study; returns the name of that study.
    ///
    /// # Errors
    /// The text is not such an address, or this program cannot reach it.
    pub(crate) fn read(text: &str) -> Result<(Self, Option<String>), CommandFailure> {
        let (page, named) = Address::of_page(text, PARAMETER).map_err(|error| refused(&error))?;
        let path = page.path();
        let parts: Vec<&str> = path.iter().map(String::as_str).collect();
        let (base, in_path) = match parts.as_slice() {
            [base @ .., "v1", "studies", name] => (base, Some((*name).to_owned())),
            [base @ .., "v1", "studies"] | [base @ .., "studies"] => (base, None),
            base => (base, None),
        };
        let service = Self { address: page.with_path(base.iter().copied()) };
        // Says at once whether this program has a client for the address.
        service.connect().map_err(|error| refused(&error))?;
        Ok((service, named.or(in_path)))
    }

    fn connect(&self) -> Result<Service, AddressError> {
        let patience = Patience { silence: SILENCE, longest_wait: LONGEST_WAIT, ..Patience::default() };
        Service::open(&self.address, patience)
    }

    /// The studies that the service shows, by name.
    ///
    /// # Errors
    /// The service does not answer, or it is no Marquis.
    pub(crate) fn studies(&self, stopped: &dyn Fn() -> bool) -> Result<Vec<ListedStudy>, CommandFailure> {
        let service = self.connect().map_err(|error| refused(&error))?;
        let response = service.call(HttpMethod::Get, (&["v1", "studies"], ""), stopped);
        let response = response.map_err(|error| CommandFailure::failed(causes(&error).to_string()))?;
        let listed = read::<ListedStudies>(&response).filter(|_| response.status == 200);
        listed.map(|listed| listed.studies).ok_or_else(|| {
            let place = service.resource(&["v1", "studies"]);
            let found = found(&response);
            CommandFailure::failed(format!("{place}: expected the studies of a service, found {found}"))
        })
    }

    /// The jobs of a study.
    pub(crate) fn jobs_of<'s>(&'s self, study: &'s str) -> ServiceJobs<'s> {
        ServiceJobs { service: self, study }
    }
}

fn refused(error: &AddressError) -> CommandFailure {
    let message = causes(error).to_string();
    match error {
        AddressError::NotSetUp { .. } => CommandFailure::failed(message),
        _ => CommandFailure::bad_input(message),
    }
}

fn read<T: DeserializeOwned>(response: &Response) -> Option<T> {
    serde_json::from_slice(&response.body).ok()
}

/// The status and the reason of a refusal.
fn found(response: &Response) -> String {
    let Refusal { detail, .. } = read(response).unwrap_or_default();
    if detail.is_empty() {
        return format!("the status {} without a reason", response.status);
    }
    format!("the status {}: {detail}", response.status)
}

/// The jobs of one study of a service.
pub(crate) struct ServiceJobs<'s> {
    service: &'s StudyService,
    study: &'s str,
}

impl JobServer for ServiceJobs<'_> {
    fn connect(&self, about: &StudyHead) -> Box<dyn JobSource + '_> {
        let place = Place { service: self.service.connect(), study: self.study };
        Box::new(HelperSource { place, about: about.clone(), id: None, called: Instant::now(), failures: 0 })
    }
}

/// The address of the study.
struct Place<'s> {
    service: Result<Service, AddressError>,
    study: &'s str,
}

/// The outcome of a request.
enum Reply {
    Response(Response),
    /// The service does not answer, or is busy; when to retry, if it says so.
    Away(Option<Duration>),
}

impl Place<'_> {
    /// * `id`: the helper; the list of helpers without one.
    fn call(
        &self,
        method: HttpMethod<'_>,
        (id, query): (Option<&str>, &str),
        stopped: &dyn Fn() -> bool,
    ) -> Result<Reply, EngineError> {
        let path: Vec<&str> = ["v1", "studies", self.study, "helpers"].into_iter().chain(id).collect();
        let service = self.service.as_ref().map_err(|error| self.unexpected(&error.to_string()))?;
        Ok(match service.call(method, (&path, query), stopped) {
            Ok(Response { status: 408 | 429 | 502..=504, retry_after, .. }) => Reply::Away(retry_after),
            Ok(response) => Reply::Response(response),
            Err(CallError::NotReached { .. } | CallError::Stopped) => Reply::Away(None),
        })
    }

    /// The error of a refusal that no retry changes.
    fn unexpected(&self, found: &str) -> EngineError {
        let resource = |service: &Service| service.resource(&["v1", "studies", self.study]).to_string();
        let path = self.service.as_ref().map_or_else(|_| self.study.to_owned(), resource);
        FileError::Unexpected {
            path: path.into(),
            expected: "a study that takes this helper".to_owned(),
            found: found.to_owned(),
            advice: "see the address /studies/ of the service",
        }
        .into()
    }
}

/// The connection of one thread.
struct HelperSource<'s> {
    place: Place<'s>,
    about: StudyHead,
    /// The id that the service gave.
    id: Option<String>,
    called: Instant,
    /// Requests without a response in a row.
    failures: u32,
}

impl HelperSource<'_> {
    /// Joins the study; `None` if it did.
    fn join(&mut self, stopped: &dyn Fn() -> bool) -> Result<Option<NextJob>, EngineError> {
        let body = serde_json::to_vec(&self.about).unwrap_or_default();
        let response = match self.place.call(HttpMethod::PostJson(&body), (None, ""), stopped)? {
            Reply::Response(response) => response,
            Reply::Away(retry) => return Ok(Some(self.pause(retry, stopped))),
        };
        if let (201, Some(HelperJoined { helper })) = (response.status, read(&response)) {
            (self.id, self.failures) = (Some(helper), 0);
            return Ok(None);
        }
        let Refusal { kind, .. } = read(&response).unwrap_or_default();
        if kind.ends_with(":study-closed") {
            return Ok(Some(NextJob::Closed));
        }
        Err(self.place.unexpected(&found(&response)))
    }

    /// Waits before a retry, longer after each failure.
    fn pause(&mut self, retry: Option<Duration>, stopped: &dyn Fn() -> bool) -> NextJob {
        self.failures += 1;
        let patience = Patience { longest_wait: LONGEST_WAIT, ..Patience::default() };
        let wait = retry.unwrap_or_else(|| patience.wait_after(self.failures)).min(LONGEST_WAIT);
        Patience::wait(wait, stopped);
        NextJob::Wait("the service does not answer or is full; retrying")
    }

    /// The current job; `None` if the service does not know this helper any more.
    fn turn(
        &mut self,
        (id, query): (&str, &str),
        stopped: &dyn Fn() -> bool,
    ) -> Result<Result<Option<HelperTurn>, Option<Duration>>, EngineError> {
        let reply = self.place.call(HttpMethod::Get, (Some(id), query), stopped)?;
        self.called = Instant::now();
        let response = match reply {
            Reply::Response(response) => response,
            Reply::Away(retry) => return Ok(Err(retry)),
        };
        match (response.status, read(&response)) {
            (200, Some(turn)) => Ok(Ok(Some(turn))),
            (404, _) => Ok(Ok(None)),
            _ => Err(self.place.unexpected(&found(&response))),
        }
    }
}

impl JobSource for HelperSource<'_> {
    fn next(&mut self, stopped: &dyn Fn() -> bool) -> Result<NextJob, EngineError> {
        let Some(id) = self.id.clone() else {
            return Ok(self.join(stopped)?.unwrap_or(NextJob::Wait("joining")));
        };
        let turn = match self.turn((&id, WAIT), stopped)? {
            Ok(turn) => turn,
            Err(retry) => return Ok(self.pause(retry, stopped)),
        };
        self.failures = 0;
        let Some(HelperTurn { state, job }) = turn else {
            self.id = None;
            return Ok(NextJob::Wait("joining again"));
        };
        Ok(match (state, job) {
            (HelperState::Job, Some(job)) => NextJob::Job(job),
            (HelperState::Job | HelperState::Waiting, _) => NextJob::Wait("waiting for the next"),
            (HelperState::Unattended, _) => NextJob::Closed,
            (HelperState::Answered, _) => NextJob::Answered,
        })
    }

    fn is_wanted(&mut self, job: &StudyJob) -> bool {
        let Some(id) = self.id.clone() else { return false };
        if self.called.elapsed() < BEAT {
            return true;
        }
        match self.turn((&id, ""), &|| false) {
            Ok(Ok(Some(turn))) => turn.job.as_ref() == Some(job),
            Ok(Ok(None)) => false,
            // The result may still be in time; an error comes back with the next request.
            Ok(Err(_)) | Err(_) => true,
        }
    }

    fn deliver(
        &mut self,
        _: &StudyJob,
        result: &[u8],
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), EngineError> {
        let Some(id) = self.id.clone() else { return Ok(()) };
        loop {
            let reply = self.place.call(HttpMethod::PostBytes(result), (Some(&id), ""), stopped)?;
            self.called = Instant::now();
            match reply {
                // The job may have been cancelled, or an earlier try arrived without its response.
                Reply::Response(Response { status: 204 | 404 | 409, .. }) => return Ok(()),
                Reply::Response(response) => return Err(self.place.unexpected(&found(&response))),
                Reply::Away(_) if stopped() => return Ok(()),
                Reply::Away(retry) => drop(self.pause(retry, stopped)),
            }
        }
    }

    fn leave(&mut self) {
        let begun = Instant::now();
        if let Some(id) = self.id.take() {
            // Without this call the service notices after a minute.
            let _ = self.place.call(HttpMethod::Delete, (Some(&id), ""), &|| begun.elapsed() >= FAREWELL);
        }
    }
}
