//! A headless browser, driven over the WebDriver protocol by a third-party client.

use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use thirtyfour::error::WebDriverErrorInner;
use thirtyfour::{
    By, ChromeCapabilities, ChromiumLikeCapabilities as _, DesiredCapabilities, LoggingPrefsLogLevel,
    WebDriver,
};
use tokio::runtime::{Builder, Runtime};

use crate::shared::{PATIENCE, Server, first_after, skip, wait};

/// Headless, without background activity of the browser.
const FLAGS: [&str; 8] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// The width and the height of a phone in CSS pixels.
const PHONE: [u32; 2] = [390, 844];

/// A browser window, closed when dropped.
pub(crate) struct Browser {
    runtime: Runtime,
    /// `None` once it is closed.
    window: Option<WebDriver>,
    /// Declared before the profile, because the browser writes to the profile until it has ended.
    _driver: Driver,
    _profile: TempDir,
}

/// The WebDriver program, on a port of its choice.
struct Driver {
    process: Child,
    port: String,
}

impl Driver {
    /// The maximum number of starts before the test fails.
    const ATTEMPTS: usize = 5;

    /// `None` if there is no such program.
    ///
    /// The program uses the same port for IPv4 and IPv6, and ends if another program has the port for one of them.
    fn start() -> Option<Self> {
        for _ in 0..Self::ATTEMPTS {
            let mut process = Self::spawn()?;
            if let Some(port) = first_after(&mut process, "started successfully on port ") {
                return Some(Self { process, port });
            }
            let _ = process.wait();
        }
        panic!("the program that leads the browser ended {} times before it said its port", Self::ATTEMPTS)
    }

    fn spawn() -> Option<Child> {
        let started = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        started.ok()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Browser {
    /// A window of this size; `None`, with a printed line, if there is no browser.
    pub(crate) fn open(width: u32, height: u32) -> Option<Self> {
        Self::begin(width, height, |_| {})
    }

    /// An upright phone of 390 by 844 CSS pixels with a touch screen; `None`, with a printed line, if there is no
    /// browser.
    ///
    /// A window cannot be this narrow, so the phone is emulated.
    pub(crate) fn phone() -> Option<Self> {
        let screen =
            json!({ "width": PHONE[0], "height": PHONE[1], "pixelRatio": 3, "touch": true, "mobile": true });
        Self::begin(1280, 900, |wanted| {
            wanted.add_experimental_option("mobileEmulation", json!({ "deviceMetrics": screen })).unwrap();
        })
    }

    fn begin(width: u32, height: u32, set: impl FnOnce(&mut ChromeCapabilities)) -> Option<Self> {
        let Some(driver) = Driver::start() else {
            skip("there is no chromedriver here; install chromium and chromium-driver");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let mut wanted = DesiredCapabilities::chrome();
        let own = [
            format!("--window-size={width},{height}"),
            format!("--user-data-dir={}", profile.path().display()),
        ];
        for flag in FLAGS.into_iter().chain(own.iter().map(String::as_str)) {
            wanted.add_arg(flag).unwrap();
        }
        wanted.set_browser_log_level(LoggingPrefsLogLevel::All).unwrap();
        set(&mut wanted);
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let address = format!("http://127.0.0.1:{}", driver.port);
        let opened =
            runtime.block_on(async { WebDriver::builder(&address, wanted).request_timeout(PATIENCE).await });
        match opened {
            Ok(window) => {
                // Without a desktop no window gets the focus, and the page would receive no focus events.
                let focus = json!({ "enabled": true });
                let told = async { window.cdp().send_raw("Emulation.setFocusEmulationEnabled", focus).await };
                runtime.block_on(told).unwrap();
                Some(Self { runtime, window: Some(window), _driver: driver, _profile: profile })
            }
            Err(error) => {
                skip(&format!("no browser answers chromedriver: {error}"));
                None
            }
        }
    }

    fn window(&self) -> &WebDriver {
        self.window.as_ref().unwrap()
    }

    pub(crate) fn visit(&self, service: &Server, path: &str) {
        self.visit_site(&format!("http://{}{path}", service.address));
    }

    /// Visits a page of any server.
    pub(crate) fn visit_site(&self, address: &str) {
        self.runtime.block_on(self.window().goto(address)).unwrap();
    }

    /// Blocks addresses that match these patterns, with `*` for anything.
    pub(crate) fn block(&self, addresses: &[&str]) {
        let commands = [
            ("Network.enable", json!({})),
            // A cached file would still be served.
            ("Network.setCacheDisabled", json!({ "cacheDisabled": true })),
            ("Network.setBlockedURLs", json!({ "urls": addresses })),
        ];
        for (command, what) in commands {
            self.runtime.block_on(self.window().cdp().send_raw(command, what)).unwrap();
        }
    }

    /// Gives the page a window of exactly this size, without the frame of the browser.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        let resized =
            async { self.window().cdp().send_raw("Emulation.setDeviceMetricsOverride", size).await };
        self.runtime.block_on(resized).unwrap();
    }

    /// The return value of a script.
    pub(crate) fn run(&self, script: &str) -> Value {
        let returned = self.runtime.block_on(self.window().execute(script, Vec::new()));
        returned.unwrap_or_else(|error| panic!("{script}: {error}")).json().clone()
    }

    /// The text of the first matching element, or empty if there is none.
    pub(crate) fn text(&self, css: &str) -> String {
        let found = self.run(&format!("return document.querySelector({})?.textContent ?? ''", json!(css)));
        found.as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn count(&self, css: &str) -> u64 {
        self.run(&format!("return document.querySelectorAll({}).length", json!(css))).as_u64().unwrap_or(0)
    }

    /// Waits until the text of an element contains this.
    pub(crate) fn expect(&self, css: &str, says: &str) {
        wait(&format!("{css} says {says:?}"), || self.text(css).contains(says).then_some(()));
    }

    /// Waits until the verdict contains this, and the first of the listed moves as well: the verdict is known before the
    /// list has values and its first move is the best.
    pub(crate) fn expect_value(&self, says: &str) {
        self.expect("#verdict", says);
        self.expect("#moves button", says);
    }

    /// Clicks like a mouse, on the topmost element at the centre; waits for the element, and looks it up again if the
    /// page has redrawn it.
    pub(crate) fn click(&self, css: &str) {
        wait(&format!("{css} is clicked"), || {
            let clicked =
                self.runtime.block_on(async { self.window().find(By::Css(css)).await?.click().await });
            match clicked {
                Ok(()) => Some(()),
                Err(error) => match error.as_inner() {
                    WebDriverErrorInner::StaleElementReference(_) | WebDriverErrorInner::NoSuchElement(_) => {
                        None
                    }
                    _ => panic!("{css}: {error}"),
                },
            }
        });
    }

    /// Replaces the text of a field, and fires the events of a keyboard.
    pub(crate) fn type_into(&self, css: &str, text: &str) {
        let (css, text) = (json!(css), json!(text));
        self.run(&format!(
            "const field = document.querySelector({css}); field.value = {text}; field.dispatchEvent(new Event('input', {{bubbles: true}}))"
        ));
    }

    pub(crate) fn press(&self, keys: &[char]) {
        let strokes = self.window().action_chain();
        let strokes = keys.iter().fold(strokes, |strokes, &key| strokes.key_down(key).key_up(key));
        self.runtime.block_on(strokes.perform()).unwrap();
    }

    /// Whether the page fits the width of a phone, without overflow or scaling.
    pub(crate) fn fits(&self) -> bool {
        let widths = self.run("return [document.documentElement.scrollWidth, innerWidth]");
        let [content, shown]: [u32; 2] = serde_json::from_value(widths).unwrap();
        assert_eq!(shown.min(PHONE[0]), PHONE[0], "no phone");
        content.max(shown) == PHONE[0]
    }

    /// The centre of an element, in CSS pixels.
    fn middle(&self, css: &str) -> [i64; 2] {
        let script = format!(
            "const box = document.querySelector({}).getBoundingClientRect();
             return [box.left + box.width / 2, box.top + box.height / 2].map(Math.round)",
            json!(css)
        );
        serde_json::from_value(self.run(&script)).unwrap()
    }

    /// Drags with a finger from the centre of one element to that of another; only on a phone.
    pub(crate) fn swipe(&self, from: &str, to: &str) {
        let ([x, y], [to_x, to_y]) = (self.middle(from), self.middle(to));
        let touch = |kind: &str, points: Value| {
            let touched = json!({ "type": kind, "touchPoints": points });
            self.runtime.block_on(self.window().cdp().send_raw("Input.dispatchTouchEvent", touched)).unwrap();
        };
        touch("touchStart", json!([{ "x": x, "y": y }]));
        for step in 1..=4 {
            let at = |from: i64, to: i64| from + (to - from) * step / 4;
            touch("touchMove", json!([{ "x": at(x, to_x), "y": at(y, to_y) }]));
        }
        touch("touchEnd", json!([]));
    }

    /// Clicks with the mouse at a place in CSS pixels.
    pub(crate) fn click_at(&self, [x, y]: [i64; 2]) {
        let mouse = self.window().action_chain().move_to(x, y).click();
        self.runtime.block_on(mouse.perform()).unwrap();
    }

    /// Drags with the mouse from the centre of one element to that of another.
    pub(crate) fn drag(&self, from: &str, to: &str) {
        let ([x, y], [to_x, to_y]) = (self.middle(from), self.middle(to));
        let mouse = self.window().action_chain().move_to(x, y).click_and_hold();
        let mouse = mouse.move_to((x + to_x) / 2, (y + to_y) / 2).move_to(to_x, to_y).release();
        self.runtime.block_on(mouse.perform()).unwrap();
    }

    /// The messages in the browser's log.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.runtime.block_on(self.window().get_log("browser")).unwrap();
        log.into_iter().map(|entry| entry.message).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(window) = self.window.take() {
            // A failing test reports its own error; a browser that does not close adds nothing.
            let _ = self.runtime.block_on(window.quit());
        }
    }
}
