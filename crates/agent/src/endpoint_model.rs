//! A model at an endpoint: a provider's bytes over a transport, asked again where that may help.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use llm::{
    BoxFuture, ChatRequest, ChatResponse, Decoder, Endpoint, FinishReason, HttpHead, HttpRequest,
    Message, Model, ModelError, Part, Provider, Retry, Simpler, ToolStyle, TurnEnd, Usage, Watch,
    providers,
};

use trace::request_hash;

use crate::Transport;
use crate::retry::{RetryPolicy, seed_of};
use crate::transport::Sink;

/// How many parts of one question may be refused by name.
const MAX_SIMPLER: u32 = 6;

/// A model at an endpoint.
pub struct EndpointModel {
    provider: &'static Provider,
    endpoint: Endpoint,
    transport: Rc<dyn Transport>,
    name: String,
    policy: RetryPolicy,
    /// Whether the endpoint has answered before: then a connection that fails has broken, and is
    /// not a wrong address.
    has_answered: Cell<bool>,
    /// What the endpoint has refused, and is asked without.
    simpler: RefCell<Simpler>,
}

impl EndpointModel {
    /// A model of that name at an endpoint.
    ///
    /// # Errors
    /// The endpoint names a provider that does not exist, or options that it cannot keep to.
    pub fn new(
        endpoint: Endpoint,
        name: String,
        transport: Rc<dyn Transport>,
    ) -> Result<Self, String> {
        let provider = providers::find(&endpoint.provider).ok_or_else(|| {
            let known: Vec<&str> = providers::PROVIDERS.iter().map(|p| p.id).collect();
            format!(
                "unknown protocol {:?}: it must be one of {}",
                endpoint.provider,
                known.join(", ")
            )
        })?;
        if let Some(why) = endpoint.options.fault(provider) {
            return Err(why);
        }
        let (policy, has_answered) = (RetryPolicy::default(), Cell::new(false));
        let simpler = RefCell::default();
        Ok(Self { provider, endpoint, transport, name, policy, has_answered, simpler })
    }

    /// The bytes that ask, in the form that the endpoint takes.
    fn bytes(&self, request: &ChatRequest) -> HttpRequest {
        let mut endpoint = self.endpoint.clone();
        endpoint.options.tool_style = self.tool_style();
        let mut bytes = self.provider.ask(&endpoint, request, self.streams());
        self.simpler.borrow().apply(&mut bytes);
        bytes
    }

    /// Whether answers are asked for as they come.
    fn streams(&self) -> bool {
        !self.endpoint.options.no_stream && !self.simpler.borrow().is_whole()
    }

    /// How the model calls tools: as asked for, unless the endpoint takes none of its protocol's.
    fn tool_style(&self) -> ToolStyle {
        let style = self.endpoint.options.tool_style;
        let in_text = style.is_native() && self.simpler.borrow().has_tools_in_text();
        if in_text { ToolStyle::Json } else { style }
    }

    /// Sends one request and reads the answer, without a further attempt.
    async fn ask(&self, bytes: HttpRequest, watch: &dyn Watch) -> Result<ChatResponse, ModelError> {
        if !self.streams() {
            let answer = self.transport.send(&self.endpoint, bytes).await?;
            self.has_answered.set(true);
            return self.provider.read(&answer);
        }
        let mut hearing = Hearing { provider: self.provider, decoder: None, watch };
        let streamed = self.transport.stream(&self.endpoint, bytes, &mut hearing).await;
        match streamed {
            // The end has come; what fails behind it takes nothing away.
            Err(
                ModelError::Broken { .. }
                | ModelError::Unreachable { .. }
                | ModelError::TimedOut { .. },
            ) if hearing.is_complete() => {}
            streamed => streamed?,
        }
        self.has_answered.set(true);
        match hearing.decoder {
            Some(decoder) => decoder.finish(),
            None => Err(ModelError::Broken { reason: "the connection closed unanswered".into() }),
        }
    }

    /// How long to wait before this question is asked again, if it is.
    fn wait_ms(&self, error: &ModelError, failed: u32, seed: u64) -> Option<u64> {
        let told = match error.retry() {
            Retry::After(ms) => Some(ms),
            Retry::Soon => None,
            Retry::Never => match error {
                ModelError::Unreachable { .. } if self.has_answered.get() => None,
                _ => return None,
            },
        };
        self.policy.wait_ms(failed, seed, told)
    }
}

/// An answer, unless the endpoint says that its provider failed: half a text is none. A call that is
/// wrong each time is what the model says.
fn no_failure(answer: ChatResponse, is_last: bool) -> Result<ChatResponse, ModelError> {
    match TurnEnd::of(&answer.message, &answer.finish) {
        end if is_last && end.is_bad_call() => Ok(answer),
        TurnEnd::Failed { reason } => {
            let reason = format!("the endpoint ended it with {reason:?}");
            Err(ModelError::Broken { reason })
        }
        _ => Ok(answer),
    }
}

/// Reads an answer while it comes, and shows it.
struct Hearing<'a> {
    provider: &'static Provider,
    decoder: Option<Decoder>,
    watch: &'a dyn Watch,
}

impl Sink for Hearing<'_> {
    fn head(&mut self, head: HttpHead) {
        self.decoder = Some(Decoder::new(self.provider, head));
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<bool, ModelError> {
        let Some(decoder) = &mut self.decoder else { return Ok(true) };
        for part in decoder.feed(bytes)? {
            self.watch.part(part);
        }
        Ok(!decoder.is_done())
    }

    fn is_complete(&self) -> bool {
        self.decoder.as_ref().is_some_and(Decoder::is_complete)
    }
}

impl Model for EndpointModel {
    fn label(&self) -> String {
        self.name.clone()
    }

    fn wire(&self, request: &ChatRequest) -> Option<(Endpoint, String)> {
        let bytes = self.bytes(&ChatRequest { model: self.name.clone(), ..request.clone() });
        Some((Endpoint { base_url: String::new(), ..self.endpoint.clone() }, bytes.body))
    }

    fn constrains(&self) -> bool {
        self.endpoint.options.constrain
    }

    fn clean(&self, partial: Message) -> BoxFuture<'_, Message> {
        Box::pin(async move {
            let (finish, usage) = (FinishReason::Stopped, Usage::default());
            let outcome = Ok(ChatResponse { message: partial, finish, usage });
            let clean = self.transport.clean(&self.endpoint, outcome).await;
            // What cannot be cleaned is not kept.
            clean.map_or_else(|_| Message::assistant(""), |answer| answer.message)
        })
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(async move {
            let request = ChatRequest { model: self.name.clone(), ..request.clone() };
            // The spread of the waits follows from what is asked and where.
            let seed =
                seed_of(&request_hash(&request.messages, &request.tools)) ^ self.transport.salt();
            let (mut failed, mut n_simpler) = (0, 0);
            loop {
                let bytes = self.bytes(&request);
                let is_last = self.policy.wait_ms(failed + 1, seed, None).is_none();
                let outcome = self.ask(bytes.clone(), watch).await;
                let outcome = outcome.and_then(|answer| no_failure(answer, is_last));
                let error = match self.transport.clean(&self.endpoint, outcome).await {
                    Ok(answer) => return Ok(self.tool_style().read(&request, answer)),
                    Err(error) => error,
                };
                let learnt = || self.simpler.borrow_mut().learn(&error, &bytes);
                if n_simpler < MAX_SIMPLER
                    && let Some(what) = learnt()
                {
                    n_simpler += 1;
                    watch.part(Part::Retry {
                        attempt: failed + n_simpler + 1,
                        wait_ms: 0.0,
                        reason: format!("{error}; {what}"),
                        is_too_fast: false,
                    });
                    continue;
                }
                failed += 1;
                let Some(wait_ms) = self.wait_ms(&error, failed, seed) else { return Err(error) };
                watch.part(Part::Retry {
                    attempt: failed + n_simpler + 1,
                    wait_ms: wait_ms as f64,
                    reason: error.to_string(),
                    is_too_fast: error.is_too_fast(),
                });
                self.transport.sleep(wait_ms).await;
            }
        })
    }
}
