//! A model at an endpoint that fails in every way: what is asked again, after how long, and what a
//! watcher sees of it.

use std::cell::RefCell;
use std::rc::Rc;

use agent::{EndpointModel, Sink, Transport};
use futures_util::FutureExt as _;
use llm::{
    BoxFuture, ChatRequest, ChatResponse, Endpoint, HttpHead, HttpRequest, HttpResponse, Message,
    Model, ModelError, Part, Watch,
};

/// What a server does with one request.
#[derive(Clone)]
enum Does {
    /// Answers with a status, a `retry-after` in milliseconds, and a body.
    Answers(u16, Option<u64>, &'static str),
    /// Streams this, and then hangs up.
    Streams(&'static str),
    /// Streams this, and then the connection is reset.
    Resets(&'static str),
    /// Is not there.
    Refuses,
    /// Says nothing at all.
    Silent,
}

/// Plays a list of answers, and keeps how long it was asked to wait.
struct Tape {
    does: RefCell<Vec<Does>>,
    slept_ms: RefCell<Vec<u64>>,
    bodies: RefCell<Vec<String>>,
}

impl Tape {
    fn next(&self, request: &HttpRequest) -> Result<(HttpHead, &'static str), ModelError> {
        self.bodies.borrow_mut().push(request.body.clone());
        let head = |status, retry_after_ms| HttpHead { status, content_type: None, retry_after_ms };
        match self.does.borrow_mut().remove(0) {
            Does::Answers(status, wait, body) => Ok((head(status, wait), body)),
            Does::Streams(body) | Does::Resets(body) => Ok((head(200, None), body)),
            Does::Refuses => {
                let (url, reason) = (request.url.clone(), "refused".into());
                Err(ModelError::Unreachable { url, reason })
            }
            Does::Silent => Err(ModelError::TimedOut { url: request.url.clone(), seconds: 180 }),
        }
    }
}

impl Transport for Tape {
    fn send<'a>(
        &'a self,
        _: &'a Endpoint,
        request: HttpRequest,
    ) -> BoxFuture<'a, Result<HttpResponse, ModelError>> {
        let answer = self.next(&request).map(|(head, body)| head.with_body(body.into()));
        Box::pin(std::future::ready(answer))
    }

    fn stream<'a>(
        &'a self,
        _: &'a Endpoint,
        request: HttpRequest,
        sink: &'a mut dyn Sink,
    ) -> BoxFuture<'a, Result<(), ModelError>> {
        Box::pin(async move {
            let resets = matches!(self.does.borrow().first(), Some(Does::Resets(_)));
            let (head, body) = self.next(&request)?;
            sink.head(head);
            for piece in body.as_bytes().chunks(7) {
                if !sink.bytes(piece)? {
                    return Ok(());
                }
            }
            let lost = || ModelError::Broken { reason: "the connection was reset".into() };
            if resets { Err(lost()) } else { Ok(()) }
        })
    }

    fn clean<'a>(
        &'a self,
        _: &'a Endpoint,
        outcome: Result<ChatResponse, ModelError>,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(async { outcome })
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        self.slept_ms.borrow_mut().push(ms);
        Box::pin(std::future::ready(()))
    }
}

#[derive(Default)]
struct Seen(RefCell<Vec<Part>>);

impl Watch for Seen {
    fn part(&self, part: Part) {
        self.0.borrow_mut().push(part);
    }
}

const GOOD: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Yes.\"},\
                    \"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
const CUT: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Ye\"}}]}\n\n";

struct Played {
    answers: Vec<Result<ChatResponse, ModelError>>,
    slept_ms: Vec<u64>,
    parts: Vec<Part>,
    bodies: Vec<String>,
}

fn play(does: &[Does], times: usize, no_stream: bool) -> Played {
    let tape = Rc::new(Tape {
        does: RefCell::new(does.to_vec()),
        slept_ms: RefCell::default(),
        bodies: RefCell::default(),
    });
    let mut endpoint = Endpoint::new("openai", "http://127.0.0.1:1/v1");
    endpoint.options.no_stream = no_stream;
    let model = EndpointModel::new(endpoint, "small".into(), tape.clone()).unwrap();
    let request = ChatRequest { messages: vec![Message::user("Well?")], ..ChatRequest::default() };
    let seen = Seen::default();
    let answers =
        (0..times).map(|_| model.complete(&request, &seen).now_or_never().unwrap()).collect();
    assert!(tape.does.borrow().is_empty(), "not all was asked");
    Played {
        answers,
        slept_ms: tape.slept_ms.take(),
        parts: seen.0.take(),
        bodies: tape.bodies.take(),
    }
}

#[test]
fn a_connection_that_fails_behind_the_end_takes_nothing_away() {
    // GOOD without its mark, and the beginning of a frame that nobody needs.
    let end = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Yes.\"},\
               \"finish_reason\":\"stop\"}]}\n\ndata: {\"choi";
    let played = play(&[Does::Resets(end)], 1, false);
    assert_eq!(played.answers[0].as_ref().unwrap().message.content, "Yes.");
    // In the middle it is a fault.
    let played = play(&[Does::Resets(CUT), Does::Streams(GOOD)], 1, false);
    assert_eq!(played.slept_ms.len(), 1);
}

#[test]
fn what_passes_is_asked_again_and_told_waits_are_kept() {
    let busy = Does::Answers(429, Some(3000), "{}");
    let down = Does::Answers(503, None, "{}");
    let played = play(&[busy, down, Does::Streams(GOOD)], 1, false);
    assert_eq!(played.answers[0].as_ref().unwrap().message.content, "Yes.");
    assert!((3000..=4000).contains(&played.slept_ms[0]), "{:?}", played.slept_ms);
    assert!((500..=1000).contains(&played.slept_ms[1]), "{:?}", played.slept_ms);
    let attempts: Vec<u32> = played
        .parts
        .iter()
        .filter_map(|p| match p {
            Part::Retry { attempt, .. } => Some(*attempt),
            _ => None,
        })
        .collect();
    assert_eq!(attempts, [2, 3]);
    assert!(played.bodies.iter().all(|b| *b == played.bodies[0]), "the same is asked");
}

#[test]
fn a_broken_stream_is_asked_again_and_its_pieces_are_void() {
    let played = play(&[Does::Streams(CUT), Does::Streams(GOOD)], 1, false);
    assert_eq!(played.answers[0].as_ref().unwrap().message.content, "Yes.");
    let void = played.parts.iter().position(|p| matches!(p, Part::Retry { .. })).unwrap();
    assert_eq!(played.parts[0], Part::Text { text: "Ye".into() });
    assert_eq!(played.parts[void + 1..], [Part::Text { text: "Yes.".into() }]);
}

#[test]
fn what_does_not_pass_is_asked_once() {
    for does in [
        Does::Answers(401, None, "{}"),
        Does::Answers(404, Some(1000), "{}"),
        Does::Answers(429, None, "{\"error\":{\"code\":\"insufficient_quota\"}}"),
        Does::Answers(400, None, "{\"error\":{\"code\":\"context_length_exceeded\"}}"),
        Does::Answers(200, None, "<!doctype html>"),
        // Longer than a person waits.
        Does::Answers(429, Some(3_600_000), "{}"),
        Does::Refuses,
        Does::Silent,
    ] {
        let played = play(&[does], 1, false);
        assert!(played.answers[0].is_err());
        assert!(played.slept_ms.is_empty());
    }
}

#[test]
fn a_connection_that_was_there_before_is_tried_again() {
    let played = play(&[Does::Streams(GOOD), Does::Refuses, Does::Streams(GOOD)], 2, false);
    assert!(played.answers.iter().all(Result::is_ok));
    assert_eq!(played.slept_ms.len(), 1);
}

#[test]
fn it_gives_up_after_four_attempts() {
    let played = play(&vec![Does::Answers(500, None, "{}"); 4], 1, false);
    let error = played.answers[0].as_ref().unwrap_err().to_string();
    assert!(error.contains("the endpoint answered 500"), "{error}");
    assert_eq!(played.slept_ms.len(), 3);
}

#[test]
fn without_streaming_a_whole_answer_is_asked_for() {
    let whole = "{\"choices\":[{\"message\":{\"content\":\"Yes.\"},\"finish_reason\":\"stop\"}]}";
    let played = play(&[Does::Answers(200, None, whole)], 1, true);
    assert_eq!(played.answers[0].as_ref().unwrap().message.content, "Yes.");
    assert!(!played.bodies[0].contains("stream"), "{}", played.bodies[0]);
    assert_eq!(played.parts, []);
}

#[test]
fn what_an_endpoint_refuses_by_name_is_left_out_from_then_on() {
    let refused = Does::Answers(
        400,
        None,
        r#"{"error":{"message":"Unknown parameter: 'stream_options'","param":"stream_options"}}"#,
    );
    let played = play(&[refused.clone(), Does::Streams(GOOD), Does::Streams(GOOD)], 2, false);
    assert!(played.answers.iter().all(Result::is_ok), "{:?}", played.answers);
    assert!(played.slept_ms.is_empty(), "a refusal is no fault that passes");
    let asked: Vec<bool> = played.bodies.iter().map(|b| b.contains("stream_options")).collect();
    assert_eq!(asked, [true, false, false]);
    let noted = played.parts.iter().any(|part| {
        matches!(part, Part::Retry { reason, .. } if reason.ends_with("asked again without stream_options"))
    });
    assert!(noted, "{:?}", played.parts);
    // Refused again although it is no longer sent: that is the answer.
    let played = play(&[refused.clone(), refused], 1, false);
    assert!(matches!(played.answers[0], Err(ModelError::Status { status: 400, .. })));
}

#[test]
fn a_call_that_the_endpoint_cannot_read_four_times_is_what_the_model_says() {
    let bad = "{\"choices\":[{\"message\":{},\"finish_reason\":\"malformed_function_call\"}]}";
    let good = "{\"choices\":[{\"message\":{\"content\":\"Yes.\"},\"finish_reason\":\"stop\"}]}";
    let answers = |body| Does::Answers(200, None, body);
    let played = play(&[answers(bad), answers(good)], 1, true);
    assert_eq!(played.answers[0].as_ref().unwrap().message.content, "Yes.");
    let played = play(&[answers(bad), answers(bad), answers(bad), answers(bad)], 1, true);
    assert_eq!(played.slept_ms.len(), 3);
    let answer = played.answers[0].as_ref().unwrap();
    assert!(llm::TurnEnd::of(&answer.message, &answer.finish).is_bad_call());
    let failed = "{\"choices\":[{\"message\":{},\"finish_reason\":\"error\"}]}";
    let played = play(&[failed; 4].map(answers), 1, true);
    assert!(matches!(played.answers[0], Err(ModelError::Broken { .. })));
}
