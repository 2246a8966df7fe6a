//! A model whose replies have faults, to see what the controller bears.

use std::sync::atomic::{AtomicU64, Ordering};

use llm::{BoxFuture, ChatRequest, ChatResponse, Model, ModelError, Watch};
use serde_json::Value;

/// A model with faults: of a hundred replies so many are no JSON, so many queries are broken, and so
/// many times the endpoint fails. The same seed gives the same faults.
pub struct Faulty<M> {
    inner: M,
    bad_json: u64,
    broken_queries: u64,
    failures: u64,
    state: AtomicU64,
}

impl<M> Faulty<M> {
    /// With 10 % bad JSON, 10 % broken queries and 5 % failures of the endpoint.
    pub fn new(inner: M, seed: u64) -> Self {
        let state = AtomicU64::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        Self { inner, bad_json: 10, broken_queries: 10, failures: 5, state }
    }

    /// Whether something happens that happens so many times in a hundred.
    fn happens(&self, percent: u64) -> bool {
        self.draw(100) < percent
    }

    fn draw(&self, below: u64) -> u64 {
        let mut x = self.state.load(Ordering::Relaxed);
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.state.store(x, Ordering::Relaxed);
        (x >> 11) % below
    }

    fn spoil(&self, reply: &str) -> String {
        match self.draw(4) {
            0 => "I am not sure what to say; let me think about the graph first.".into(),
            1 => reply.chars().take(reply.chars().count() * 2 / 3).collect(),
            2 => format!("Here it is:\n```json\n{}\n```", reply.replacen("\":", "\" ", 1)),
            _ => format!("{}, }}", reply.trim_end_matches('}')),
        }
    }

    fn break_queries(&self, value: &mut Value) {
        match value {
            Value::Object(map) => {
                for (name, value) in map.iter_mut() {
                    if name == "query" || name == "queries" {
                        self.break_queries(value);
                    }
                }
            }
            Value::Array(list) => list.iter_mut().for_each(|item| self.break_queries(item)),
            Value::String(text) if is_query(text) && self.happens(self.broken_queries) => {
                *text = broken(text, self.draw(3));
            }
            _ => {}
        }
    }
}

fn is_query(text: &str) -> bool {
    ["MERGE", "MATCH", "INSERT DATA", "SELECT", "G.add_node(", "result = "]
        .iter()
        .any(|word| text.starts_with(word))
}

const WORDS: [(&str, &str); 6] = [
    ("MERGE ", "MERG "),
    ("MATCH ", "MACTH "),
    ("INSERT DATA", "INSERT DAT"),
    ("SELECT ", "SELEKT "),
    ("G.add_node(", "G.ad_node("),
    ("result = ", "result == "),
];

fn broken(query: &str, how: u64) -> String {
    if how == 0 {
        return format!("{query} )");
    }
    for (right, wrong) in WORDS {
        if query.starts_with(right) {
            return query.replacen(right, wrong, 1);
        }
    }
    query.to_owned()
}

/// Undoes [`broken`].
pub(super) fn repaired(query: &str) -> String {
    if let Some(whole) = query.strip_suffix(" )") {
        return whole.to_owned();
    }
    for (right, wrong) in WORDS {
        if query.starts_with(wrong) {
            return query.replacen(wrong, right, 1);
        }
    }
    query.to_owned()
}

impl<M: Model> Model for Faulty<M> {
    fn label(&self) -> String {
        format!("{} with faults", self.inner.label())
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(async move {
            if self.happens(self.failures) {
                return Err(ModelError::Broken { reason: "the connection was lost".into() });
            }
            let mut answer = self.inner.complete(request, watch).await?;
            let reply = &mut answer.message.content;
            if let Ok(mut value) = serde_json::from_str::<Value>(reply) {
                self.break_queries(&mut value);
                *reply = value.to_string();
                if self.happens(self.bad_json) {
                    *reply = self.spoil(reply);
                }
            }
            Ok(answer)
        })
    }
}
