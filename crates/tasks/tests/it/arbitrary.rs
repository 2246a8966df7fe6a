//! No text makes the parser or the verifier panic, and neither takes long.

use proptest::prelude::*;
use tasks::{Difficulty, Style, TASKS, Wording, parse_question, reference_text, solve, verify};

/// A few edits: a piece cut out, doubled, or replaced.
fn mutate(text: &str, edits: &[(usize, usize, u8)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (at, length, kind) in edits {
        if chars.is_empty() {
            break;
        }
        let start = at % chars.len();
        let end = (start + length % 12).min(chars.len());
        match kind % 4 {
            0 => drop(chars.drain(start..end)),
            1 => {
                let piece: Vec<char> = chars[start..end].to_vec();
                chars.splice(start..start, piece);
            }
            2 => {
                chars.splice(start..end, "(99999999999,→-".chars());
            }
            _ => chars.truncate(start),
        }
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text(text in "\\PC{0,200}", task in 0..TASKS.len()) {
        let _ = parse_question(&text);
        let problem = TASKS[task].generate(Difficulty::Easy, 1);
        let _ = verify(&problem, &text);
    }

    #[test]
    fn likely_words(
        words in prop::collection::vec(prop::sample::select(vec![
            "node", "0", "1", "2", "3", "->", ",", "(", ")", "[", "]", ".", "?", "\n", "yes", "no",
            "path", "cycle", "is", "the", "answer", "=", "+", "7", "job", "applicant", ":", "total",
            "weight", "of", "flow", "maximum", "from", "to", "send", "units", "connected", "which",
            "solution", "shortest", "or", "1.", "step", "|", "{", "}", "\"", "\\boxed{", "-", "all",
            "applicants", "find", "via", "form", "edges", "and", "itself", "visit", "start", "at",
        ]), 0..60),
        task in 0..TASKS.len(),
    ) {
        let problem = TASKS[task].generate(Difficulty::Easy, 2);
        let _ = verify(&problem, &words.join(" "));
        let _ = verify(&problem, &words.concat());
    }

    #[test]
    fn mutated_questions_and_answers(
        task in 0..TASKS.len(),
        seed in 0u64..50,
        edits in prop::collection::vec((any::<usize>(), any::<usize>(), any::<u8>()), 1..5),
    ) {
        let problem = TASKS[task].generate(Difficulty::Easy, seed);
        let question = mutate(&problem.question(Wording::Benchmark, Style::ZeroShot), &edits);
        if let Ok(read) = parse_question(&question) {
            // Whatever is read can be solved and judged.
            let answer = solve(&read);
            let _ = verify(&read, &reference_text(&read, &answer));
        }
        let answer = reference_text(&problem, &solve(&problem));
        let _ = verify(&problem, &mutate(&answer, &edits));
    }
}

/// Wrappings in wrappings and marks without end take no more time than their length either.
#[test]
fn reading_wrapped_answers_takes_linear_time() {
    let time = |text: &str, problem: &tasks::Problem| {
        let start = cpu_time::ThreadTime::now();
        let _ = verify(problem, text);
        start.elapsed().as_secs_f64()
    };
    let problem = TASKS[0].generate(Difficulty::Easy, 1);
    for piece in [
        "\\boxed{",
        "\\boxed{1}",
        "<think>",
        "</think>",
        "<think>a</thinking>b</think>c",
        "{\"a\": [",
        "{\"a\": 1}",
        "{",
        "| a | b |\n|---|---|\n| 0 | 1 |\n",
        "node 1 is connected to node 2 and node 3. ",
        "so node 0 is connected to node 4. ",
        "edges connecting node 0 to node 1, node 1 to 2. this forms a loop. ",
        "ja. ",
        "是",
        "```\n",
    ] {
        let small = time(&piece.repeat(2_000), &problem).max(0.002);
        let large = time(&piece.repeat(20_000), &problem);
        assert!(large < 60.0 * small, "{piece:?}: {small} s, then {large} s");
    }
}

/// Texts grow tenfold, the time must not grow a hundredfold. The processor's time for this thread
/// counts: other programs run beside the tests.
#[test]
fn reading_takes_linear_time() {
    let question = |n: usize| {
        let edges: Vec<String> =
            (0..n).map(|i| format!("({},{})", i % 9000, (i * 7 + 1) % 9000)).collect();
        format!(
            "In an undirected graph, (i,j) means that node i and node j are connected with an \
             undirected edge.\nThe nodes are numbered from 0 to 9000, and the edges are: {}\nQ: Is \
             there a cycle in this graph?\nA:",
            edges.join(" ")
        )
    };
    let time = |text: String, problem: &tasks::Problem| {
        let start = cpu_time::ThreadTime::now();
        let _ = parse_question(&text);
        let _ = verify(problem, &text);
        start.elapsed().as_secs_f64()
    };
    for task in TASKS {
        let problem = task.generate(Difficulty::Easy, 1);
        let small = time(question(1_000), &problem).max(0.002);
        let large = time(question(10_000), &problem);
        assert!(large < 60.0 * small, "{}: {small} s, then {large} s", task.id);
    }
}
