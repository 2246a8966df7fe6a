//! Similarity of names: by trigrams, by words, by a table of word embeddings, or by a model.

use std::rc::Rc;

use protocol::kg::{EmbedNames, NameMeasure, SetSimilarity, Similarity, TABLE};
use systems::Backends;
use text::{Bm25Similarity, Embedded, NGrams, SimilarityMeasure, WordTable};

use crate::Attachments;
use crate::context::{Context, Ended};
use crate::measure::Measure;
use crate::open::Open;

/// Makes a MiniLM of the bytes that are attached.
fn minilm<B: Backends>(attached: &Attachments) -> Result<Measure, String> {
    let [weights, tokenizer, config] = protocol::kg::MODEL.map(|name| attached.take(name));
    let model = B::minilm(weights?, &tokenizer?, &config?)?;
    let model = Rc::new(text::Remembered::new(model));
    Ok(Measure { meaning: Rc::new(Embedded(model.clone())), learner: Some(model) })
}

/// Makes a measure that needs no model.
fn plain(by: Similarity, attached: &Attachments) -> Result<Measure, String> {
    let meaning: Rc<dyn SimilarityMeasure> = match by {
        Similarity::Trigrams => Rc::new(NGrams),
        Similarity::Bm25 => Rc::new(Bm25Similarity),
        Similarity::Table => {
            let table = attached.take(TABLE)?;
            let table = WordTable::read(&table).map_err(|e| e.to_string())?;
            Rc::new(Embedded(Rc::new(table)))
        }
        Similarity::Minilm => return Err("internal error: this engine runs no models".into()),
    };
    Ok(Measure { meaning, learner: None })
}

/// Switches to a measure that needs no model.
pub(crate) async fn set(context: &Context, ask: SetSimilarity) -> Result<NameMeasure, Ended> {
    Ok(switch(context, plain(ask.by, &context.attachments)?))
}

/// Switches to any measure.
pub(crate) async fn set_with_models<B: Backends>(
    context: &Context,
    ask: SetSimilarity,
) -> Result<NameMeasure, Ended> {
    let measure = match ask.by {
        Similarity::Minilm => minilm::<B>(&context.attachments)?,
        other => plain(other, &context.attachments)?,
    };
    Ok(switch(context, measure))
}

fn switch(context: &Context, measure: Measure) -> NameMeasure {
    let (label, threshold) = (measure.meaning.label(), measure.meaning.threshold());
    context.keep::<Open>().borrow_mut().measure_by(measure);
    NameMeasure { label, threshold }
}

/// Lets a model read the names of the open graph.
pub(crate) async fn embed_names(context: &Context, _: EmbedNames) -> Result<NameMeasure, Ended> {
    let open = context.keep::<Open>();
    let measure = open.borrow().measure.clone();
    let finder = open.borrow().finder()?;
    if let Some(measure) = measure {
        let names = finder.kg().nodes().map(|n| finder.kg().name(n));
        measure.learn(context, names).await?;
    }
    Ok(NameMeasure { label: finder.label(), threshold: finder.threshold() })
}
