//! Asks an endpoint one thing after the other, and hands what is seen to `state::doctor`.

use std::cell::RefCell;

use js_sys::{Object, Reflect};
use llm::{
    AskOptions, ChatRequest, ChatResponse, Decoder, Endpoint, HttpRequest, Message, ModelError,
    Provider, Simpler, ToolChoice, ToolSpec, ToolStyle, providers,
};
use protocol::page::FetchPart;
use serde_json::json;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortController;

use super::keys;
use super::transport::{self, Mode};
use crate::state::address::{Address, Space};
use crate::state::doctor::{
    Check, CheckOutcome, Diagnosis, EndpointCase, Seen, StylesSeen, left_calls,
};
use crate::state::settings::ModelSettings;

/// How long a list of models may take, in seconds.
const LIST_S: u64 = 15;
/// How long an answer may take: a local server may have to load its model.
const ANSWER_S: u64 = 120;
/// The most tokens of a short answer; some endpoints take no smaller number.
const FEW: u64 = 16;
/// The most tokens of a tool call; a model may think before it.
const ENOUGH: u64 = 2000;
const TOOL: &str = "has_edge";
const FORCE: &str = "Is there an edge between the nodes 1 and 2? Call the function has_edge to find out; \
                     do not answer in words.";

struct Examination<'a> {
    case: EndpointCase,
    endpoint: Endpoint,
    provider: &'static Provider,
    abort: &'a AbortController,
    /// What the endpoint has refused by name: runs are asked without it too.
    simpler: &'a RefCell<Simpler>,
}

/// Examines an endpoint; every outcome is handed out as it comes. What follows a failure is left
/// out.
pub(crate) async fn examine(
    settings: &ModelSettings,
    abort: &AbortController,
    on_outcome: impl Fn(Check, CheckOutcome),
    on_models: impl Fn(Vec<String>),
    on_model: impl Fn(String),
    on_style: impl Fn(ToolStyle),
) {
    let mut left = Check::ALL.into_iter();
    let mut tell = |outcome: CheckOutcome| {
        let is_end = outcome.is_end();
        if let Some(check) = left.next() {
            on_outcome(check, outcome);
        }
        if is_end {
            for check in left.by_ref() {
                on_outcome(check, CheckOutcome::Skipped("Fix the step above first.".into()));
            }
        } else if let Some(next) = left.clone().next() {
            on_outcome(next, CheckOutcome::Running);
        }
        is_end
    };
    let at = match Address::parse(&settings.base_url) {
        Ok(at) => at,
        Err(cause) => {
            let fix = "Correct it above.".into();
            tell(CheckOutcome::Failed(Diagnosis { cause, fix, ..Diagnosis::default() }));
            return;
        }
    };
    let Some(provider) = providers::find(&settings.provider) else { return };
    let endpoint = settings.endpoint();
    let case = EndpointCase {
        origin: super::single_file::origin(),
        at,
        provider: settings.provider.clone(),
        model: settings.model.trim().to_owned(),
        has_key: keys::has(&endpoint.base_url),
    };
    let simpler = RefCell::default();
    let mut ask = Examination { case, endpoint, provider, abort, simpler: &simpler };
    if tell(CheckOutcome::Passed(format!("{} at {}.", provider.title, ask.case.at.origin()))) {
        return;
    }
    if tell(ask.case.mixed_content()) {
        return;
    }
    let state = permission(ask.case.at.space()).await;
    if tell(ask.case.permission(state.as_deref())) {
        return;
    }
    let seen = ask.reach().await;
    if tell(ask.case.reach(&seen)) {
        return;
    }
    let Seen::Answer(http) = seen else { return };
    let list = (provider.models)(&http);
    let mut outcome = ask.case.models(&list);
    let list = list.unwrap_or_default();
    on_models(list.clone());
    // Where there is one, it is the one that is meant.
    if let ([only], true) = (list.as_slice(), ask.case.model.is_empty()) {
        outcome = CheckOutcome::Passed(format!("One model, {only:?}: it is filled in."));
        ask.case.model.clone_from(only);
        on_model(only.clone());
    }
    if tell(outcome) {
        return;
    }
    if ask.case.model.is_empty() {
        tell(CheckOutcome::Skipped("Name a model first.".into()));
        tell(CheckOutcome::Skipped("Name a model first.".into()));
        tell(CheckOutcome::Skipped("Name a model first.".into()));
        return;
    }
    let began = js_sys::Date::now();
    let answer = ask.complete(&ask.question("Say only the word yes.", false, FEW)).await;
    if tell(ask.case.answer(&answer, js_sys::Date::now() - began)) {
        return;
    }
    let (outcome, style) = ask.case.styles(&ask.styles().await, TOOL);
    if let Some(style) = style {
        ask.endpoint.options.tool_style = style;
        ask.endpoint.options.constrain = false;
        on_style(style);
    }
    if tell(outcome) {
        return;
    }
    if style.is_some() {
        tell(CheckOutcome::Skipped("Calls come in the text, which was read whole.".into()));
        return;
    }
    if settings.options.no_stream {
        tell(CheckOutcome::Skipped("Streaming is switched off for this endpoint.".into()));
        return;
    }
    let answer = ask.forced(async |chat| ask.streamed(chat).await).await;
    tell(ask.case.tool_call(&answer, TOOL, true));
}

impl Examination<'_> {
    async fn reach(&self) -> Seen {
        let request = (self.provider.list_models)(&self.endpoint);
        let ask = async |mode| {
            let begun =
                transport::begin(&self.endpoint, &request, mode, self.abort, LIST_S).await?;
            begun.whole(self.abort).await
        };
        match ask(Mode::Keyed).await {
            Ok(http) => Seen::Answer(http),
            Err(ModelError::TimedOut { seconds, .. }) => Seen::Silent(seconds),
            Err(_) if !transport::is_anybody_there(&self.endpoint, &request, LIST_S).await => {
                Seen::Nobody
            }
            Err(_) if self.case.has_key && ask(Mode::Bare).await.is_ok() => Seen::HiddenWithKey,
            Err(_) => Seen::Hidden,
        }
    }

    fn question(&self, text: &str, with_tool: bool, max_tokens: u64) -> ChatRequest {
        let tool = || ToolSpec {
            name: TOOL.into(),
            description: "Tells whether two nodes are joined by an edge.".into(),
            parameters: json!({
                "type": "object",
                "properties": { "source": { "type": "integer" }, "target": { "type": "integer" } },
                "required": ["source", "target"],
                "additionalProperties": false,
            }),
        };
        ChatRequest {
            model: self.case.model.clone(),
            messages: vec![Message::user(text)],
            tools: with_tool.then(tool).into_iter().collect(),
            tool_choice: if with_tool { ToolChoice::Required } else { ToolChoice::Auto },
            max_tokens: Some(max_tokens),
            ..ChatRequest::default()
        }
    }

    /// Asks for a call; a model that lets itself not be forced is asked to call in words.
    async fn forced(
        &self,
        ask: impl AsyncFn(&ChatRequest) -> Result<ChatResponse, ModelError>,
    ) -> Result<ChatResponse, ModelError> {
        let mut chat = self.question(FORCE, true, ENOUGH);
        match ask(&chat).await {
            Err(ModelError::Status { status: 400 | 422, .. }) => {
                chat.tool_choice = ToolChoice::Auto;
                ask(&chat).await
            }
            other => other,
        }
    }

    /// Tells the model to call a tool, and where it does not, finds out whether it heard of the tool
    /// at all, and whether it calls in another style.
    async fn styles(&self) -> StylesSeen {
        let ask = async |chat: &ChatRequest| self.complete(chat).await;
        let answer = self.forced(ask).await;
        let tokens_with = answer.as_ref().ok().and_then(|a| a.usage.input_tokens);
        let mut seen = StylesSeen { answer, tokens_with, tokens_without: None, others: Vec::new() };
        let has_call = |a: &ChatResponse| a.message.tool_calls.iter().any(|c| c.name == TOOL);
        let is_native = self.endpoint.options.tool_style.is_native();
        let is_wordy = match &seen.answer {
            Ok(answer) => answer.message.tool_calls.is_empty(),
            Err(error) => error.to_string().contains("tool"),
        };
        if !is_wordy || !is_native {
            return seen;
        }
        let bare = self.question(FORCE, false, FEW);
        let without = self.complete(&bare).await;
        seen.tokens_without = without.ok().and_then(|a| a.usage.input_tokens);
        let is_left = seen.answer.as_ref().is_ok_and(|a| !left_calls(a, TOOL).calls.is_empty());
        if is_left && !seen.has_dropped_tools() {
            return seen;
        }
        for style in [ToolStyle::Json, ToolStyle::React] {
            let options = AskOptions { tool_style: style, ..self.endpoint.options };
            let endpoint = Endpoint { options, ..self.endpoint.clone() };
            let other = Examination { case: self.case.clone(), endpoint, ..*self };
            let chat = other.question(FORCE, true, ENOUGH);
            let called = other.complete(&chat).await.is_ok_and(|a| has_call(&a));
            seen.others.push((style, called));
            if called {
                break;
            }
        }
        seen
    }

    async fn complete(&self, chat: &ChatRequest) -> Result<ChatResponse, ModelError> {
        self.simplified(chat, false, async |request| self.ask(chat, request).await).await
    }

    async fn streamed(&self, chat: &ChatRequest) -> Result<ChatResponse, ModelError> {
        self.simplified(chat, true, async |request| self.hear(chat, request).await).await
    }

    /// Asks without what is refused by name. How tools and streams are refused is for the checks.
    async fn simplified(
        &self,
        chat: &ChatRequest,
        stream: bool,
        ask: impl AsyncFn(HttpRequest) -> Result<ChatResponse, ModelError>,
    ) -> Result<ChatResponse, ModelError> {
        loop {
            let mut request = self.provider.ask(&self.endpoint, chat, stream);
            self.simpler.borrow().apply(&mut request);
            let answer = ask(request.clone()).await;
            let Err(error) = &answer else { return answer };
            let mut known = self.simpler.borrow().clone();
            let is_learnt = known.learn(error, &request).is_some();
            if !is_learnt || known.is_whole() || known.has_tools_in_text() {
                return answer;
            }
            *self.simpler.borrow_mut() = known;
        }
    }

    async fn ask(
        &self,
        chat: &ChatRequest,
        request: HttpRequest,
    ) -> Result<ChatResponse, ModelError> {
        let (mode, seconds) = (Mode::Keyed, ANSWER_S);
        let begun = transport::begin(&self.endpoint, &request, mode, self.abort, seconds).await?;
        let answer = self.provider.read(&begun.whole(self.abort).await?);
        let answer = transport::scrub(&self.endpoint).outcome(answer)?;
        Ok(self.endpoint.options.tool_style.read(chat, answer))
    }

    async fn hear(
        &self,
        chat: &ChatRequest,
        request: HttpRequest,
    ) -> Result<ChatResponse, ModelError> {
        let decoder = RefCell::new(None::<Decoder>);
        let fault = RefCell::new(None);
        let streamed = transport::stream(&self.endpoint, request, self.abort, |piece| {
            let mut decoder = decoder.borrow_mut();
            match piece {
                FetchPart::Head(head) => *decoder = Some(Decoder::new(self.provider, head)),
                FetchPart::Text(text) => {
                    let fed = decoder.as_mut().map(|d| d.feed(text.as_bytes()));
                    if let Some(Err(error)) = fed {
                        fault.borrow_mut().get_or_insert(error);
                    }
                }
            }
            !decoder.as_ref().is_some_and(Decoder::is_done)
        })
        .await;
        let decoder = decoder.into_inner();
        // What fails behind the end takes nothing away.
        if !decoder.as_ref().is_some_and(Decoder::is_complete) {
            streamed?;
        }
        let answer = match (fault.into_inner(), decoder) {
            (Some(error), _) => Err(error),
            (None, Some(decoder)) => decoder.finish(),
            (None, None) => Err(ModelError::Broken { reason: "nothing came".into() }),
        };
        // A stream says a key in pieces, which are put together only here.
        let answer = transport::scrub(&self.endpoint).outcome(answer)?;
        Ok(self.endpoint.options.tool_style.read(chat, answer))
    }
}

/// What the browser says of a page that asks there: `granted`, `denied` or `prompt`.
async fn permission(space: Space) -> Option<String> {
    let names: &[&str] = match space {
        Space::Loopback => &["loopback-network", "local-network-access"],
        Space::Local => &["local-network", "local-network-access"],
        Space::Public => return None,
    };
    let navigator = leptos::prelude::window().navigator();
    let permissions = Reflect::get(&navigator, &"permissions".into()).ok()?;
    let query = Reflect::get(&permissions, &"query".into()).ok()?;
    let query: js_sys::Function = query.dyn_into().ok()?;
    for name in names {
        let wanted = Object::new();
        let _ = Reflect::set(&wanted, &"name".into(), &(*name).into());
        // A browser that does not know the name throws, or refuses.
        let Ok(promise) = query.call1(&permissions, &wanted) else { continue };
        let Ok(promise) = promise.dyn_into::<js_sys::Promise>() else { continue };
        let Ok(status) = JsFuture::from(promise).await else { continue };
        let state: JsValue = Reflect::get(&status, &"state".into()).unwrap_or_default();
        return state.as_string();
    }
    None
}
