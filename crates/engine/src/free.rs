//! Questions in anybody's words.

use protocol::exact::Exact;
use protocol::free::{AnsweredFreely, AskFreely, CheckFreely};
use protocol::runs::{ModelChoice, OwnWeights};
use systems::free::{FreeCheck, FreeRequest, check_free, run_free};

use crate::context::{Context, Ended};
use crate::models;
use crate::own::Own;

/// The most letters of a question.
const MAX_LETTERS: usize = 20_000;

/// A script knows the questions of its benchmark alone.
fn no_script(_: &str) -> Result<Box<dyn llm::Model>, String> {
    Err("a script knows the questions of its benchmark alone; a question of your own needs a model at \
         an endpoint"
        .into())
}

pub(crate) async fn ask(context: &Context, ask: AskFreely) -> Result<AnsweredFreely, Ended> {
    let AskFreely { says, resume, model, limits, surface, composing } = ask;
    if says.trim().is_empty() {
        return Err("there is no question".to_owned().into());
    }
    if says.chars().count() > MAX_LETTERS {
        return Err(format!("the question has more than {MAX_LETTERS} letters").into());
    }
    let model = match model {
        // These weights learned questions in people's own words.
        ModelChoice::Own => Box::new(Own::new(context.clone(), OwnWeights::People)),
        model => models::model(context, model, no_script)?,
    };
    let resume = resume.map(|trace| *trace);
    let trace = models::run(context, limits, async |setting, on_step| {
        let request = FreeRequest { says: &says, resume, surface, composing, setting };
        run_free(request, &*model, on_step).await
    })
    .await;
    let check = Box::new(check_free(&trace, None));
    Ok(AnsweredFreely { trace: Box::new(trace), check })
}

pub(crate) async fn check(_: &Context, ask: CheckFreely) -> Result<Exact<FreeCheck>, Ended> {
    let CheckFreely { trace, corrections } = ask;
    let mut graph = trace.graph_after(trace.steps.len()).map_err(|e| e.to_string())?;
    for delta in &corrections {
        graph.apply(delta).map_err(|e| format!("the correction does not fit: {e}"))?;
    }
    let corrected = (!corrections.is_empty()).then_some(&graph);
    Ok(Exact(check_free(&trace, corrected)))
}
