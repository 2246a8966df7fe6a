//! Feature files.

use std::path::Path;

use test_support::Folder;

use crate::commands::cypher_tck::feature::{
    NO_PROCEDURES, NO_TEMPORAL, Scenario, read_file, read_text,
};
use crate::commands::cypher_tck::steps::{Expectation, ExpectedError, Step, StepError};

fn scenarios(path: &str, text: &str) -> Vec<Scenario> {
    read_text(Path::new(path), text).unwrap()
}

/// One scenario of these steps.
fn steps(steps: &str) -> Scenario {
    let text = format!("Feature: F\n  Scenario: S\n{steps}\n");
    scenarios("a.feature", &text).pop().unwrap()
}

const OUTLINE: &str = r#"#encoding: utf-8

Feature: Own1 - Outlines

  Background:
    Given an empty graph

  # A comment.
  @tagged
  Scenario Outline: [1] About <what>
    Given having executed:
      """
      CREATE (:<what>)<-[:T]-()

        // indented
      """
    And parameters are:
      | p | <value> |
    When executing query:
      """
      MATCH (n) WHERE 1 <2 AND 2> 1 RETURN '<value>'
      """
    Then the result should be, in any order:
      | <what>  |
      | <value> |
    And no side effects

    Examples:
      | what | value        |
      | A    | '<what>'     |
      | B    | 'x\\\\\'y\|' |

    Examples: more
      | value | what |
      | 1     | C    |

  Scenario: [2] Plain
    When executing query:
      """
      RETURN <what>
      """
    Then the result should be empty
"#;

#[test]
fn outlines_are_a_scenario_for_each_row() {
    let read = scenarios("/kit/features/own/Own1.feature", OUTLINE);
    let names: Vec<_> = read.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "Own1 - Outlines: [1] About A (row 1)",
            "Own1 - Outlines: [1] About B (row 2)",
            "Own1 - Outlines: [1] About C (row 3)",
            "Own1 - Outlines: [2] Plain",
        ]
    );
    assert!(read.iter().all(|s| s.file == "own/Own1.feature" && s.skip.is_none()));
    let first = read[0].steps.as_ref().unwrap();
    assert_eq!(first[0], Step::Setup("CREATE (:A)<-[:T]-()\n\n  // indented".into()));
    // What a value brings is no placeholder.
    let value = "'<what>'".parse().unwrap();
    assert_eq!(first[1], Step::Parameters(vec![("p".into(), value)]));
    let query = "MATCH (n) WHERE 1 <2 AND 2> 1 RETURN ''<what>''";
    assert_eq!(first[2], Step::Query(query.into()));
    let Step::Expect(Expectation::Table(table, _)) = &first[3] else { panic!("{first:?}") };
    assert_eq!(table, &super::table(&["A"], &[&["'<what>'"]]));
    // Gherkin takes one backslash of two, and lets `\'` stand; the value takes the next.
    let second = read[1].steps.as_ref().unwrap();
    let Step::Expect(Expectation::Table(table, _)) = &second[3] else { panic!("{second:?}") };
    assert_eq!(
        table.rows[0][0],
        crate::commands::cypher_tck::expected::KitValue::Text(r"x\'y|".into())
    );
}

#[test]
fn line_ends_of_windows_change_nothing() {
    let unix = scenarios("a.feature", OUTLINE);
    let windows = scenarios("a.feature", &format!("\u{feff}{}", OUTLINE.replace('\n', "\r\n")));
    for (one, other) in unix.iter().zip(&windows) {
        assert_eq!((&one.name, &one.steps), (&other.name, &other.steps));
    }
    assert_eq!(unix.len(), windows.len());
}

const QUERY: &str = "    When executing query:\n      \"\"\"\n      RETURN 1\n      \"\"\"\n";

#[test]
fn errors_are_read_with_their_phase() {
    for (words, kind, phase, detail) in [
        ("a TypeError should be raised at runtime: Any", "TypeError", "runtime", "Any"),
        ("an E should be raised at any time: *", "E", "any time", "*"),
        ("a E should be raised at compile time: D", "E", "compile time", "D"),
    ] {
        let read = steps(&format!("{QUERY}    Then {words}")).steps.unwrap();
        let [kind, phase, detail] = [kind, phase, detail].map(str::to_owned);
        let error = ExpectedError { kind, phase, detail };
        assert_eq!(read[1], Step::Expect(Expectation::Error(error)));
    }
}

#[test]
fn what_cannot_be_run_is_said() {
    let error = |text: &str| steps(text).steps.unwrap_err();
    let unknown = error(&format!("{QUERY}    Then it should rain"));
    assert_eq!(unknown, StepError::Unknown("it should rain".into()));
    let phase = error(&format!("{QUERY}    Then a E should be raised at noon: D"));
    assert!(matches!(phase, StepError::Unknown(_)));
    let empty = "    Then the result should be empty";
    assert_eq!(error(empty), StepError::ExpectsNothing);
    assert_eq!(error(QUERY), StepError::ExpectsNothing);
    assert_eq!(error(&format!("{QUERY}    And no side effects")), StepError::ExpectsNothing);
    let cell = "    Then the result should be, in order:\n      | a |\n      | ? |\n";
    assert!(matches!(error(&format!("{QUERY}{cell}")), StepError::Notation(_)));
    let effect =
        format!("{QUERY}{empty}\n    And the side effects should be:\n      | +cows | 1 |");
    assert!(matches!(error(&effect), StepError::Incomplete { .. }));
    let parameter = format!("    Given parameters are:\n      | a |\n{QUERY}{empty}");
    assert!(matches!(error(&parameter), StepError::Incomplete { .. }));
    let no_text = format!("    When executing query:\n{empty}");
    assert!(matches!(error(&no_text), StepError::Incomplete { .. }));
    assert!(matches!(
        error(&format!("    Given the no-such graph\n{QUERY}{empty}")),
        StepError::NoGraph(_)
    ));
    assert!(read_text(Path::new("a.feature"), "no feature").is_err());
    assert!(read_file(Path::new("/no/such.feature")).is_err());
}

fn skipped_for(query: &str) -> Option<&'static str> {
    let query = QUERY.replace("RETURN 1", query);
    steps(&format!("{query}    Then the result should be empty")).skip
}

#[test]
fn procedures_and_temporal_types_are_skipped() {
    let procedure = "    Given there exists a procedure a.b() :: ():\n      |  |\n";
    let scenario = steps(&format!("{procedure}{QUERY}    Then the result should be empty"));
    assert_eq!(scenario.skip, Some(NO_PROCEDURES));
    for query in [
        "RETURN date('2000-01-01')",
        "RETURN [x IN y | localDateTime(x)]",
        "RETURN duration.between(a, b)",
        "RETURN DATE.truncate('day', d)",
        "CREATE ({t: time({hour: 1})})",
    ] {
        assert_eq!(skipped_for(query), Some(NO_TEMPORAL), "{query}");
    }
    for query in ["RETURN update(1)", "RETURN n.date", "RETURN a.time (1)", "RETURN my_date(1)"] {
        assert_eq!(skipped_for(query), None, "{query}");
    }
    let text = format!("Feature: F\n  Scenario: S\n{QUERY}    Then the result should be empty\n");
    let of_folder = |path: &str| scenarios(path, &text)[0].skip;
    assert_eq!(of_folder("k/features/expressions/temporal/T.feature"), Some(NO_TEMPORAL));
    assert_eq!(of_folder("k/features/temporal/T.feature"), None);
}

#[test]
fn named_graphs_are_looked_for_upwards() {
    let script = "CREATE (:A)\nCREATE (:B);\r\nCREATE (';C');\n";
    let folder = Folder::new().with("graphs/small/small.cypher", script);
    let text = format!(
        "Feature: F\n  Scenario: S\n    Given the small graph\n{QUERY}    Then the result should be empty\n"
    );
    let path = folder.join("features/own/Own.feature");
    let read = read_text(&path, &text).unwrap().pop().unwrap().steps.unwrap();
    assert_eq!(read[0], Step::Setup("CREATE (:A)\nCREATE (:B)\n".into()));
    assert_eq!(read[1], Step::Setup("CREATE (';C')\n".into()));
    assert!(matches!(&read[2], Step::Query(_)));
}

#[test]
fn a_scenario_may_begin_with_and() {
    let text = r#"Feature: F
  Background:
    Given an empty graph
    And having executed:
      """
      CREATE (:A)
      """

  Scenario: S
    And having executed:
      """
      CREATE (:B)
      And this is a text
      """
    When executing query:
      """
      MATCH (n) RETURN n
      """
    Then the result should be empty
    But no side effects

  Scenario Outline: T
    But parameters are:
      | x | <x> |
    When executing query:
      """
      RETURN $x
      """
    Then the result should be empty

    Examples:
      | x |
      | 1 |
"#;
    let all = scenarios("a.feature", text);
    let steps: Vec<&Vec<Step>> = all.iter().map(|s| s.steps.as_ref().unwrap()).collect();
    assert_eq!(steps[0][0], Step::Setup("CREATE (:A)".into()));
    assert_eq!(steps[0][1], Step::Setup("CREATE (:B)\nAnd this is a text".into()));
    assert_eq!((steps[0].len(), steps[1].len()), (5, 4));
    assert!(matches!(steps[1][1], Step::Parameters(_)));
}
