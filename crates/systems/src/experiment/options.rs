//! Options as JSON: partial ones laid over the usual ones, and single ones set by name.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Lays options over the usual ones, and reads the whole as `T`.
///
/// # Errors
/// A name that the usual ones do not have (the message lists those that they have), or a value that
/// `T` does not take.
pub fn overlay<T: Serialize + DeserializeOwned>(
    usual: &Value,
    given: &Value,
) -> Result<Value, String> {
    let mut whole = usual.clone();
    match given {
        Value::Null => {}
        Value::Object(given) => lay(&mut whole, given, "")?,
        other => return Err(format!("the options are {other}; a JSON object is expected")),
    }
    let read: T = serde_json::from_value(whole).map_err(|e| format!("the options: {e}"))?;
    serde_json::to_value(read).map_err(|e| e.to_string())
}

fn lay(whole: &mut Value, given: &Map<String, Value>, place: &str) -> Result<(), String> {
    let Value::Object(whole) = whole else { return Ok(()) };
    for (name, value) in given {
        let Some(before) = whole.get_mut(name) else {
            let known: Vec<String> = whole.keys().map(|k| format!("{place}{k}")).collect();
            return Err(format!(
                "there is no option \"{place}{name}\"; there are {}",
                known.join(", ")
            ));
        };
        match (&before, value) {
            // A value that names its own kind is replaced as a whole.
            (Value::Object(b), Value::Object(v)) if !b.contains_key("how") => {
                lay(before, v, &format!("{place}{name}."))?;
            }
            _ => *before = value.clone(),
        }
    }
    Ok(())
}

/// Sets the option of a dotted name to a value in words: `max_steps=40`, `find.theta=0.7`. What is
/// no JSON is a text.
///
/// # Errors
/// There is no `=` in it, or nothing before it.
pub fn set(options: &mut Value, text: &str) -> Result<(), String> {
    let (path, value) = text
        .split_once('=')
        .filter(|(path, _)| !path.trim().is_empty())
        .ok_or_else(|| format!("{text:?}: write NAME=VALUE, such as max_steps=40"))?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
    let mut at = options;
    for name in path.trim().split('.') {
        if !at.is_object() {
            *at = Value::Object(Map::new());
        }
        at = &mut at[name];
    }
    *at = value;
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Options {
        n: u32,
        inner: Inner,
    }

    #[derive(Serialize, Deserialize)]
    struct Inner {
        theta: f64,
    }

    #[test]
    fn options_are_laid_over_the_usual_ones_and_wrong_ones_are_refused() {
        let usual = json!({ "n": 3, "inner": { "theta": 0.5 } });
        let mut given = Value::Null;
        set(&mut given, "inner.theta=0.7").unwrap();
        let whole = overlay::<Options>(&usual, &given).unwrap();
        assert_eq!(whole, json!({ "n": 3, "inner": { "theta": 0.7 } }));
        let error = overlay::<Options>(&usual, &json!({ "inner": { "beta": 1 } })).unwrap_err();
        assert!(error.contains("inner.beta") && error.contains("inner.theta"), "{error}");
        assert!(overlay::<Options>(&usual, &json!({ "n": -1 })).unwrap_err().contains("-1"));
        assert!(overlay::<Options>(&usual, &json!([1])).unwrap_err().contains("object"));
        assert!(set(&mut given, "theta").unwrap_err().contains("NAME=VALUE"));
    }
}
