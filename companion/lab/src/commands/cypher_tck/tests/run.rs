//! Scenarios, run.

use std::collections::BTreeMap;

use kg::property::{GraphStore, Properties, PropertyError};

use super::{Scripted, asked, failed, fault, outcome, outcomes, table};
use crate::commands::cypher_tck::compare::KitTable;
use crate::commands::cypher_tck::engine::Fault;
use crate::commands::cypher_tck::expected::KitValue;
use crate::commands::cypher_tck::run::Verdict;

const ROWS: &str = "\n      | a   | b       |\n      | 1   | [1, 2]  |\n      | 2.0 | (:A:B)  |\n";

#[test]
fn each_expectation_of_a_table_passes_or_fails() {
    let right = || table(&["a", "b"], &[&["1", "[1, 2]"], &["2.0", "(:B:A)"]]);
    let rows_turned = || table(&["a", "b"], &[&["2.0", "(:A:B)"], &["1", "[1, 2]"]]);
    let list_turned = || table(&["a", "b"], &[&["1", "[2, 1]"], &["2.0", "(:A:B)"]]);
    let both_turned = || table(&["a", "b"], &[&["2.0", "(:A:B)"], &["1", "[2, 1]"]]);
    for (words, passes) in [
        ("in order", [true, false, false, false]),
        ("in any order", [true, true, false, false]),
        ("in order (ignoring element order for lists)", [true, false, true, false]),
        ("(ignoring element order for lists)", [true, true, true, true]),
    ] {
        let comma = if words.starts_with('(') { "" } else { "," };
        let expected =
            format!("    Then the result should be{comma} {words}:{ROWS}    And no side effects");
        let given = [right(), rows_turned(), list_turned(), both_turned()];
        for (table, passes) in given.into_iter().zip(passes) {
            assert_eq!(asked(&expected, &Ok(table)) == Verdict::Passed, passes, "{words}");
        }
        // What is wrong in any order.
        for change in [
            |table: &mut KitTable| table.rows[0][0] = KitValue::float(1.0),
            |table: &mut KitTable| _ = table.rows.pop(),
            |table: &mut KitTable| table.rows.push(table.rows[0].clone()),
            |table: &mut KitTable| table.columns[1] = "c".into(),
        ] {
            let mut wrong = right();
            change(&mut wrong);
            assert!(failed(&asked(&expected, &Ok(wrong))), "{words}");
        }
        assert!(failed(&asked(&expected, &Err(fault("E", "runtime", "D")))), "{words}");
    }
}

#[test]
fn an_empty_result_has_no_rows() {
    let expected = "    Then the result should be empty\n    And no side effects";
    assert_eq!(asked(expected, &Ok(table(&["n"], &[]))), Verdict::Passed);
    assert_eq!(asked(expected, &Ok(table(&[], &[]))), Verdict::Passed);
    assert!(failed(&asked(expected, &Ok(table(&["n"], &[&["null"]])))));
    assert!(failed(&asked(expected, &Err(fault("E", "runtime", "D")))));
    let header = "    Then the result should be, in any order:\n      | n |\n";
    assert_eq!(asked(header, &Ok(table(&["n"], &[]))), Verdict::Passed);
    assert!(failed(&asked(header, &Ok(table(&["m"], &[])))));
}

#[test]
fn errors_are_equal_in_kind_phase_and_detail() {
    let expected = "    Then a TypeError should be raised at runtime: Why";
    let given = |kind, phase, detail| asked(expected, &Err(fault(kind, phase, detail)));
    assert_eq!(given("TypeError", "runtime", "Why"), Verdict::Passed);
    assert!(failed(&given("SyntaxError", "runtime", "Why")));
    assert!(failed(&given("TypeError", "compile time", "Why")));
    assert!(failed(&given("TypeError", "runtime", "Because")));
    assert!(failed(&asked(expected, &Ok(table(&["a"], &[])))));
    let any = "    Then a TypeError should be raised at any time: *";
    for phase in ["runtime", "compile time"] {
        assert_eq!(asked(any, &Err(fault("TypeError", phase, "Whatever"))), Verdict::Passed);
    }
    assert!(failed(&asked(any, &Err(fault("SyntaxError", "runtime", "Whatever")))));
}

/// Makes a node for each line of the query, with the words of the line as its labels.
fn makes_nodes(
    store: &mut GraphStore,
    query: &str,
    _: &BTreeMap<String, KitValue>,
) -> Result<KitTable, Fault> {
    let made = store.write(query, |graph| {
        query
            .lines()
            .try_for_each(|line| graph.create_node(line.split(' '), Properties::new()).map(drop))
    });
    made.map_err(|e: PropertyError| fault("E", "runtime", &e.to_string()))?;
    Ok(KitTable::default())
}

fn two_queries(setup: &str, first: &str, then: &str) -> String {
    let query = |words: &str, text: &str| {
        format!("    {words}:\n      \"\"\"\n      {text}\n      \"\"\"\n")
    };
    query("Given having executed", setup) + &query("When executing query", first) + then
}

#[test]
fn side_effects_are_those_of_the_query_alone() {
    let expecting = |effects: &str| {
        let then = format!("    Then the result should be empty\n    And {effects}");
        outcome(&two_queries("A B", "B C", &then), &Scripted(makes_nodes))
    };
    let right = "the side effects should be:\n      | +nodes | 1 |\n      | +labels | 1 |";
    assert_eq!(expecting(right), Verdict::Passed);
    assert_eq!(expecting(&format!("{right}\n      | -nodes | 0 |")), Verdict::Passed);
    assert!(failed(&expecting("the side effects should be:\n      | +nodes | 1 |")));
    assert!(failed(&expecting(&format!("{right}\n      | -labels | 1 |"))));
    let Verdict::Failed { expected, got } = expecting("no side effects") else { panic!() };
    assert_eq!(expected, "no side effects");
    assert_eq!(got, "side effects: +labels 1 +nodes 1");
}

#[test]
fn control_queries_see_what_was_written() {
    let steps = two_queries("A", "B", "    Then the result should be empty\n")
        + "    And the side effects should be:\n      | +nodes | 1 |\n      | +labels | 1 |\n    When executing control query:\n      \"\"\"\n      count\n      \"\"\"\n    Then the result should be, in any order:\n      | n |\n      | 2 |\n    And no side effects";
    let engine = |also: i64| {
        Scripted(move |store: &mut GraphStore, query: &str, given: &BTreeMap<_, _>| match query {
            "count" => {
                let count = i64::try_from(store.now().n_nodes()).unwrap() + also;
                Ok(table(&["n"], &[&[&count.to_string()]]))
            }
            _ => makes_nodes(store, query, given),
        })
    };
    assert_eq!(outcome(&steps, &engine(0)), Verdict::Passed);
    assert!(failed(&outcome(&steps, &engine(1))));
}

#[test]
fn parameters_reach_the_engine() {
    let steps = "    Given parameters are:\n      | p | [1, 'a'] |\n      | q | null |\n    When executing query:\n      \"\"\"\n      RETURN $p\n      \"\"\"\n    Then the result should be, in any order:\n      | p        |\n      | [1, 'a'] |\n";
    let engine = Scripted(|_: &mut GraphStore, _: &str, given: &BTreeMap<String, KitValue>| {
        assert_eq!(given.get("q"), Some(&KitValue::Null));
        Ok(KitTable { columns: vec!["p".into()], rows: vec![vec![given["p"].clone()]] })
    });
    assert_eq!(outcome(steps, &engine), Verdict::Passed);
}

#[test]
fn what_fails_before_its_time_is_a_failure() {
    let then = "    Then the result should be empty";
    let setup = outcome(&two_queries("A  B", "B", then), &Scripted(makes_nodes));
    assert!(failed(&setup), "an empty label, in the setup");
    let engine = Scripted(|_: &mut GraphStore, _: &str, _: &BTreeMap<_, _>| -> Result<_, Fault> {
        panic!("out of {}", "luck")
    });
    let Verdict::Failed { got, .. } = outcome(&two_queries("A", "B", then), &engine) else {
        panic!()
    };
    assert_eq!(got, "the engine panicked: out of luck");
    // The first query fails, and only the second is looked at.
    let steps = two_queries("A", "B  C", &two_queries("A", "B", then)[..]);
    assert!(failed(&outcome(&steps, &Scripted(makes_nodes))), "a failure that nothing looks at");
    let unread = outcome("    Given a cow\n    When executing query:\n", &Scripted(makes_nodes));
    assert!(failed(&unread));
}

#[test]
fn outcomes_are_lines_of_json() {
    let text = r#"Feature: F

  Scenario Outline: [1] A <n>
    When executing query:
      """
      L<n>
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes  | <n> |
      | +labels | 1   |

    Examples:
      | n |
      | 1 |
      | 2 |

  Scenario: [2] B
    When executing query:
      """
      RETURN date('2000-01-01')
      """
    Then the result should be empty
"#;
    let lines: Vec<_> = outcomes(text, &Scripted(makes_nodes))
        .iter()
        .map(|outcome| serde_json::to_string(outcome).unwrap())
        .collect();
    assert_eq!(
        lines,
        [
            r#"{"file":"own/Own.feature","name":"F: [1] A 1 (row 1)","result":"passed"}"#,
            r#"{"file":"own/Own.feature","name":"F: [1] A 2 (row 2)","result":"failed","expected":"side effects: +labels 1 +nodes 2","got":"side effects: +labels 1 +nodes 1"}"#,
            r#"{"file":"own/Own.feature","name":"F: [2] B","result":"skipped","cause":"temporal types are left out"}"#,
        ]
    );
    let long = table(&["a"], &[&[format!("'{}'", "ü".repeat(5_000)).as_str()]]);
    let Verdict::Failed { got, .. } = asked("    Then the result should be empty", &Ok(long))
    else {
        panic!()
    };
    assert_eq!(got.chars().count(), 2_000);
}
