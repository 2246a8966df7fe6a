//! Every cause that can be told from outside, from what is seen of it.

use llm::{FinishReason, Message, Retry, ToolCall, Usage};

use super::*;

fn case(origin: &str, base_url: &str, provider: &str) -> EndpointCase {
    EndpointCase {
        origin: origin.into(),
        at: Address::parse(base_url).unwrap(),
        provider: provider.into(),
        model: "small".into(),
        has_key: false,
    }
}

const PAGE: &str = "https://page.example";

fn local() -> EndpointCase {
    case(PAGE, "http://127.0.0.1:11434", "ollama")
}

fn finding(outcome: CheckOutcome) -> Diagnosis {
    match outcome {
        CheckOutcome::Failed(finding) | CheckOutcome::Warned(finding) => finding,
        other => panic!("{other:?}"),
    }
}

fn status(status: u16, message: &str) -> ModelError {
    let (message, hint) = (message.to_owned(), String::new());
    ModelError::Status { status, message, hint, retry: Retry::Never }
}

fn answered(call: Option<(&str, &str)>) -> Result<ChatResponse, ModelError> {
    let mut message = Message::assistant("words");
    message.tool_calls = call
        .map(|(name, arguments)| ToolCall {
            id: "1".into(),
            name: name.into(),
            arguments: arguments.into(),
        })
        .into_iter()
        .collect();
    Ok(ChatResponse { message, finish: FinishReason::Stop, usage: Usage::default() })
}

#[test]
fn an_insecure_server_in_the_open_is_blocked_and_one_on_this_machine_is_not() {
    let open = case(PAGE, "http://models.example/v1", "openai");
    assert!(open.mixed_content().is_end());
    assert!(matches!(local().mixed_content(), CheckOutcome::Passed(_)));
    let near = case(PAGE, "http://192.168.1.5:8080/v1", "openai");
    assert!(matches!(near.mixed_content(), CheckOutcome::Warned(_)));
    let plain = case("http://page.example", "http://models.example/v1", "openai");
    assert!(matches!(plain.mixed_content(), CheckOutcome::Passed(_)));
}

#[test]
fn the_permission_matters_only_from_afar() {
    assert!(local().permission(Some("denied")).is_end());
    assert!(matches!(local().permission(Some("prompt")), CheckOutcome::Passed(_)));
    assert!(matches!(local().permission(None), CheckOutcome::Skipped(_)));
    let from_here = case("http://127.0.0.1:8080", "http://127.0.0.1:11434", "ollama");
    assert!(matches!(from_here.permission(Some("denied")), CheckOutcome::Skipped(_)));
    let open = case(PAGE, "https://models.example/v1", "openai");
    assert!(matches!(open.permission(Some("denied")), CheckOutcome::Skipped(_)));
}

#[test]
fn who_refuses_this_origin_is_named_with_the_command_for_this_origin() {
    for seen in
        [Seen::Hidden, Seen::Answer(HttpResponse { status: 403, ..HttpResponse::default() })]
    {
        let finding = finding(local().reach(&seen));
        assert!(finding.cause.contains("403") && finding.cause.contains(PAGE), "{finding:?}");
        let (_, command) = &finding.commands[0];
        assert!(command.contains("OLLAMA_ORIGINS=https://page.example"), "{command}");
    }
    let other = case(PAGE, "http://127.0.0.1:4711/v1", "openai");
    let hidden = finding(other.reach(&Seen::Hidden));
    assert!(hidden.cause.contains("Access-Control-Allow-Origin"), "{hidden:?}");
    // It may be one of ours at another port.
    assert!(hidden.fix.contains("CORS") && hidden.commands.len() == 3, "{hidden:?}");
    let (_, command) = &hidden.commands[1];
    assert_eq!(command, "graphground kg serve --kg FILE --allow-origin https://page.example");
    let ours = case(PAGE, "http://127.0.0.1:8190/v1", "openai");
    let (_, command) = &finding(ours.reach(&Seen::Hidden)).commands[0];
    assert_eq!(command, "graphground serve --port 8190 --allow-origin https://page.example");
    let far = case(PAGE, "https://models.example/v1", "openai");
    assert!(finding(far.reach(&Seen::Hidden)).commands.is_empty());
}

#[test]
fn nobody_and_silence_and_a_header_are_told_apart() {
    let vllm = case(PAGE, "http://127.0.0.1:8000/v1", "openai");
    assert!(finding(vllm.reach(&Seen::Nobody)).commands[0].1.contains("vllm serve"));
    assert!(finding(vllm.reach(&Seen::HiddenWithKey)).cause.contains("Allow-Headers"));
    assert!(finding(vllm.reach(&Seen::Silent(20))).cause.contains("20 seconds"));
    let ok = Seen::Answer(HttpResponse { status: 200, ..HttpResponse::default() });
    assert!(matches!(vllm.reach(&ok), CheckOutcome::Passed(_)));
}

#[test]
fn a_wrong_path_is_told_with_the_usual_one() {
    let bare = case(PAGE, "http://127.0.0.1:8000", "openai");
    let page = ModelError::NotJson { found: "an HTML page".into() };
    for error in [status(404, "Not Found"), page] {
        let finding = finding(bare.models(&Err(error)));
        assert!(finding.fix.contains("http://127.0.0.1:8000/v1"), "{finding:?}");
    }
    let deep = case(PAGE, "http://127.0.0.1:11434/v1", "ollama");
    assert_eq!(finding(deep.models(&Err(status(404, "x")))).fix, "Try http://127.0.0.1:11434.");
}

#[test]
fn the_list_knows_the_model_or_says_which_there_are() {
    let list = Ok(vec!["small:latest".to_owned()]);
    assert!(matches!(local().models(&list), CheckOutcome::Passed(_)));
    let finding_ = finding(local().models(&Ok(vec!["other".into()])));
    assert!(finding_.fix.contains("other"), "{finding_:?}");
    assert!(finding(local().models(&Ok(vec![]))).commands[0].1.contains("ollama pull"));
}

#[test]
fn errors_of_an_answer_say_what_to_do() {
    let told = |error| finding(local().answer(&Err(error), 1.0));
    let busy = ModelError::Status {
        status: 429,
        message: "busy".into(),
        hint: String::new(),
        retry: Retry::After(6500),
    };
    assert!(told(busy).fix.contains("Wait 7 s"));
    assert!(told(status(500, "oops")).fix.contains("log"));
    assert!(told(status(401, "no")).fix.contains("requires a key"));
    let url = String::new();
    let refused = ModelError::Unreachable { url: url.clone(), reason: "x".into() };
    assert!(told(refused).cause.contains("POST"));
    assert!(told(ModelError::TimedOut { url, seconds: 60 }).cause.contains("60 seconds"));
    let hint = String::new();
    let full = ModelError::ContextOverflow { message: "x".into(), limit: Some(4096), hint };
    assert!(told(full).commands[0].1.contains("OLLAMA_CONTEXT_LENGTH"));
}

#[test]
fn calls_are_looked_at() {
    let told = |call, streamed| local().tool_call(&answered(call), "has_edge", streamed);
    assert!(matches!(told(Some(("has_edge", "{}")), false), CheckOutcome::Passed(_)));
    assert!(told(None, false).is_end());
    assert!(matches!(told(Some(("has_edge", "{")), false), CheckOutcome::Warned(_)));
    let cut = Err(ModelError::Broken { reason: "x".into() });
    let finding_ = finding(local().tool_call(&cut, "has_edge", true));
    assert!(finding_.fix.contains("switch streaming off"), "{finding_:?}");
    let llama = case(PAGE, "http://127.0.0.1:8080/v1", "openai");
    let error = Err(status(500, "tools param requires --jinja flag"));
    let finding_ = finding(llama.tool_call(&error, "has_edge", false));
    assert!(finding_.commands[0].1.contains("--jinja"), "{finding_:?}");
}

#[test]
fn tools_that_the_server_leaves_out_are_noticed_and_another_style_is_taken() {
    let llama = case(PAGE, "http://127.0.0.1:8080/v1", "openai");
    let seen = |with, without, others: &[(ToolStyle, bool)]| StylesSeen {
        answer: answered(None),
        tokens_with: with,
        tokens_without: without,
        others: others.to_vec(),
    };
    let (json, react) = (ToolStyle::Json, ToolStyle::React);
    let told = |seen: &StylesSeen| llama.styles(seen, "has_edge");
    // The template drops tools; JSON in the text works.
    let (outcome, style) = told(&seen(Some(60), Some(60), &[(json, true)]));
    assert_eq!(style, Some(json));
    let found = finding(outcome);
    assert!(found.cause.contains("60 input tokens"), "{found:?}");
    assert!(found.fix.contains("JSON in the text"), "{found:?}");
    // Nothing brings a call, but the tools would be read.
    let (outcome, style) = told(&seen(Some(60), Some(59), &[(json, false), (react, false)]));
    assert_eq!(style, Some(json));
    assert!(finding(outcome).fix.contains("too small"));
    // The tools were read, and another style works.
    let (outcome, style) = told(&seen(Some(160), Some(60), &[(json, false), (react, true)]));
    assert_eq!(style, Some(react));
    assert!(finding(outcome).cause.contains("answered in words"));
    // The tools were read, and nothing works: the endpoint stays as it is.
    let (outcome, style) = told(&seen(Some(160), Some(60), &[(json, false), (react, false)]));
    assert_eq!(style, None);
    assert!(outcome.is_end());
    // No tokens are reported, and nothing works.
    assert_eq!(told(&seen(None, None, &[])).1, None);
    let called = StylesSeen { answer: answered(Some(("has_edge", "{}"))), ..seen(None, None, &[]) };
    assert!(matches!(told(&called), (CheckOutcome::Passed(_), None)));
}

#[test]
fn a_call_in_the_text_is_read_and_another_style_is_offered() {
    let llama = case(PAGE, "http://127.0.0.1:8080/v1", "openai");
    let said = |text: &str| {
        let finish = FinishReason::Stop;
        Ok(ChatResponse { message: Message::assistant(text), finish, usage: Usage::default() })
    };
    let call = "<think>Shall I?</think><tool_call>\n{\"name\": \"has_edge\", \"arguments\": \
                {\"source\": 1}}\n</tool_call>";
    let seen = |tokens_without| StylesSeen {
        answer: said(call),
        tokens_with: Some(160),
        tokens_without,
        others: Vec::new(),
    };
    let (outcome, style) = llama.styles(&seen(Some(60)), "has_edge");
    assert!(matches!(outcome, CheckOutcome::Warned(_)) && style.is_none(), "{outcome:?}");
    let found = finding(outcome);
    assert_eq!(found.offers, Some(ToolStyle::Json));
    assert!(
        found.cause.contains("came as text") && found.fix.contains("Runs read it"),
        "{found:?}"
    );
    assert!(found.commands[0].1.contains("--jinja"), "{found:?}");
    // As a stream it is said once more, without another button.
    let found = finding(llama.tool_call(&said(call), "has_edge", true));
    assert_eq!(found.offers, None);
    assert!(found.cause.contains("as text too"), "{found:?}");
    // Where tools are left out, the question alone named this one.
    let (outcome, style) = llama.styles(&seen(Some(160)), "has_edge");
    assert_eq!(style, Some(ToolStyle::Json));
    assert!(finding(outcome).cause.contains("leaves tools out"));
    // What cannot be read says why.
    let broken = said("<tool_call>{\"name\": \"has_edge\", \"argu");
    let outcome = llama.tool_call(&broken, "has_edge", false);
    assert!(outcome.is_end());
    assert!(finding(outcome).cause.contains("cannot be read"));
}

#[test]
fn no_hint_ends_in_a_colon_with_nothing_behind_it() {
    let cases = [
        case(PAGE, "http://127.0.0.1:4321/v1", "openai"),
        case("http://127.0.0.1:8080", "http://127.0.0.1:4321/v1", "openai"),
        case(PAGE, "https://models.example/v1", "openai"),
        local(),
    ];
    for case in cases {
        let lost = || ModelError::Unreachable { url: "x".into(), reason: "y".into() };
        let overflow =
            ModelError::ContextOverflow { message: "x".into(), limit: None, hint: String::new() };
        let forbidden = HttpResponse { status: 403, ..HttpResponse::default() };
        let mut outcomes: Vec<CheckOutcome> =
            [Seen::Nobody, Seen::Hidden, Seen::HiddenWithKey, Seen::Answer(forbidden)]
                .iter()
                .map(|seen| case.reach(seen))
                .collect();
        outcomes.push(case.tool_call(&answered(None), "f", false));
        outcomes.push(case.tool_call(&answered(None), "f", true));
        for error in [lost(), overflow, status(400, "start with --jinja to use tools")] {
            outcomes.push(case.answer(&Err(error), 0.0));
        }
        for outcome in outcomes {
            let (CheckOutcome::Failed(d) | CheckOutcome::Warned(d)) = outcome else { continue };
            assert!(!d.fix.ends_with(':') || !d.commands.is_empty(), "{d:?}");
            assert!(!d.fix.is_empty(), "{d:?}");
        }
    }
}

#[test]
fn a_preflight_that_is_refused_without_a_key_is_a_cause() {
    let mut keyed = case(PAGE, "https://models.example/v1", "openai");
    assert!(!finding(keyed.reach(&Seen::Hidden)).cause.contains("OPTIONS"));
    keyed.has_key = true;
    let cause = finding(keyed.reach(&Seen::Hidden)).cause;
    assert!(cause.contains("OPTIONS") && cause.contains("401"), "{cause}");
}
