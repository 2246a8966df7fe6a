//! Runs on knowledge graphs, written and added up.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use agent::{Cancel, Limits, RunContext};
use eval::knowledge::{KgLine, key, read, tables};
use eval::prices::Prices;
use eval::results::{Kind, SheetOptions, kind, sheet};
use futures_util::FutureExt as _;
use kg::find::Finder;
use proptest::prelude::*;
use systems::kgqa::scripted::KgScript;
use systems::kgqa::{Effort, KG_SYSTEMS, KgOptions, KgRequest, answer};
use tasks::Verdict;

/// Real runs of every system with a script that errs now and then.
fn lines(percent: u32, verify: bool) -> Vec<KgLine> {
    let kg = std::sync::Arc::new(kg::generators::metro(6, 3).unwrap());
    let finder = Finder::new(kg, std::rc::Rc::new(text::NGrams));
    let questions = tasks::kgqa::generate(finder.kg(), 12, 1, 1);
    let model = KgScript::Erring { percent };
    let options = KgOptions { verify, max_steps: 40, ..KgOptions::default() };
    let (cancel, clock) = (Cancel::default(), || 0.0);
    let mut lines = Vec::new();
    for system in KG_SYSTEMS {
        for question in &questions {
            let limits = Limits { max_rounds: 100, max_calls: 10_000, ..Limits::default() };
            let setting =
                RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
            let request = KgRequest {
                system,
                finder: &finder,
                question,
                options: &options,
                setting,
                away: None,
            };
            let run = answer(request, &model, &mut |_| {}).now_or_never().unwrap();
            let key = key(system.id, &options, "m", "metro", question);
            let effort = Some(Effort::of(&run.trace, &|t| t.len()));
            lines.push(KgLine { key, options: options.clone(), effort, judged: None, run });
        }
    }
    lines
}

fn written(lines: &[KgLine]) -> String {
    lines.iter().map(|l| format!("{}\n", serde_json::to_string(l).unwrap())).collect()
}

#[test]
fn a_file_is_read_back_also_where_its_last_line_was_cut_off() {
    let lines = lines(0, true);
    let text = written(&lines);
    assert_eq!(kind(&text), Some(Kind::Knowledge));
    let back = read(&text).unwrap();
    assert_eq!((back.lines.len(), back.torn_at), (48, None));
    assert_eq!(back.lines, lines);
    let whole = text[..text.len() - 1].rfind('\n').unwrap() + 1;
    let cut = read(&text[..text.len() - 30]).unwrap();
    assert_eq!((cut.lines.len(), cut.torn_at), (47, Some(whole)));
    // In the middle it is a fault, with its line.
    let broken = text.replacen("\"run\"", "\"ran\"", 1);
    assert!(read(&broken).unwrap_err().to_string().starts_with("line 1: expected a run"));
    // A key that comes twice counts once.
    assert_eq!(read(&format!("{text}{text}")).unwrap().lines.len(), 48);
}

#[test]
fn tables_count_what_a_person_would_count() {
    let mut all = lines(40, true);
    all.extend(lines(40, false));
    let tables = tables(&all, &Prices::default());
    let titles: Vec<&str> = tables.iter().map(|t| t.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Answers",
            "What a question took",
            "Verdicts and kinds of errors",
            "By hops to the answer",
            "Pair by pair"
        ]
    );
    // Only GraphRunner verifies: with and without it are two rows, the others are one each.
    let own: Vec<&str> =
        tables[0].rows.iter().filter(|r| !r.is_reference).map(|r| r.cells[0].as_str()).collect();
    assert_eq!(own.len(), 5, "{own:?}");
    assert!(own.iter().any(|n| n.starts_with("GraphRunner (not verified), ")), "{own:?}");
    for row in tables[0].rows.iter().filter(|r| !r.is_reference) {
        let of: Vec<&KgLine> = all.iter().filter(|l| l.setup().title() == row.cells[0]).collect();
        let right = of.iter().filter(|l| l.run.judgement.verdict == Verdict::Correct).count();
        assert_eq!(row.cells[1], of.len().to_string());
        let share = 100.0 * right as f64 / of.len() as f64;
        assert_eq!(row.cells[2], format!("{share:.2}%"));
        let (low, high) = row.cells[3].split_once('–').unwrap();
        let (low, high): (f64, f64) = (low.parse().unwrap(), high.parse().unwrap());
        assert!(low <= share + 0.05 && share <= high + 0.05, "{row:?}");
        let (low, high) = row.cells[7].split_once('–').unwrap();
        assert!(low.parse::<f64>().unwrap() >= 0.0 && high.parse::<f64>().unwrap() <= 100.0);
    }
    let pairs = &tables[4];
    assert_eq!(pairs.rows.len(), 10);
    for row in &pairs.rows {
        let numbers: Vec<usize> = row.cells[2..7].iter().map(|c| c.parse().unwrap()).collect();
        assert_eq!(numbers[0], 12, "{row:?}");
        assert_eq!(numbers[1..].iter().sum::<usize>(), 12, "{row:?}");
    }
}

#[test]
fn a_page_shows_every_run_and_nothing_in_it_is_markup() {
    let mut lines = lines(30, true);
    lines[0].run.question.question = "<img src=x onerror=alert(1)>".into();
    let files = vec![("runs.jsonl".to_owned(), written(&lines))];
    let sheet = sheet(&files, &SheetOptions::default()).unwrap();
    assert_eq!(sheet.runs.len(), 48);
    let page = eval::page::sheet(&sheet, "Metro");
    // One question is another one in one of the runs.
    assert_eq!(page.matches("<details").count(), 13);
    assert!(!page.contains("<img") && page.contains("&lt;img src=x"));
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn files_of_two_kinds_and_of_none_are_refused_in_words() {
    let lines = written(&lines(0, true)[..1]);
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let refuse = |files: &[(String, String)]| {
        sheet(files, &SheetOptions::default()).unwrap_err().to_string()
    };
    assert!(refuse(&[file("a", "{\"x\": 1}")]).contains("a: this is no file of results"));
    assert!(refuse(&[file("a", "{\"type\": \"head\"}")]).contains("no file of results"));
    assert!(refuse(&[file("a", "")]).contains("no finished run"));
    let family = r#"{"id":"1","extract_model":"","call_model":"","searches":[]}"#;
    assert!(refuse(&[file("a", &lines), file("b", family)]).contains("b: its results"));
    assert!(
        refuse(&[file("b", family)]).starts_with("b, line 1"),
        "{}",
        refuse(&[file("b", family)])
    );
}

proptest! {
    #[test]
    fn no_text_is_more_than_refused(text in "(\\{\"key\": ?)?[\\PC\n\"{}:,]{0,200}") {
        let _ = (kind(&text), read(&text));
        let _ = sheet(&[("f".into(), text)], &SheetOptions::default());
    }
}
