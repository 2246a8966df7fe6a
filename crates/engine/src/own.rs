//! Our own small model, in the engine itself. The page has its weights, and sends them when a run first
//! needs them; then the engine keeps the model.

use std::cell::Cell;
use std::rc::Rc;

use llm::{BoxFuture, ChatRequest, ChatResponse, Model, ModelError, Watch};
use ownmodel::{Beat, LABEL, LookedPair, LookedToken, OwnModel, OwnOptions};
use protocol::exact::Exact;
use protocol::page::SendWeights;
use protocol::runs::{LookInside, LookedInside, NamedPair, OwnWeights, SaidToken};

use crate::context::{Context, Ended};

/// Milliseconds after which messages are let in, so that a stop is heard and others have their turn.
const TURN_MS: f64 = 8.0;

/// What the control is called; it is not the model whose inside a page shows.
const ALONE_LABEL: &str = "our own small model, trained without tools (on this machine)";

/// The models that a job has asked for, by their weights.
#[derive(Default)]
struct Held(Vec<(OwnWeights, Rc<OwnModel>)>);

/// Our own model, for one job.
pub(crate) struct Own {
    context: Context,
    weights: OwnWeights,
}

impl Own {
    pub(crate) fn new(context: Context, weights: OwnWeights) -> Self {
        Self { context, weights }
    }

    fn held(&self) -> Option<Rc<OwnModel>> {
        let held = self.context.keep::<Held>();
        let held = held.borrow();
        held.0.iter().find(|(weights, _)| *weights == self.weights).map(|(_, model)| model.clone())
    }

    /// The model, made of the page's bytes where that was not done yet.
    async fn model(&self) -> Result<Rc<OwnModel>, ModelError> {
        if let Some(model) = self.held() {
            return Ok(model);
        }
        let ((), beside) =
            self.context.begin(&SendWeights { weights: self.weights }).reply().await?;
        let local = |reason| ModelError::Local { reason };
        let bytes = beside.take(self.weights.path()).map_err(local)?;
        // Somebody else may have waited for the same.
        if let Some(model) = self.held() {
            return Ok(model);
        }
        let model = OwnModel::load(&bytes, OwnOptions::default());
        let model = Rc::new(model.map_err(|error| local(error.to_string()))?);
        self.context.keep::<Held>().borrow_mut().0.push((self.weights, model.clone()));
        Ok(model)
    }
}

impl Model for Own {
    fn knows_numbers_alone(&self) -> bool {
        self.weights != OwnWeights::People
    }

    fn label(&self) -> String {
        match self.weights {
            OwnWeights::Alone => ALONE_LABEL.to_owned(),
            OwnWeights::Problems | OwnWeights::People => LABEL.to_owned(),
        }
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(async move {
            let model = self.model().await?;
            let turn = Turn { context: &self.context, last_ms: Cell::new(f64::NEG_INFINITY) };
            model.with_beat(&turn).complete(request, watch).await
        })
    }
}

/// How many of the likeliest texts are told.
const N_LIKELY: usize = 5;

/// Tells how a turn comes about.
pub(crate) async fn look(context: &Context, ask: LookInside) -> Result<Exact<LookedInside>, Ended> {
    let model =
        Own::new(context.clone(), OwnWeights::Problems).model().await.map_err(
            |error| match error {
                ModelError::Cancelled => Ended::Cancelled,
                other => Ended::Failed(other.to_string()),
            },
        )?;
    let look = model.look(&ask.before, &ask.said, ask.has_tools, N_LIKELY);
    let look = look.map_err(|e| e.to_string())?;
    let pair = |p: LookedPair| NamedPair { first: p.first, end: p.end, nodes: p.nodes };
    let token =
        |t: LookedToken| SaidToken { likely: t.likely, probability: t.probability, looks: t.looks };
    Ok(Exact(LookedInside {
        pieces: look.pieces,
        n_question: look.n_question,
        pairs: look.pairs.into_iter().map(pair).collect(),
        said: look.said.into_iter().map(token).collect(),
    }))
}

/// What a run asks between tokens.
struct Turn<'a> {
    context: &'a Context,
    /// When messages were last let in.
    last_ms: Cell<f64>,
}

impl Beat for Turn<'_> {
    fn now_ms(&self) -> Option<f64> {
        Some(self.context.host.now_ms())
    }

    fn go_on(&self) -> BoxFuture<'_, bool> {
        Box::pin(async {
            let host = &self.context.host;
            if host.now_ms() - self.last_ms.get() > TURN_MS {
                host.pause().await;
                self.last_ms.set(host.now_ms());
            }
            !self.context.is_cancelled()
        })
    }
}
