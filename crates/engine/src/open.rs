//! The knowledge graph that is open, which several services ask.

use std::rc::Rc;

use kg::find::Finder;
use protocol::kg::NOT_OPEN;
use systems::remote::RemoteKg;
use text::SimilarityMeasure;

use crate::context::Ended;
use crate::measure::Measure;

/// The graph that is open, and the similarity measure of its names.
#[derive(Default)]
pub(crate) struct Open {
    pub(crate) finder: Option<Rc<Finder>>,
    pub(crate) measure: Option<Measure>,
    /// The store in which the graph is, if it is in one.
    pub(crate) remote: Option<Rc<RemoteKg>>,
}

impl Open {
    /// The graph that is open.
    ///
    /// # Errors
    /// [`NOT_OPEN`].
    pub(crate) fn finder(&self) -> Result<Rc<Finder>, Ended> {
        self.finder.clone().ok_or_else(|| NOT_OPEN.into())
    }

    /// The similarity measure.
    pub(crate) fn meaning(&self) -> Rc<dyn SimilarityMeasure> {
        self.measure.as_ref().map_or_else(|| Rc::new(text::NGrams) as _, |m| m.meaning.clone())
    }

    /// Switches the similarity measure; the graph stays open.
    pub(crate) fn measure_by(&mut self, measure: Measure) {
        if let Some(finder) = &mut self.finder {
            *finder = Rc::new(Finder::new(finder.kg().clone(), measure.meaning.clone()));
        }
        self.measure = Some(measure);
    }
}
