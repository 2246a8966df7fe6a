//! How likeness of names is told: by trigrams, by a table of words, or by a model.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use text::{Embedded, Meaning, NGrams, WordTable};

use crate::Attachments;
use crate::jobs::Context;

/// How likeness is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Likeness {
    /// Character trigrams.
    #[default]
    Trigrams,
    /// The table of words.
    Table,
    /// A BERT that makes vectors of sentences; only an engine with `ml` can.
    Minilm,
}

/// The file of the table of words.
pub const TABLE: &str = "words.bin";
/// The files of a model: its weights, its tokenizer, its sizes.
pub const MODEL: [&str; 3] = ["model.safetensors", "tokenizer.json", "config.json"];

impl Likeness {
    /// The names of the files that are attached to a request for this.
    pub fn files(self) -> &'static [&'static str] {
        match self {
            Self::Trigrams => &[],
            Self::Table => &[TABLE],
            Self::Minilm => &MODEL,
        }
    }
}

/// What likeness is told by, ready to be asked.
#[derive(Clone)]
pub(crate) struct Means {
    pub(crate) meaning: Rc<dyn Meaning>,
    learner: Option<Rc<dyn Learner>>,
}

/// A model that reads texts before anybody waits for them.
trait Learner {
    /// Those that it has not read yet.
    fn unknown<'t>(&self, texts: &mut dyn Iterator<Item = &'t str>) -> Vec<&'t str>;
    /// Reads some and remembers them.
    fn learn(&self, texts: &[&str]);
}

impl<E: text::Embed> Learner for text::Remembered<E> {
    fn unknown<'t>(&self, texts: &mut dyn Iterator<Item = &'t str>) -> Vec<&'t str> {
        Self::unknown(self, texts)
    }

    fn learn(&self, texts: &[&str]) {
        Self::learn(self, texts);
    }
}

/// What makes a model of the bytes of its files.
pub(crate) type ReadModel = fn(&Attachments) -> Result<Means, String>;

/// Makes a MiniLM of the bytes that are attached.
#[cfg(feature = "ml")]
pub(crate) fn minilm(attached: &Attachments) -> Result<Means, String> {
    let [weights, tokenizer, config] = MODEL.map(|name| attached.take(name));
    let model = ml::MiniLm::new(weights?, &tokenizer?, &config?).map_err(|e| e.to_string())?;
    let model = Rc::new(text::Remembered::new(model));
    Ok(Means { meaning: Rc::new(Embedded(model.clone())), learner: Some(model) })
}

/// Makes what is asked for of the bytes that are attached.
///
/// # Errors
/// If they are not there, or not what they should be.
pub(crate) fn read(by: Likeness, context: &Context) -> Result<Means, String> {
    let plain = |meaning| Means { meaning, learner: None };
    match by {
        Likeness::Trigrams => Ok(plain(Rc::new(NGrams))),
        Likeness::Table => {
            let table = context.attachments.take(TABLE)?;
            let table = WordTable::read(&table).map_err(|e| e.to_string())?;
            Ok(plain(Rc::new(Embedded(Rc::new(table)))))
        }
        Likeness::Minilm => {
            let read = context.parts.minilm;
            read.ok_or("a fault of ours: this engine runs no models")?(&context.attachments)
        }
    }
}

/// How many texts are read between two looks at the page's messages: some tenths of a second's
/// worth.
fn together(texts: &[&str]) -> usize {
    const MOST: usize = 16;
    const MOST_BYTES: usize = 256;
    let longest = texts.iter().take(MOST).map(|t| t.len()).max().unwrap_or(1);
    (MOST_BYTES / longest.max(1)).clamp(1, MOST).min(texts.len())
}

impl Means {
    /// Lets a model read texts before anybody waits for them; false if it was stopped. What it has
    /// read by then it keeps.
    pub(crate) async fn learn<'t>(
        &self,
        context: &Context,
        mut texts: impl Iterator<Item = &'t str>,
    ) -> Result<bool, String> {
        let Some(model) = &self.learner else { return Ok(true) };
        let mut new = model.unknown(&mut texts);
        // Texts of one length need no filling up.
        new.sort_by_key(|t| (t.len(), *t));
        let (mut done, total) = (0, new.len());
        while done < total && !context.cancel.is_cancelled() {
            let some = &new[done..done + together(&new[done..])];
            model.learn(some);
            done += some.len();
            context.post(crate::Event::Progress { done, total });
            context.host.pause().await;
        }
        Ok(!context.cancel.is_cancelled())
    }
}
