//! Instances of the prompt datasets: a question or statement, the same with its calls, the answers.

use serde::{Deserialize, Serialize};

/// The most bytes of a line.
pub const MAX_LINE: usize = 1_000_000;
/// What stands between several answers of a line.
pub const BETWEEN_ANSWERS: &str = " <||> ";
/// What stands where something is to be reasoned.
pub const PLACEHOLDER: &str = "[TBR]";

/// One instance of the public prompts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instance {
    /// A question, or a statement with `[TBR]` where something is to be reasoned.
    pub input: String,
    /// The statement with calls.
    pub output: String,
    /// The answers, joined by ` <||> `; none where the calls only load data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

/// Why a line is no instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InstanceError {
    /// It is too long.
    #[error("the line has {0} bytes; at most {MAX_LINE} are read")]
    Long(usize),
    /// It is JSON, and no object with the right fields.
    #[error("an object with \"input\" and \"output\" was expected: {0}")]
    Json(String),
    /// A part of it is not there, or there twice.
    #[error(
        "{0:?} stands {1} times in the line; it stands once, as in \
         \"Input: … Output: … Reasoning Result: ….\""
    )]
    Part(&'static str, usize),
}

const INPUT: &str = "Input: ";
const OUTPUT: &str = " Output: ";
const RESULT: &str = " Reasoning Result: ";
/// What ends a line of the datasets that have no answers.
const MARK: &str = " generated_data_loading_prompt_data_";

impl Instance {
    /// Reads a line: a JSON object, or the form of the datasets,
    /// `Input: … Output: … Reasoning Result: ….`
    ///
    /// # Errors
    /// It is neither, or too long.
    pub fn read(line: &str) -> Result<Self, InstanceError> {
        if line.len() > MAX_LINE {
            return Err(InstanceError::Long(line.len()));
        }
        let line = line.trim();
        if line.starts_with('{') {
            return serde_json::from_str(line).map_err(|e| InstanceError::Json(e.to_string()));
        }
        let rest = line.strip_prefix(INPUT).ok_or(InstanceError::Part(INPUT, 0))?;
        let (input, rest) = once(rest, OUTPUT)?;
        if let Some((output, _)) = rest.split_once(MARK) {
            let (input, output) = (input.to_owned(), output.to_owned());
            return Ok(Self { input, output, answer: None });
        }
        // Text to learn from has no answers.
        let (output, answer) = match rest.contains(RESULT) {
            true => once(rest, RESULT).map(|(o, a)| (o, Some(a)))?,
            false => (rest, None),
        };
        let answer = answer.map(|a| a.strip_suffix('.').unwrap_or(a).to_owned());
        Ok(Self { input: input.to_owned(), output: output.to_owned(), answer })
    }

    /// The line in the form of the datasets.
    pub fn line(&self) -> String {
        let answer = self.answer.as_ref().map_or_else(String::new, |a| format!("{RESULT}{a}."));
        format!("{INPUT}{}{OUTPUT}{}{answer}", self.input, self.output)
    }

    /// The answers, one by one.
    pub fn answers(&self) -> Vec<&str> {
        self.answer.as_deref().map_or_else(Vec::new, |a| a.split(BETWEEN_ANSWERS).collect())
    }
}

fn once<'t>(text: &'t str, separator: &'static str) -> Result<(&'t str, &'t str), InstanceError> {
    match text.split_once(separator) {
        Some((before, after)) if !after.contains(separator) => Ok((before, after)),
        _ => Err(InstanceError::Part(separator, text.matches(separator).count())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        let line = "Input: What is the size of X? Output: It is [GR(GL(\"gpr\", {\"bull_graph\"}), \
                    \"toolx:size\")-->r]. Reasoning Result: 1.5 <||> [1, 2].";
        let read = Instance::read(line).unwrap();
        assert_eq!(read.answers(), ["1.5", "[1, 2]"]);
        assert_eq!(read.line(), line);
        let json = serde_json::to_string(&read).unwrap();
        assert_eq!(Instance::read(&json).unwrap(), read);
        let loading = "Input: A. Output: The [GL(\"a\")] A. \
                       generated_data_loading_prompt_data_7_01-01-2023-00:00:00";
        let read = Instance::read(loading).unwrap();
        assert_eq!((read.output.as_str(), read.answers().len()), ("The [GL(\"a\")] A.", 0));
    }

    #[test]
    fn other_lines_are_refused_with_a_reason() {
        let message = |line: &str| Instance::read(line).unwrap_err().to_string();
        assert!(message("What?").starts_with("\"Input: \" stands 0 times"));
        assert!(message("Input: a Output: b Output: c").contains("stands 2 times"));
        assert!(message("{\"input\": 1}").contains("\"output\""));
        assert!(message(&"x".repeat(MAX_LINE + 1)).contains("at most 1000000"));
    }
}
