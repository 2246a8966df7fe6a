//! Model files in this page: how far one is, what is said of it.

use modelfiles::{FileAbout, KeptFile, Speed, megabytes};

use super::numbers::grouped;

/// How far a model is on its way into memory.
pub fn loading(file: &str, done: f64, total: f64) -> String {
    format!("{file} goes into memory: {} of {}", megabytes(done), megabytes(total))
}

/// How far a model is with a prompt.
pub fn reading(file: &str, done: usize, total: usize) -> String {
    format!("{file} reads the prompt: {} of {} tokens", grouped(done), grouped(total))
}

/// Bytes on their way.
#[derive(Clone, Debug, PartialEq)]
pub struct Transfer {
    /// What is done, such as `Loading a.gguf`.
    pub words: String,
    /// Bytes that are there.
    pub done: f64,
    /// Bytes in all; 0 where nobody knows.
    pub total: f64,
    /// When it began, in milliseconds, and with how many bytes.
    began: Option<(f64, f64)>,
    now_ms: f64,
}

impl Transfer {
    /// At its beginning.
    pub fn new(words: String) -> Self {
        Self { words, done: 0.0, total: 0.0, began: None, now_ms: 0.0 }
    }

    /// So many bytes are there at that time.
    pub fn tell(&mut self, done: f64, total: f64, now_ms: f64) {
        // What was there before it began counts for no speed.
        self.began.get_or_insert((now_ms, done));
        (self.done, self.total, self.now_ms) = (done, total.max(done), now_ms);
    }

    /// Bytes in a second, once there is something to tell it by.
    fn per_second(&self) -> Option<f64> {
        let (from_ms, from) = self.began?;
        let ms = self.now_ms - from_ms;
        (ms > 500.0 && self.done > from).then(|| (self.done - from) * 1000.0 / ms)
    }

    /// How far it is: `45 of 98 MB, 12 MB/s, 5 s left`.
    pub fn facts(&self) -> String {
        if self.done == 0.0 && self.total == 0.0 {
            return String::new();
        }
        let mut parts = vec![if self.total > self.done {
            format!("{} of {}", megabytes(self.done), megabytes(self.total))
        } else {
            megabytes(self.done)
        }];
        if let Some(rate) = self.per_second() {
            parts.push(format!("{} a second", megabytes(rate)));
            if self.total > self.done {
                parts.push(format!("{} left", duration((self.total - self.done) / rate)));
            }
        }
        parts.join(", ")
    }
}

fn duration(seconds: f64) -> String {
    if seconds < 90.0 {
        format!("{:.0} s", seconds.ceil())
    } else {
        format!("{:.0} min", (seconds / 60.0).ceil())
    }
}

fn about(about: &FileAbout) -> String {
    let parameters = match about.n_parameters {
        n if n >= 1e9 => format!("{:.1} billion parameters", n / 1e9),
        n if n >= 1e6 => format!("{:.0} million parameters", n / 1e6),
        n => format!("{n:.0} parameters"),
    };
    let tools = match about.knows_tools {
        true => "its template has tools",
        false => "its template has no tools",
    };
    let context = match about.n_ctx < about.n_ctx_trained {
        true => {
            format!(
                "{} of {} tokens of context",
                grouped(about.n_ctx),
                grouped(about.n_ctx_trained)
            )
        }
        false => format!("{} tokens of context", grouped(about.n_ctx)),
    };
    format!(
        "{}, {parameters}, {}, {context}, {} of memory, {tools}",
        about.title,
        about.quantisation,
        megabytes(about.memory_bytes)
    )
}

/// What there is to say of a file.
pub fn facts(file: &KeptFile) -> String {
    let size = megabytes(file.bytes);
    if !file.is_whole {
        return match file.total {
            Some(total) => format!("Not whole: {size} of {} are here.", megabytes(total)),
            None => format!("Not whole: {size} are here."),
        };
    }
    match (&file.about, &file.fault) {
        (Some(found), None) => format!("{size}: {}.", about(found)),
        (_, Some(fault)) => format!("{size}. It cannot be used: {fault}."),
        (None, None) => format!("{size}."),
    }
}

/// How the rest of a half file is had.
pub fn how_to_go_on(file: &KeptFile) -> &'static str {
    match &file.address {
        Some(_) => "Load the rest, or delete it.",
        None => "Choose the same file again to go on, or delete it.",
    }
}

/// Whether a file can be chosen.
pub fn is_usable(file: &KeptFile) -> bool {
    file.is_whole && file.fault.is_none()
}

/// How fast a model is here.
pub fn speed(speed: &Speed) -> String {
    let rate = |n: Option<f64>| n.map_or_else(|| "–".to_owned(), |n| format!("{n:.0}"));
    let threads = match speed.n_threads {
        1 => "one thread".to_owned(),
        n => format!("{n} threads"),
    };
    format!(
        "Its last answer here, on {threads}: {} tokens a second read, {} tokens a second written.",
        rate(speed.prefill_per_s),
        rate(speed.decode_per_s)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole() -> KeptFile {
        KeptFile {
            name: "a.gguf".into(),
            bytes: 98e6,
            total: Some(98e6),
            is_whole: true,
            about: Some(FileAbout {
                title: "Small".into(),
                quantisation: "Q4_1".into(),
                n_parameters: 134.5e6,
                n_ctx: 8192,
                n_ctx_trained: 32768,
                memory_bytes: 310e6,
                knows_tools: false,
            }),
            ..KeptFile::default()
        }
    }

    #[test]
    fn a_model_tells_how_far_it_is() {
        assert_eq!(loading("a.gguf", 45e6, 98e6), "a.gguf goes into memory: 45 MB of 98 MB");
        assert_eq!(reading("a.gguf", 64, 3461), "a.gguf reads the prompt: 64 of 3,461 tokens");
    }

    #[test]
    fn a_transfer_tells_rate_and_time() {
        let mut transfer = Transfer::new("Loading a.gguf".into());
        assert_eq!(transfer.facts(), "");
        transfer.tell(40e6, 100e6, 1000.0);
        assert_eq!(transfer.facts(), "40 MB of 100 MB");
        // What was there before does not count.
        transfer.tell(60e6, 100e6, 3000.0);
        assert_eq!(transfer.facts(), "60 MB of 100 MB, 10 MB a second, 4 s left");
        transfer.tell(60.1e6, 3000e6, 3001.0);
        assert!(transfer.facts().ends_with("5 min left"), "{}", transfer.facts());
        let mut unknown = Transfer::new(String::new());
        unknown.tell(5e6, 0.0, 0.0);
        assert_eq!(unknown.facts(), "5.0 MB");
    }

    #[test]
    fn a_file_says_what_it_is() {
        assert_eq!(
            facts(&whole()),
            "98 MB: Small, 134 million parameters, Q4_1, 8,192 of 32,768 tokens of context, 310 MB of memory, its template has no tools."
        );
        assert!(is_usable(&whole()));
        let half = KeptFile { is_whole: false, bytes: 40e6, ..whole() };
        assert_eq!(facts(&half), "Not whole: 40 MB of 98 MB are here.");
        assert!(!is_usable(&half) && how_to_go_on(&half).contains("Choose the same file"));
        let from = KeptFile { address: Some("http://h/a.gguf".into()), ..half };
        assert!(how_to_go_on(&from).starts_with("Load the rest"));
        let wrong = KeptFile { fault: Some("its architecture is x".into()), ..whole() };
        assert!(!is_usable(&wrong) && facts(&wrong).contains("cannot be used: its architecture"));
    }

    #[test]
    fn a_speed_is_of_this_machine() {
        let told = Speed { prefill_per_s: Some(210.4), decode_per_s: None, n_threads: 2 };
        let words = "Its last answer here, on 2 threads: 210 tokens a second read, – tokens a second written.";
        assert_eq!(speed(&told), words);
    }
}
