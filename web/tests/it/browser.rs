//! Chromium, driven over its DevTools protocol: a page to click on, to type into and to look at.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// One browser at a time: there may be few processors.
static ONE: Mutex<()> = Mutex::new(());

/// A browser with one page.
pub struct Browser {
    child: Child,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    next: u64,
    session: String,
    /// What the page complained about.
    pub errors: Vec<String>,
    _profile: tempfile::TempDir,
    _alone: MutexGuard<'static, ()>,
}

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// The browser's program, if there is one.
fn program() -> Option<String> {
    let named = std::env::var("CHROMIUM").ok();
    let known = NAMES.iter().map(|name| (*name).to_owned());
    let works = |name: &String| {
        Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    named.into_iter().chain(known).find(works)
}

impl Browser {
    /// A browser of a size, or `None`, which is said, where there is none.
    pub fn open(url: &str, width: u32, height: u32, dark: bool) -> Option<Browser> {
        let alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(program) = program() else {
            eprintln!("skipped: there is no Chromium here");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let mut child = Command::new(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"])
            .args(["--remote-debugging-port=0", "--hide-scrollbars"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let socket = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned));
        // The rest must be read, or the browser waits.
        std::thread::spawn(move || lines.for_each(drop));
        let (socket, _) = tungstenite::connect(socket.expect("the browser says where it listens")).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        }
        let mut browser = Browser {
            child,
            socket,
            next: 0,
            session: String::new(),
            errors: Vec::new(),
            _profile: profile,
            _alone: alone,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let session = browser.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        browser.session = session["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.size(width, height);
        browser.dark(dark);
        browser.go(url);
        Some(browser)
    }

    pub fn size(&mut self, width: u32, height: u32) {
        let mobile = width < 600;
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile }),
        );
    }

    pub fn dark(&mut self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        self.call(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] }),
        );
    }

    /// Calls a method and waits for its answer; what else comes is noted.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut message = json!({ "id": id, "method": method, "params": parameters });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == id {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            self.note(&answer);
        }
    }

    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => self.errors.push(parameters["exceptionDetails"].to_string()),
            Some("Runtime.consoleAPICalled") if parameters["type"] == "error" || parameters["type"] == "warning" => {
                self.errors.push(parameters["args"].to_string());
            }
            Some("Log.entryAdded") if parameters["entry"]["level"] == "error" => {
                self.errors.push(parameters["entry"].to_string());
            }
            _ => {}
        }
    }

    pub fn go(&mut self, url: &str) {
        self.call("Page.navigate", json!({ "url": url }));
        self.wait("document.readyState === 'complete' && !!document.querySelector('.view h1')");
    }

    /// The value of an expression; promises are waited for.
    pub fn eval(&mut self, expression: &str) -> Value {
        let wanted =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true });
        let result = self.call("Runtime.evaluate", wanted);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let begun = Instant::now();
        while self.eval(expression) != json!(true) {
            if begun.elapsed() > Duration::from_secs(30) {
                let text = self.eval("document.body.innerText.slice(0, 1500)");
                panic!("waited in vain for {expression}\n{text}\n{:?}", self.errors);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Clicks with the mouse in the middle of the first element that a selector finds.
    pub fn click(&mut self, selector: &str) {
        self.wait(&format!("!!document.querySelector({0})", json!(selector)));
        let place = self.eval(&format!(
            "(() => {{ const e = document.querySelector({}); e.scrollIntoView({{ block: 'center', behavior: 'instant' }}); const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()",
            json!(selector)
        ));
        self.press(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    }

    fn mouse(&mut self, kind: &str, x: f64, y: f64) {
        self.call(
            "Input.dispatchMouseEvent",
            json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1, "buttons": 1 }),
        );
    }

    fn press(&mut self, x: f64, y: f64) {
        self.mouse("mousePressed", x, y);
        self.mouse("mouseReleased", x, y);
    }

    /// Clicks a button by its text.
    pub fn click_text(&mut self, text: &str) {
        let find = format!(
            "[...document.querySelectorAll('button, a, summary')].find((e) => e.textContent.trim() === {} && !e.disabled && e.offsetParent)",
            json!(text)
        );
        self.wait(&format!("!!{find}"));
        self.eval(&format!("{find}.setAttribute('data-wanted', 'yes')"));
        self.click("[data-wanted]");
        self.eval("document.querySelector('[data-wanted]')?.removeAttribute('data-wanted')");
    }

    pub fn square(&mut self, name: &str) {
        self.click(&format!(".view [role=gridcell][aria-label^=\"{name},\"]"));
    }

    /// Drags from one square to another.
    pub fn drag(&mut self, from: &str, to: &str) {
        let mut middle = |name: &str| {
            let place = self.eval(&format!("(() => {{ const b = document.querySelector('.view [role=gridcell][aria-label^=\"{name},\"]').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"));
            (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
        };
        let (from, to) = (middle(from), middle(to));
        self.mouse("mousePressed", from.0, from.1);
        for part in 1..=4 {
            let at = |a: f64, b: f64| a + (b - a) * f64::from(part) / 4.0;
            self.mouse("mouseMoved", at(from.0, to.0), at(from.1, to.1));
        }
        self.mouse("mouseReleased", to.0, to.1);
    }

    pub fn key(&mut self, key: &str) {
        let text = if key == "Enter" { "\r" } else { "" };
        let code = match key {
            "Enter" => 13,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        for kind in ["keyDown", "keyUp"] {
            self.call(
                "Input.dispatchKeyEvent",
                json!({ "type": kind, "key": key, "code": key, "text": text, "windowsVirtualKeyCode": code }),
            );
        }
    }

    pub fn text(&mut self, selector: &str) -> String {
        self.eval(&format!("document.querySelector({})?.innerText ?? ''", json!(selector)))
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Drops a file on the page.
    pub fn drop_file(&mut self, name: &str, text: &str) {
        self.eval(&format!(
            "(() => {{ const data = new DataTransfer(); data.items.add(new File([{}], {})); for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, {{ dataTransfer: data, bubbles: true, cancelable: true }})); }})()",
            json!(text), json!(name)
        ));
    }

    /// Nothing went wrong in the page.
    pub fn assert_quiet(&mut self) {
        self.eval("0");
        assert!(self.errors.is_empty(), "{:#?}", self.errors);
    }

    /// A picture of the page, as PNG in base64.
    pub fn screenshot(&mut self) -> String {
        self.call("Page.captureScreenshot", json!({ "format": "png" }))["data"].as_str().unwrap().to_owned()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
