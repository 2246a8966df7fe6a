//! A person in the model's place: the same functions, the same forms, an answer in words.

use leptos::prelude::*;
use llm::{Message, ToolCall, ToolSpec};
use serde_json::Value;

use super::form::{Area, Select};
use super::schema_form::SchemaForm;
use crate::state::form::fields;

/// The seat. What is said ends the turn: a call, or an answer.
#[component]
pub(crate) fn ModelSeat(
    tools: Vec<ToolSpec>,
    on_say: Callback<Message>,
    /// A call that was begun elsewhere: the function, and arguments that its form is filled with.
    /// Without it the first function's form is open.
    #[prop(optional, into)]
    begun: Option<Signal<Option<(String, Value)>>>,
) -> impl IntoView {
    let first = tools.first().filter(|_| begun.is_none()).map(|t| t.name.clone());
    let chosen = RwSignal::new(first.unwrap_or_default());
    let answer = RwSignal::new(String::new());
    let other = begun.map(|_| (String::new(), "Choose another function…".to_owned()));
    let names = tools.iter().map(|t| (t.name.clone(), t.name.clone()));
    let names: Vec<_> = other.into_iter().chain(names).collect();
    let has_tools = !tools.is_empty();
    let call = Callback::new(move |(name, arguments): (String, Value)| {
        let mut message = Message::assistant("");
        message.tool_calls =
            vec![ToolCall { id: String::new(), name, arguments: arguments.to_string() }];
        on_say.run(message);
    });
    Effect::new(move |_| {
        if let Some((name, _)) = begun.and_then(|begun| begun.get()) {
            chosen.set(name);
        }
    });
    let form = move || {
        let name = chosen.get();
        let arguments = begun.and_then(|begun| begun.get()).filter(|(of, _)| *of == name);
        let arguments = arguments.map_or(Value::Null, |(_, arguments)| arguments);
        let tool = tools.iter().find(|t| t.name == name)?.clone();
        let named = name.clone();
        let on_submit = Callback::new(move |value: Value| call.run((named.clone(), value)));
        Some(view! {
            <p class="quiet-text">{tool.description.clone()}</p>
            <SchemaForm fields=fields(&tool.parameters, &arguments) button="Call it" on_submit/>
        })
    };
    view! {
        <div class="seat" data-testid="seat">
            <h2>"Your turn: you are the model"</h2>
            {has_tools
                .then(|| {
                    view! {
                        <Select
                            label="Call a function"
                            testid="seat-tool"
                            options=Signal::stored(names)
                            value=chosen
                            on_change=move |name| chosen.set(name)
                        />
                    }
                })}
            {form}
            <form
                on:submit=move |e: leptos::ev::SubmitEvent| {
                    e.prevent_default();
                    let text = answer.get_untracked();
                    if !text.trim().is_empty() {
                        on_say.run(Message::assistant(text));
                    }
                }
            >
                <Area
                    label="Or give the final answer"
                    testid="seat-answer"
                    value=answer
                    on_input=move |words| answer.set(words)
                />
                <button class="ghost" type="submit">"Answer"</button>
            </form>
        </div>
    }
}
