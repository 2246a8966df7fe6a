use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// A request as it came.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Method and path.
    pub line: String,
    /// The headers.
    pub head: String,
    /// The body.
    pub body: String,
}

impl Asked {
    /// The body as JSON; null where it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// What a header says, whatever the case of its name; empty where it is missing.
    pub fn header(&self, name: &str) -> &str {
        let fields = self.head.lines().filter_map(|line| line.split_once(':'));
        fields
            .filter(|(of, _)| of.eq_ignore_ascii_case(name))
            .map(|(_, v)| v.trim())
            .next()
            .unwrap_or("")
    }

    /// All of it, as it came.
    pub fn text(&self) -> String {
        format!("{}\n{}\n{}", self.line, self.head, self.body)
    }
}

/// What a server answers: status, type, body.
pub type Answer = (u16, &'static str, String);

/// A server on the loopback that answers by a function, one request a connection, and keeps what it
/// is asked. It ends with the process.
pub struct StubServer {
    /// Its address, without a path.
    pub url: String,
    seen: Arc<Mutex<Vec<Asked>>>,
}

impl StubServer {
    /// Starts a server on a port of the system's choice.
    ///
    /// # Panics
    /// There is no port.
    pub fn start(answer: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::<Mutex<Vec<Asked>>>::default();
        let (told, answer) = (seen.clone(), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (told, answer) = (told.clone(), answer.clone());
                std::thread::spawn(move || serve(stream, &told, &*answer));
            }
        });
        Self { url, seen }
    }

    /// The address of an endpoint of OpenAI's protocol there.
    pub fn endpoint(&self) -> String {
        format!("{}/v1", self.url)
    }

    /// All that it was asked so far.
    ///
    /// # Panics
    /// Its function panicked.
    pub fn seen(&self) -> Vec<Asked> {
        self.seen.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, seen: &Mutex<Vec<Asked>>, answer: &dyn Fn(&Asked) -> Answer) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut asked = Asked::default();
    if reader.read_line(&mut asked.line).unwrap_or(0) == 0 {
        return;
    }
    while reader.read_line(&mut asked.head).unwrap_or(0) > 2 {}
    let length = asked.header("content-length").parse().unwrap_or(0);
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    asked.body = String::from_utf8(body).unwrap();
    seen.lock().unwrap().push(asked.clone());
    let (status, of, body) = answer(&asked);
    let _ = write!(
        stream,
        "HTTP/1.1 {status} X\r\nContent-Type: {of}\r\nRetry-After: 0\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
}

/// An answer in the protocol of OpenAI with one message.
pub fn said(message: &Value) -> Answer {
    let body = json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] });
    (200, "application/json", body.to_string())
}
