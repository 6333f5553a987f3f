//! The service without a socket, on its own thread.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use actix_web::App;
use actix_web::body::to_bytes;
use actix_web::rt::System;
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::web::Data;
use marquis_api::{AppState, Config, configure};
use marquis_engine::{Engine, EngineOptions, Limits, Registry};
use marquis_tests::answers::asked::Asked;
use marquis_tests::answers::chunk::{Host, Service};
use marquis_wire::MemorySize;
use serde_json::Value;

/// A search and a job share the memory of the service.
const SEARCHES: u64 = 2;

/// Starts services with these games.
pub(crate) struct Hosting(pub(crate) Registry);

/// A request: its URI, and the body of a POST.
struct Question {
    uri: String,
    body: Option<Value>,
    answer: Sender<Asked>,
}

/// A service that answers requests one by one, until it is dropped.
struct Served {
    questions: Option<Sender<Question>>,
    thread: Option<JoinHandle<()>>,
}

impl Host for Hosting {
    fn serve(&self, options: &EngineOptions) -> Box<dyn Service> {
        let (registry, options) = (self.0.clone(), options.clone());
        let (questions, asked) = channel();
        let thread = std::thread::spawn(move || answer_all(registry, options, &asked));
        Box::new(Served { questions: Some(questions), thread: Some(thread) })
    }
}

impl Served {
    fn ask(&self, uri: &str, body: Option<Value>) -> Asked {
        let (answer, answered) = channel();
        let question = Question { uri: uri.to_owned(), body, answer };
        let sent = self.questions.as_ref().map(|questions| questions.send(question));
        match (sent, answered.recv()) {
            (Some(Ok(())), Ok(answer)) => answer,
            _ => Err("the service has ended".to_owned()),
        }
    }
}

impl Service for Served {
    fn get(&self, uri: &str) -> Asked {
        self.ask(uri, None)
    }

    fn post(&self, uri: &str, body: &Value) -> Asked {
        self.ask(uri, Some(body.clone()))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.questions = None;
        if let Some(thread) = self.thread.take() {
            // A panicked thread has failed the current request.
            drop(thread.join());
        }
    }
}

fn answer_all(registry: Registry, options: EngineOptions, asked: &Receiver<Question>) {
    let config = Config {
        tables: options.tables.clone(),
        build_starter: false,
        // Each search gets as much as one of the library.
        memory: MemorySize(Limits::default().memory_bytes() * SEARCHES),
        search_threads: 1,
        job_threads: 1,
        open_jobs: 1,
        ..Config::default()
    };
    let state = AppState::starting(registry.clone(), config).expect("a service");
    let (engine, problems) = Engine::open(registry, options).expect("the folders can be read");
    assert!(problems.is_empty(), "{problems:?}");
    state.open(engine);
    let state = Data::new(state);
    System::new().block_on(async {
        let app = init_service(App::new().configure(|cfg| configure(cfg, state.clone()))).await;
        // One at a time: the loop has nothing else to do meanwhile.
        while let Ok(Question { uri, body, answer }) = asked.recv() {
            let request = match body {
                Some(body) => TestRequest::post().uri(&uri).set_json(body),
                None => TestRequest::get().uri(&uri),
            };
            let response = call_service(&app, request.to_request()).await;
            let status = response.status();
            let bytes = to_bytes(response.into_body()).await.map_err(|_| "the body breaks off".to_owned());
            let json =
                bytes.and_then(|bytes| serde_json::from_slice(&bytes).map_err(|error| error.to_string()));
            let result = json.and_then(|json: Value| match status.is_success() {
                true => Ok(json),
                false => Err(format!("{status}: {json}")),
            });
            // Nobody is waiting if the test has failed meanwhile.
            drop(answer.send(result));
        }
    });
    state.stop();
}
