//! The forms in which models of today wrap an answer, for each task: thoughts, boxes, JSON, tables,
//! headings, and other languages than English.

mod cases;
mod printed;
mod whole;

use cases::cases;
use proptest::prelude::*;
use tasks::Verdict::{Correct, Incorrect, NoAnswer, Partial};
use tasks::{Difficulty, TASKS, TaskId, reference_text, solve, verify};

use crate::verdicts::{Wrong, problem};

#[test]
fn every_task_is_here_once() {
    let mut tasks: Vec<TaskId> = cases().map(|case| problem(case.question).task()).collect();
    tasks.sort_unstable();
    assert_eq!(tasks, TaskId::ALL);
}

/// Whoever answers with what a function gave, letter by letter, has answered.
#[test]
fn what_the_library_gives_is_read() {
    let mut wrong = Wrong::default();
    let tasks = [
        (TaskId::Topology, "order", "Yes, all the nodes can be visited. The solution is: "),
        (TaskId::Hamilton, "path", "Yes. The path can be: "),
        (TaskId::Matching, "matching", "The assignment is "),
        (TaskId::Gnn, "embeddings", "The new embeddings are "),
    ];
    for (id, member, lead) in tasks {
        for (level, seed) in [Difficulty::Easy, Difficulty::Hard].into_iter().cycle().zip(0..40) {
            let problem = tasks::task(id).generate(level, seed);
            let (name, arguments) = problem.query.function();
            let function = graph::functions::find(name).unwrap();
            let outcome = function.call(&problem.graph, arguments).unwrap();
            let mut list = outcome.value[member].clone();
            // Some graphs have no Hamilton path, or nothing that fits.
            if list.as_array().is_none_or(|list| list.len() < 2) {
                continue;
            }
            wrong.hold(&problem, &format!("{lead}{list}"), Correct);
            // The members of a list in another order are another answer where the order counts; else
            // a member is changed.
            match id {
                TaskId::Gnn => list[0]["embedding"][0] = 977.into(),
                TaskId::Matching => list[1][0] = list[0][0].clone(),
                _ => list.as_array_mut().unwrap().swap(0, 1),
            }
            let verdict = verify(&problem, &format!("{lead}{list}")).verdict;
            let may_be_right = matches!(id, TaskId::Topology | TaskId::Hamilton);
            assert!(verdict != NoAnswer && (may_be_right || verdict != Correct), "{id}: {list}");
        }
    }
    wrong.end();
}

#[test]
fn headings_and_bold_type_are_read() {
    let mut wrong = Wrong::default();
    for case in cases() {
        let problem = problem(case.question);
        for (bare, verdict) in case.bare {
            for text in [
                (*bare).to_owned(),
                format!("**{bare}**"),
                format!("Final answer: {bare}"),
                format!("**Final Answer:** {bare}"),
                format!("Let me work it out.\n\n## Final Answer\n\n{bare}"),
                format!("I looked at all edges.\n\n**Final answer**\n\n**{bare}**"),
                format!("<answer>{bare}</answer>"),
                format!("Some work.\n<answer>\n{bare}\n</answer>\n"),
            ] {
                wrong.hold(&problem, &text, *verdict);
            }
        }
    }
    wrong.end();
}

#[test]
fn thoughts_are_left_out() {
    let mut wrong = Wrong::default();
    let marks = [
        ("<think>", "</think>"),
        ("<thinking>", "</thinking>"),
        ("<Reasoning>", "</Reasoning>"),
        ("<reflection>", "</reflection>"),
        ("[THINK]", "[/THINK]"),
        ("◁think▷", "◁/think▷"),
    ];
    for case in cases() {
        let problem = problem(case.question);
        let worst = case.bare.iter().find(|(_, verdict)| *verdict == Incorrect).unwrap().0;
        let best = case.bare[0].0;
        for (open, close) in marks {
            for (bare, verdict) in case.bare {
                wrong.hold(&problem, &format!("{open}\n{worst}\n{close}\n\n{bare}"), *verdict);
                wrong.hold(&problem, &format!("{worst}\n{close}\n\n{bare}"), *verdict);
            }
            wrong.hold(
                &problem,
                &format!("{open}\n{best}\n{close}\n{best}\n{open}\n{worst}"),
                Correct,
            );
            // Cut off while it thinks: no answer yet.
            wrong.hold(&problem, &format!("{open}\n{best}\nBut wait"), NoAnswer);
        }
    }
    wrong.end();
}

#[test]
fn boxes_are_read() {
    let mut wrong = Wrong::default();
    for case in cases() {
        let problem = problem(case.question);
        for (boxed, verdict) in case.boxed {
            for text in [
                format!("\\boxed{{{boxed}}}"),
                format!("Having looked at all edges, I find\n\n$$\\boxed{{{boxed}}}$$"),
                format!("The final answer is: $\\boxed{{{boxed}}}$."),
                format!("# Final Answer\n\\[ \\boxed{{{boxed}}} \\]"),
                // A box is read in a sentence of any language.
                format!("所以答案是 $\\boxed{{{boxed}}}$。"),
                format!("Die Antwort lautet also \\boxed{{{boxed}}}."),
            ] {
                wrong.hold(&problem, &text, *verdict);
            }
        }
    }
    wrong.end();
}

#[test]
fn objects_are_read() {
    let mut wrong = Wrong::default();
    for case in cases() {
        let problem = problem(case.question);
        for (json, verdict) in case.json {
            for text in [
                (*json).to_owned(),
                format!("```json\n{json}\n```"),
                format!("Here is what I found:\n\n```json\n{json}\n```\n\nI hope this helps."),
                format!("```\n{}\n```", json.replace(", ", ",\n  ")),
            ] {
                wrong.hold(&problem, &text, *verdict);
            }
        }
    }
    wrong.end();
}

#[test]
fn tables_are_read() {
    let mut wrong = Wrong::default();
    for case in cases() {
        let problem = problem(case.question);
        for (table, verdict) in case.table {
            let table = table.replace('/', "\n");
            wrong.hold(&problem, &table, *verdict);
            wrong.hold(&problem, &format!("Here is the result.\n\n{table}\n"), *verdict);
        }
    }
    wrong.end();
}

#[test]
fn answers_in_full_are_read() {
    let mut wrong = Wrong::default();
    for (task, text, verdict) in whole::WHOLE {
        let problem = cases().map(|c| problem(c.question)).find(|p| p.task() == task).unwrap();
        wrong.hold(&problem, text, verdict);
        // The same with the answer of another system quoted as a thought before it.
        wrong.hold(&problem, &format!("<thinking>yes? no? 1, 2, 3</thinking>\n\n{text}"), verdict);
    }
    wrong.end();
}

/// Sentences that conclude, in other languages, with how they are named.
const ELSEWHERE: [(&str, &str); 17] = [
    ("Non.", "French"),
    ("Sim.", "Portuguese"),
    ("不是。", "Chinese"),
    ("Ja, es gibt einen Pfad zwischen Knoten 0 und Knoten 5.", "German"),
    ("Nein.", "German"),
    ("Der Graph enthält keinen Kreis; die Antwort lautet nein.", "German"),
    ("Oui, il existe un chemin entre les nœuds 0 et 5.", "French"),
    ("Sí, hay un camino entre el nodo 0 y el nodo 5.", "Spanish"),
    ("No, no hay un camino entre el nodo 0 y el nodo 5.", "Spanish"),
    ("Não, não há um ciclo; a resposta é não.", "Portuguese"),
    ("是的，节点0和节点5之间有一条路径。", "Chinese"),
    ("最大流是 7。", "Chinese"),
    ("はい、ノード0からノード5への経路があります。", "Japanese"),
    ("네, 노드 0과 노드 5 사이에 경로가 있습니다.", "Korean"),
    ("Да, между вершинами 0 и 5 есть путь.", "Russian"),
    ("نعم، يوجد مسار بين العقدتين 0 و 5.", "Arabic"),
    ("हाँ, नोड 0 और नोड 5 के बीच एक पथ है।", "Hindi"),
];

/// A plain yes or no of a language in which these are read.
fn is_plain_decision(text: &str) -> bool {
    ["Non.", "不是", "Ja,", "Nein", "Oui,", "Sí,", "No,", "是的"]
        .iter()
        .any(|w| text.starts_with(w))
}

#[test]
fn other_languages_are_refused_by_name() {
    for case in cases() {
        let problem = problem(case.question);
        for (text, language) in ELSEWHERE {
            let judgement = verify(&problem, text);
            if is_plain_decision(text) && judgement.verdict != NoAnswer {
                // Then the same in English answers, too.
                let yes = ["Ja", "Oui", "Sí", "是的"].iter().any(|word| text.starts_with(word));
                let english = verify(&problem, if yes { "Yes." } else { "No." });
                assert_eq!(judgement.verdict, english.verdict, "{}: {text}", problem.task());
                continue;
            }
            assert_eq!(judgement.verdict, NoAnswer, "{}: {text}", problem.task());
            assert!(judgement.explanation.contains(language), "{text}: {}", judgement.explanation);
            assert!(judgement.explanation.starts_with("Only English is read"));
        }
    }
}

#[test]
fn an_english_conclusion_counts_whatever_stands_before() {
    let mut wrong = Wrong::default();
    for case in cases() {
        let problem = problem(case.question);
        for (bare, verdict) in case.bare {
            for (before, _) in ELSEWHERE {
                wrong.hold(&problem, &format!("{before}\n\nFinal answer: {bare}"), *verdict);
            }
        }
    }
    wrong.end();
}

#[test]
fn whole_lists_are_read_in_any_language() {
    let of =
        |task: TaskId| cases().map(|c| problem(c.question)).find(|p| p.task() == task).unwrap();
    let mut wrong = Wrong::default();
    for (text, verdict) in [
        ("Der kürzeste Weg ist 0 -> 1 -> 3 mit dem Gesamtgewicht 4.", Correct),
        ("最短路径是 0→1→3，总权重为 4。", Correct),
        ("El camino más corto es 0 -> 2 -> 3.", Incorrect),
        // Two of them, and no word to say which.
        ("0 -> 1 -> 3 wiegt 4 und 0 -> 2 -> 3 wiegt 5, der erste ist der kürzeste.", NoAnswer),
        ("Es gibt Kanten von 0 nach 1 und von 1 nach 3.", NoAnswer),
        ("0,1,3", Correct),
    ] {
        wrong.hold(&of(TaskId::ShortestPath), text, verdict);
    }
    for (text, verdict) in [
        ("La solución es: 2, 0, 1, 3.", Correct),
        ("拓扑顺序：2，0，3，1。", Correct),
        ("Die Reihenfolge ist 0, 2, 1, 3.", Incorrect),
        ("Die Reihenfolge ist 2, 0, 1.", NoAnswer),
    ] {
        wrong.hold(&of(TaskId::Topology), text, verdict);
    }
    for (text, verdict) in
        [("Oui, le chemin est 0 → 2 → 1 → 3.", Correct), ("Да, путь есть: 0-1-2-3.", Partial)]
    {
        wrong.hold(&of(TaskId::Hamilton), text, verdict);
    }
    for (text, verdict) in [
        ("Knoten 0: [0,1]\nKnoten 1: [2,1]\nKnoten 2: [0,1]", Correct),
        ("节点0：[0,1]\n节点1：[2,2]\n节点2：[0,1]", Incorrect),
    ] {
        wrong.hold(&of(TaskId::Gnn), text, verdict);
    }
    // A drawn path beside words that are not read may be one that does not exist.
    wrong.hold(&of(TaskId::Connectivity), "Nein, es gibt keinen Weg.\n0 -> 3 -> 5", Incorrect);
    wrong.hold(&of(TaskId::Flow), "6", Correct);
    wrong.end();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..Default::default() })]

    #[test]
    fn wrapped_answers_keep_their_verdict(task in 0..TASKS.len(), seed in 0u64..40) {
        let problem = TASKS[task].generate(Difficulty::Easy, seed);
        let text = reference_text(&problem, &solve(&problem));
        let verdict = verify(&problem, &text).verdict;
        for wrapped in [
            format!("<think>Not so fast. No. 1, 2, 3.</think>\n{text}"),
            format!("```\n{text}\n```"),
            format!("## Final Answer\n\n{text}"),
            format!("Nein, das ist nicht der Weg.\n{text}"),
        ] {
            prop_assert_eq!(verify(&problem, &wrapped).verdict, verdict, "{}", wrapped);
        }
    }

    #[test]
    fn broken_forms_are_no_panic(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "<think>", "</think>", "<answer>", "</answer>", "<|channel|>", "\\boxed{", "\\text{", "}", "{",
            "\"", ":", "[", "]", ",", "|", "|---|---|\n", "| a | b |\n", "```", "```json\n", "\n", "0", "3",
            "->", "→", "yes", "no", "ja", "nein", "是", "の", "да", "é", "\\", "\\\\", "。", "null", "true",
            "\"path\"", "{\"a\": {", "{\"a\": [", "node", "| 0 |", "١", "０", "❤", "\u{200b}", "＃", "###",
        ]), 0..50),
        task in 0..TASKS.len(),
    ) {
        let problem = TASKS[task].generate(Difficulty::Easy, 2);
        let _ = verify(&problem, &pieces.join(" "));
        let _ = verify(&problem, &pieces.concat());
    }
}
