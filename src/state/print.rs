//! JSON as a person would set it out: what is short stands in a line, pairs beside each other.

use serde_json::Value;

/// Characters of a line.
const WIDTH: usize = 64;

/// The value over as many lines as it needs. It stays JSON, and reads back as the same value.
pub fn set_out(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, 0, &mut out);
    out
}

/// Writes a value where a line has `used` characters already; lines that follow begin at `indent`.
fn write(value: &Value, indent: usize, used: usize, out: &mut String) {
    let mut line = String::new();
    if in_line(value, WIDTH.saturating_sub(used), &mut line) {
        out.push_str(&line);
        return;
    }
    match value {
        Value::Object(map) => {
            out.push('{');
            for (i, (name, member)) in map.iter().enumerate() {
                new_line(i > 0, indent + 2, out);
                let name = format!("{}: ", Value::from(name.as_str()));
                out.push_str(&name);
                write(member, indent + 2, indent + 2 + name.chars().count(), out);
            }
            new_line(false, indent, out);
            out.push('}');
        }
        Value::Array(list) => {
            out.push('[');
            new_line(false, indent + 2, out);
            let mut column = indent + 2;
            let mut was_short = true;
            for (i, item) in list.iter().enumerate() {
                let mut short = String::new();
                let is_short = in_line(item, WIDTH / 2, &mut short);
                let fits = column + short.chars().count() + 2 <= WIDTH;
                if i > 0 {
                    out.push(',');
                    if is_short && was_short && fits {
                        out.push(' ');
                        column += 2;
                    } else {
                        new_line(false, indent + 2, out);
                        column = indent + 2;
                    }
                }
                if is_short {
                    out.push_str(&short);
                    column += short.chars().count();
                } else {
                    write(item, indent + 2, indent + 2, out);
                }
                was_short = is_short;
            }
            new_line(false, indent, out);
            out.push(']');
        }
        // A text or a number that is too long for a line stands in one all the same.
        scalar => out.push_str(&scalar.to_string()),
    }
}

fn new_line(is_next: bool, indent: usize, out: &mut String) {
    if is_next {
        out.push(',');
    }
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

/// Writes a value into one line, unless it needs more than `room` characters; then the line is of no
/// use.
fn in_line(value: &Value, room: usize, out: &mut String) -> bool {
    match value {
        Value::Array(list) => {
            out.push('[');
            for (i, item) in list.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                if !in_line(item, room, out) {
                    return false;
                }
            }
            out.push(']');
        }
        Value::Object(map) if !map.is_empty() => {
            out.push_str("{ ");
            for (i, (name, member)) in map.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                out.push_str(&Value::from(name.as_str()).to_string());
                out.push_str(": ");
                if !in_line(member, room, out) {
                    return false;
                }
            }
            out.push_str(" }");
        }
        // A long text is not written to be thrown away.
        Value::String(text) if text.len() > 4 * room => return false,
        scalar => out.push_str(&scalar.to_string()),
    }
    out.len() <= 4 * room && out.chars().count() <= room
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn sixteen_edges_take_three_lines_and_not_eighty() {
        let edges: Vec<[usize; 2]> = (0..16).map(|i| [i, i + 1]).collect();
        let text = set_out(&json!({ "edges": edges }));
        assert!(text.lines().count() <= 7, "{text}");
        assert!(text.contains("[0, 1], [1, 2], [2, 3]"), "{text}");
    }

    #[test]
    fn what_is_short_stands_in_a_line() {
        assert_eq!(
            set_out(&json!({ "source": 0, "target": 4 })),
            r#"{ "source": 0, "target": 4 }"#
        );
        assert_eq!(set_out(&json!({})), "{}");
        assert_eq!(set_out(&json!([])), "[]");
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "\\PC{0,90}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 60, 12, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..12).prop_map(Value::from),
                prop::collection::btree_map("\\PC{0,20}", inner, 0..6)
                    .prop_map(|map| map.into_iter().collect::<serde_json::Map<_, _>>().into()),
            ]
        })
    }

    proptest! {
        #[test]
        fn it_reads_back_as_the_same_value(value in any_json()) {
            let text = set_out(&value);
            prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        }

        #[test]
        fn lines_of_short_values_are_short(
            list in prop::collection::vec((0..99u8, 0..99u8), 0..200),
        ) {
            let text = set_out(&json!({ "edges": list }));
            prop_assert!(text.lines().all(|l| l.len() <= WIDTH + 1), "{}", text);
        }
    }
}
