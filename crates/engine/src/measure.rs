//! A similarity measure of names, and a model that reads names before anybody waits for them.

use std::rc::Rc;

use text::SimilarityMeasure;

use crate::context::{Context, Ended};

/// A similarity measure, ready to be asked.
#[derive(Clone)]
pub(crate) struct Measure {
    pub(crate) meaning: Rc<dyn SimilarityMeasure>,
    pub(crate) learner: Option<Rc<dyn Learner>>,
}

/// A model that reads texts before anybody waits for them.
pub(crate) trait Learner {
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

/// How many texts are read between two looks at the page's messages: some tenths of a second's
/// worth.
fn together(texts: &[&str]) -> usize {
    const MOST: usize = 16;
    const MOST_BYTES: usize = 256;
    let longest = texts.iter().take(MOST).map(|t| t.len()).max().unwrap_or(1);
    (MOST_BYTES / longest.max(1)).clamp(1, MOST).min(texts.len())
}

impl Measure {
    /// Lets a model read texts before anybody waits for them. What it has read when it is stopped it
    /// keeps.
    pub(crate) async fn learn<'t>(
        &self,
        context: &Context,
        mut texts: impl Iterator<Item = &'t str>,
    ) -> Result<(), Ended> {
        let Some(model) = &self.learner else { return Ok(()) };
        let mut new = model.unknown(&mut texts);
        // Texts of one length need no padding.
        new.sort_by_key(|t| (t.len(), *t));
        let (mut done, total) = (0, new.len());
        while done < total {
            let some = &new[done..done + together(&new[done..])];
            model.learn(some);
            done += some.len();
            context.progress(done, total).await?;
        }
        Ok(())
    }
}
