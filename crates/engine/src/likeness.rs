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
    #[cfg(feature = "ml")]
    model: Option<Rc<text::Remembered<ml::MiniLm>>>,
}

impl Means {
    fn plain(meaning: Rc<dyn Meaning>) -> Self {
        Self {
            meaning,
            #[cfg(feature = "ml")]
            model: None,
        }
    }
}

/// Makes what is asked for of the bytes that are attached.
///
/// # Errors
/// If they are not there, or not what they should be.
pub(crate) fn read(by: Likeness, attached: &Attachments) -> Result<Means, String> {
    match by {
        Likeness::Trigrams => Ok(Means::plain(Rc::new(NGrams))),
        Likeness::Table => {
            let table = WordTable::read(&attached.take(TABLE)?).map_err(|e| e.to_string())?;
            Ok(Means::plain(Rc::new(Embedded(Rc::new(table)))))
        }
        #[cfg(not(feature = "ml"))]
        Likeness::Minilm => Err("a fault of ours: this engine runs no models".into()),
        #[cfg(feature = "ml")]
        Likeness::Minilm => {
            let [weights, tokenizer, config] = MODEL.map(|name| attached.take(name));
            let model = ml::MiniLm::new(weights?, &tokenizer?, &config?);
            let model = model.map_err(|e| e.to_string())?;
            let model = Rc::new(text::Remembered::new(model));
            Ok(Means { meaning: Rc::new(Embedded(model.clone())), model: Some(model) })
        }
    }
}

impl Means {
    /// Lets a model read texts before anybody waits for them; false if it was stopped. What it has
    /// read by then it keeps.
    #[cfg(feature = "ml")]
    pub(crate) async fn learn<'t>(
        &self,
        context: &Context,
        texts: impl Iterator<Item = &'t str>,
    ) -> Result<bool, String> {
        /// So many texts are read between two looks at the page's messages.
        const TOGETHER: usize = 16;
        let Some(model) = &self.model else { return Ok(true) };
        let mut new = model.unknown(texts);
        // Texts of one length need no filling up.
        new.sort_by_key(|t| (t.len(), *t));
        let (mut done, total) = (0, new.len());
        for some in new.chunks(TOGETHER) {
            if context.cancel.is_cancelled() {
                return Ok(false);
            }
            model.learn(some);
            done += some.len();
            context.post(crate::Event::Progress { done, total });
            context.host.pause().await;
        }
        Ok(!context.cancel.is_cancelled())
    }

    /// Nothing here reads texts before they are asked about.
    #[cfg(not(feature = "ml"))]
    #[expect(clippy::unused_async, reason = "an engine with models waits here")]
    pub(crate) async fn learn<'t>(
        &self,
        _: &Context,
        _: impl Iterator<Item = &'t str>,
    ) -> Result<bool, String> {
        Ok(true)
    }
}
