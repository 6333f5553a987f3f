//! A browser without a window, led over the WebDriver protocol, and a service for it to visit.

use std::io::{BufRead, BufReader, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use marquis_api::{Config, ServeError, serve};
use serde_json::{Value, json};

use crate::shared::{PATIENCE, free_address, wait};

/// A service, which ends with this.
pub(crate) struct Service {
    pub(crate) address: String,
    stop: &'static AtomicBool,
    server: Option<JoinHandle<Result<(), ServeError>>>,
}

impl Service {
    pub(crate) fn start() -> Self {
        Self::with_tables(Vec::new())
    }

    pub(crate) fn with_tables(tables: Vec<PathBuf>) -> Self {
        let address = free_address();
        let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
        let config = Config { bind: address.clone(), tables, build_starter: false, ..Config::default() };
        let server = thread::spawn(move || serve(config, stop, |_| {}));
        wait("the service", || TcpStream::connect(&address).ok());
        Self { address, stop, server: Some(server) }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(server) = self.server.take() {
            // A failing test says what failed; how the service ended adds nothing.
            let _ = server.join();
        }
    }
}

/// A browser window.
pub(crate) struct Browser {
    address: String,
    session: String,
    driver: Child,
}

impl Browser {
    /// A window of this size; none, with a printed line, where there is no browser.
    pub(crate) fn open(width: u32, height: u32) -> Option<Self> {
        let address = free_address();
        let port = address.rsplit(':').next()?;
        let driver = Command::new("chromedriver")
            .args([&format!("--port={port}"), "--silent"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(driver) = driver else {
            println!("skipped: there is no chromedriver here; install chromium and chromium-driver");
            return None;
        };
        wait("chromedriver", || TcpStream::connect(&address).ok());
        let size = format!("--window-size={width},{height}");
        let mut browser = Self { address, session: String::new(), driver };
        let flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
        let quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
        let flags: Vec<_> = flags.into_iter().chain(quiet).chain([size.as_str()]).collect();
        let wanted = json!({"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": flags},
            "goog:loggingPrefs": {"browser": "ALL"}}}});
        let session = browser.call("POST", "/session", &wanted);
        let Some(id) = session["sessionId"].as_str() else {
            println!("skipped: no browser answers chromedriver: {session}");
            return None;
        };
        browser.session = format!("/session/{id}");
        Some(browser)
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let body = read_body(&mut BufReader::new(stream));
        serde_json::from_slice::<Value>(&body).map_or(Value::Null, |value| value["value"].clone())
    }

    fn post(&self, what: &str, body: &Value) -> Value {
        self.call("POST", &format!("{}{what}", self.session), body)
    }

    pub(crate) fn visit(&self, service: &Service, path: &str) {
        self.post("/url", &json!({"url": format!("http://{}{path}", service.address)}));
    }

    /// What a script returns.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// The text of the first element, empty where there is none.
    pub(crate) fn text(&self, css: &str) -> String {
        let found = self.run(&format!("return document.querySelector({})?.textContent ?? ''", json!(css)));
        found.as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn count(&self, css: &str) -> u64 {
        self.run(&format!("return document.querySelectorAll({}).length", json!(css))).as_u64().unwrap_or(0)
    }

    /// Waits until the text of an element contains this.
    pub(crate) fn expect(&self, css: &str, says: &str) {
        let began = Instant::now();
        while !self.text(css).contains(says) {
            assert!(began.elapsed() < PATIENCE, "{css} says {:?} and not {says:?}", self.text(css));
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Clicks as a mouse does: on what lies uppermost in the middle of the element.
    pub(crate) fn click(&self, css: &str) {
        let element = self.post("/element", &json!({"using": "css selector", "value": css}));
        let id = element.as_object().and_then(|found| found.values().next()?.as_str().map(str::to_owned));
        let id = id.unwrap_or_else(|| panic!("{css}: {element}"));
        let failed = self.post(&format!("/element/{id}/click"), &json!({}));
        assert!(failed.is_null(), "{css}: {failed}");
    }

    /// Writes into a field in place of what is there, and tells the page as a keyboard would.
    pub(crate) fn type_into(&self, css: &str, text: &str) {
        let (css, text) = (json!(css), json!(text));
        self.run(&format!(
            "const field = document.querySelector({css}); field.value = {text}; field.dispatchEvent(new Event('input', {{bubbles: true}}))"
        ));
    }

    pub(crate) fn press(&self, keys: &[&str]) {
        let strokes: Vec<_> = keys
            .iter()
            .flat_map(|key| {
                [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})]
            })
            .collect();
        self.post("/actions", &json!({"actions": [{"type": "key", "id": "keys", "actions": strokes}]}));
    }

    /// What the browser complained about.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", &json!({"type": "browser"}));
        log.as_array().into_iter().flatten().map(|line| line["message"].to_string()).collect()
    }
}

impl Browser {
    /// Asks the driver to close the browser; without it the browser outlives the test.
    fn close(&self) -> std::io::Result<()> {
        let mut stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(
            stream,
            "DELETE {} HTTP/1.1\r\nHost: {}\r\nContent-Length: 0\r\n\r\n",
            self.session, self.address
        )?;
        BufReader::new(stream).read_line(&mut String::new()).map(drop)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            // A test that fails says why; that the browser stays adds nothing.
            let _ = self.close();
        }
        // It may have ended by itself.
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The body of a reply; the driver leaves the connection open after it.
fn read_body(reply: &mut impl BufRead) -> Vec<u8> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        reply.read_line(&mut line).unwrap();
        match line.trim().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().unwrap();
            }
            None if line.trim().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reply.read_exact(&mut body).unwrap();
    body
}
