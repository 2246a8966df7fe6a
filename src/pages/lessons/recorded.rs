//! A recorded run of another system in a lesson: its question, how good it was, and its steps.

use leptos::prelude::*;

use super::play::steps_in_words;
use crate::components::transcript::Transcript;
use crate::components::verdict::words;
use crate::state::lesson::{RecordedBlock, recorded};
use crate::state::story;

/// The block.
#[component]
pub(super) fn Recorded(block: RecordedBlock) -> impl IntoView {
    // The reader of lessons has looked whether there is one.
    let record = recorded::record(&block.run)?;
    let (word, tone) = words(block.expect);
    let right = record.metadata.get("right").and_then(|r| r.as_str()).unwrap_or_default();
    let right = format!("Right would be: {right}");
    let explanation = record.score.map(|score| score.explanation);
    let steps = story::shared(&record.trace.steps);
    let n_steps = steps.len();
    let cursor = RwSignal::new(n_steps);
    Some(view! {
        <section class="lesson-block lesson-run" data-testid="lesson-recorded">
            <p class="claimed">{record.input}</p>
            <p class="quiet-text">
                {format!("A recorded run; a script plays the model: {}.", record.trace.model)}
            </p>
            <div class=format!("card {tone}") data-verdict=word>
                <strong>{word}</strong>
                <p>{explanation}</p>
            </div>
            <p class="quiet-text">{right}</p>
            <details class="lesson-steps" open>
                <summary>{steps_in_words(n_steps)}</summary>
                <Transcript
                    steps=Signal::stored(steps)
                    cursor
                    on_seek=Callback::new(move |at| cursor.set(at))
                />
            </details>
        </section>
    })
}
