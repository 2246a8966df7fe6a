//! Models that write: at an endpoint on loopback, and as scripts.

use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use test_support::StubServer;

use crate::program::{graphground, lines, printed, program, scratch, stderr};

const KEY: &str = "sk-canary-7a0c";

/// An endpoint that answers each question by a function of how many came before and of its last
/// message.
fn endpoint(answer: fn(usize, &str) -> String) -> StubServer {
    let n_asked = AtomicUsize::new(0);
    StubServer::start(move |asked| {
        let body = asked.json();
        let last = body["messages"].as_array().unwrap().last().unwrap();
        let n = n_asked.fetch_add(1, Ordering::Relaxed);
        let said = answer(n, last["content"].as_str().unwrap());
        let part =
            json!({"choices": [{"index": 0, "delta": {"content": said}, "finish_reason": "stop"}]});
        let usage = json!({"choices": [], "usage": {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}});
        let body = format!("data: {part}\n\ndata: {usage}\n\ndata: [DONE]\n\n");
        (200, "text/event-stream", body)
    })
}

/// Says the pair of the last line otherwise: once well, once as it is, once with calls of another
/// graph, and once in no form at all.
fn reworded(n: usize, asked: &str) -> String {
    let pair: Value = serde_json::from_str(asked.lines().last().unwrap()).unwrap();
    let input = format!("Put otherwise, wording {n}: {}", pair["input"].as_str().unwrap());
    let other = r#"It is [GR(GL("gpr", {"path_graph"}), "toolx:periphery")-->r]."#;
    let well = json!({"input": input, "output": pair["output"]});
    let made_up = json!({"input": format!("{input}!"), "output": other});
    format!("{well}\n{pair}\n{made_up}\nThat is all.\n")
}

fn augment(file: &str, out: &str, address: &str, more: &[&str]) -> std::process::Output {
    let args = ["prompts", "augment", file, "--out", out, "--endpoint", address, "--model", "m"];
    program()
        .args(args)
        .args(["--key-env", "CANARY_KEY"])
        .args(more)
        .env("CANARY_KEY", KEY)
        .output()
        .unwrap()
}

#[test]
fn other_wordings_are_held_to_the_truth_and_gone_on_with() {
    let writer = endpoint(reworded);
    let address = writer.endpoint();
    let made = printed(&graphground(&["prompts", "make", "--n", "30", "--seed", "2"]));
    // Those that load have no answer; these have.
    let made: String =
        made.lines().filter(|l| l.contains("\"answer\"")).map(|l| format!("{l}\n")).collect();
    let file = scratch("augment.jsonl", &made);
    let out = scratch("augment-out.jsonl", "");
    let dropped = scratch("augment-dropped.jsonl", "");
    let done = augment(&file, &out, &address, &["--n", "3", "--dropped", &dropped]);
    assert!(done.status.success(), "{}", stderr(&done));
    let told = stderr(&done);
    assert!(told.contains("3 new pairs of 3 answers") && told.contains("300 tokens"), "{told}");
    assert!(told.contains("2 dropped: repeated"), "{told}");
    let pairs = lines(&std::fs::read_to_string(&out).unwrap());
    assert_eq!(pairs.len(), 3);
    assert!(pairs.iter().all(|p| p["answer"].is_string() && p["template"].is_string()));
    let reasons = lines(&std::fs::read_to_string(&dropped).unwrap());
    let whys: Vec<&str> = reasons.iter().map(|r| r["reason"]["why"].as_str().unwrap()).collect();
    for why in ["repeated", "differs", "unreadable"] {
        assert!(whys.contains(&why), "{whys:?}");
    }
    // A line that was cut off is taken away, and the rest is gone on with.
    let mut kept = std::fs::read_to_string(&out).unwrap();
    kept.push_str("{\"input\": \"cut o");
    std::fs::write(&out, kept).unwrap();
    let more = augment(&file, &out, &address, &["--n", "5"]);
    assert!(stderr(&more).contains("3 pairs are there"), "{}", stderr(&more));
    assert_eq!(lines(&std::fs::read_to_string(&out).unwrap()).len(), 5);
    // What is kept passes the filter, and no key is anywhere.
    let filtered = graphground(&["prompts", "filter", &out]);
    assert_eq!(printed(&filtered).lines().count(), 5);
    for file in [&out, &dropped] {
        assert!(!std::fs::read_to_string(file).unwrap().contains("canary"));
    }
    assert!(!told.contains("canary"));
    let bearer = format!("Bearer {KEY}");
    assert!(writer.seen().iter().all(|asked| asked.header("authorization") == bearer));
}

/// Questions that failed are told and are no answers; ten failures in a row stop; the same command
/// goes on; one program at a time writes to a file, and a file of something else is left as it is.
#[test]
fn other_wordings_come_through_the_writer_and_the_queue_of_bench() {
    let file = scratch("augment-gone.jsonl", format!("{}\n", super::ORDER));
    let out = scratch("augment-gone-out.jsonl", "");
    let none = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let gone = augment(&file, &out, &format!("http://{none}/v1"), &["--n", "2"]);
    let told = stderr(&gone);
    assert!(!gone.status.success() && told.contains("10 attempts in a row failed"), "{told}");
    assert!(told.contains("question 1 failed: ") && !told.contains("in turn had no"), "{told}");
    assert!(told.contains("0 new pairs of 0 answers"), "{told}");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "");
    let address = endpoint(reworded).endpoint();
    let held = std::fs::File::options().append(true).open(&out).unwrap();
    held.lock().unwrap();
    let busy = augment(&file, &out, &address, &["--n", "2"]);
    assert!(stderr(&busy).contains("another `graphground` is writing to it"), "{}", stderr(&busy));
    // A process that another test starts at this moment has the file too, so closing is not enough.
    held.unlock().unwrap();
    let done = augment(&file, &out, &address, &["--n", "2"]);
    assert!(done.status.success(), "{}", stderr(&done));
    // A last line that lacks its end alone counts.
    let whole = std::fs::read_to_string(&out).unwrap();
    std::fs::write(&out, whole.trim_end()).unwrap();
    let more = augment(&file, &out, &address, &["--n", "3"]);
    assert!(stderr(&more).contains("2 pairs are there"), "{}", stderr(&more));
    assert_eq!(lines(&std::fs::read_to_string(&out).unwrap()).len(), 3);
    let note = scratch("augment-note.txt", "not to be lost");
    let refused = augment(&file, &note, &address, &[]);
    assert!(stderr(&refused).contains("is left as it is"), "{}", stderr(&refused));
    assert_eq!(std::fs::read_to_string(&note).unwrap(), "not to be lost");
}

#[test]
fn budgets_and_barren_answers_stop() {
    let address = endpoint(reworded).endpoint();
    let file = scratch("augment-few.jsonl", format!("{}\n", super::ORDER));
    let fresh = |name: &str| scratch(name, "");
    let spent = augment(&file, &fresh("augment-a.jsonl"), &address, &["--max-tokens", "150"]);
    assert!(!spent.status.success());
    assert!(stderr(&spent).contains("the budget of 150 tokens is used up"), "{}", stderr(&spent));
    let priced = augment(&file, &fresh("augment-b.jsonl"), &address, &["--max-dollars", "1"]);
    assert!(stderr(&priced).contains("--max-dollars needs the price of \"m\""));
    let dear = ["--max-dollars", "0.001", "--price", "m=10,10"];
    let dear = augment(&file, &fresh("augment-c.jsonl"), &address, &dear);
    assert!(stderr(&dear).contains("the budget of $0.001 is used up"), "{}", stderr(&dear));
    let silent = endpoint(|_, _| "I would rather not.".to_owned()).endpoint();
    let barren = augment(&file, &fresh("augment-d.jsonl"), &silent, &[]);
    assert!(stderr(&barren).contains("5 answers in turn had no new pair"), "{}", stderr(&barren));
    let nobody = graphground(&["prompts", "augment", &file, "--out", &file]);
    assert!(stderr(&nobody).contains("give --endpoint and --model"), "{}", stderr(&nobody));
}

#[test]
fn statements_are_written_by_a_script_and_by_a_model() {
    let asked = scratch("write.txt", "How many nodes does the bull graph have?\n");
    let runs = asked.replace(".txt", ".runs.jsonl");
    let _ = std::fs::remove_file(&runs);
    let args = ["toolformer", "write", &asked];
    assert_eq!(printed(&graphground(&args)), "The bull graph has 5 nodes.\n");
    let wrong = graphground(&[&args[..], &["--model", "mistaken:unknown-domain"]].concat());
    assert!(printed(&wrong).contains("there is no model \"graph_tools\""), "{}", printed(&wrong));
    let unknown = graphground(&[&args[..], &["--model", "gpt"]].concat());
    assert!(stderr(&unknown).contains("there is no script \"gpt\"; there are script, mistaken:"));
    let writer = endpoint(|_, asked| {
        assert_eq!(asked, "How many nodes does the bull graph have?");
        r#"It has [GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r], [GR(GL("gpr", {"bull_graph"}), "toolx:colour")-->r]."#.to_owned()
    });
    let address = writer.endpoint();
    let more = ["--model", "m", "--endpoint", &address, "--json", "--trace"];
    let said = lines(&printed(&graphground(&[&args[..], &more].concat())));
    assert_eq!(said.len(), 1);
    assert!(said[0]["text"].as_str().unwrap().starts_with("It has 5, [GR("));
    assert_eq!(said[0]["errors"].as_array().unwrap().len(), 1);
    assert_eq!(said[0]["trace"]["steps"][0]["body"]["type"], "model");
    let error = said[0]["errors"][0].as_str().unwrap();
    assert!(error.starts_with("there is no function \"colour\""), "{error}");
    // What no right statement is known of is never counted as right.
    let report = printed(&graphground(&["report", &runs]));
    let shares: Vec<&str> = report.lines().filter(|l| l.starts_with("all")).collect();
    assert!(shares.len() == 3 && shares.iter().all(|l| l.contains("  0.00%")), "{report}");
    // What was written can be scored.
    let right = scratch("write-right.jsonl", format!("{}\n", super::ORDER));
    let out = scratch("write-right.runs", "");
    let done = printed(&graphground(&["toolformer", "write", &right, "--json", "--out", &out]));
    let file = scratch("write-done.jsonl", &done);
    let scored = lines(&printed(&graphground(&["toolformer", "score", "--references", &file])));
    assert_eq!(scored[0]["same_calls"], false, "the script does not know such a question");
}

/// As `bench` does, of which it is another name: lines that failed are told and never counted as
/// statements, and the same command asks for them, and for them alone.
#[test]
fn writing_goes_on_where_it_failed() {
    let asked = scratch("write-again.txt", "What is first?\nWhat is second?\n\nWhat is third?\n");
    let runs = scratch("write-again.jsonl", "");
    let writer = endpoint(|_, asked| format!("Said: {asked}"));
    let address = writer.endpoint();
    let args = ["toolformer", "write", &asked, "--out", &runs, "--model", "m"];
    let args = [&args[..], &["--endpoint", &address]].concat();
    let first = graphground(&args);
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    let told = String::from_utf8(first.stdout).unwrap();
    assert_eq!(told.lines().next(), Some("Said: What is first?"), "{told}");
    assert_eq!(told.lines().last(), Some("Said: What is third?"));
    let n = writer.seen().len();
    assert_eq!(printed(&graphground(&args)), told);
    assert_eq!(writer.seen().len(), n, "nobody is asked again");
    let more = scratch("write-again.txt", "What is first?\nWhat is second?\n\nWhat is 3?\n");
    assert_eq!(more, asked);
    let other = stderr(&graphground(&args));
    assert!(other.contains("write to another file with --out"), "{other}");
    // Nobody is at that address any more.
    let none = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let gone = format!("http://{none}/v1");
    let fresh = scratch("write-none.jsonl", "");
    let args = ["toolformer", "write", &asked, "--out", &fresh, "--model", "m"];
    let failed = graphground(&[&args[..], &["--endpoint", &gone]].concat());
    assert_eq!((failed.status.code(), failed.stdout.len()), (Some(3), 0), "{}", stderr(&failed));
    assert!(stderr(&failed).contains("write-again.txt, line 4: "), "{}", stderr(&failed));
    let done = printed(&graphground(&[&args[..], &["--endpoint", &address]].concat()));
    assert_eq!(done.lines().count(), 3);
}
