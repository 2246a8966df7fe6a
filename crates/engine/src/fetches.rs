//! The requests of a job that the page sends, and what it says of them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use llm::{ChatResponse, HttpHead, HttpResponse, ModelError};

/// What the page says of a fetch.
pub(crate) enum Word {
    /// What stands before a streamed answer.
    Head(HttpHead),
    /// More of a streamed answer.
    Text(String),
    /// What came of a question, without the key.
    Clean(Box<Result<ChatResponse, ModelError>>),
    /// The end: a whole answer, the end of a streamed one, or why there is none.
    End(Result<HttpResponse, ModelError>),
}

/// The fetches of a job that are under way.
#[derive(Clone, Default)]
pub(crate) struct Fetches(Rc<RefCell<BTreeMap<u32, UnboundedSender<Word>>>>);

impl Fetches {
    pub(crate) fn begin(&self) -> (u32, UnboundedReceiver<Word>) {
        let (sender, receiver) = unbounded();
        let mut fetches = self.0.borrow_mut();
        let fetch = fetches.last_key_value().map_or(0, |(last, _)| last + 1);
        fetches.insert(fetch, sender);
        (fetch, receiver)
    }

    /// Hands a word to whoever waits for it.
    pub(crate) fn tell(&self, fetch: u32, word: Word) {
        let is_end = matches!(word, Word::End(_) | Word::Clean(_));
        let mut fetches = self.0.borrow_mut();
        if let Some(waiting) = fetches.get(&fetch) {
            // Whoever waited may have been stopped meanwhile.
            let _ = waiting.unbounded_send(word);
        }
        if is_end {
            fetches.remove(&fetch);
        }
    }
}
