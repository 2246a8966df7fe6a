//! Tools that never reach the model: some servers leave them out of the prompt without a word.

use llm::{ToolSpec, Usage};
use trace::{Finding, TOOLS_DROPPED};

/// More bytes of tool definitions than any tokenizer and template make one token of. JSON has about
/// three to four a token; templates that write tools shorter halve it.
const MOST_BYTES_A_TOKEN: usize = 12;

/// Says so where an endpoint reports fewer input tokens than its tools alone can be: a template
/// without tools drops them, and the model knows of none. Nothing where no tokens are reported, or
/// too few tools were sent to tell.
pub(crate) fn dropped_tools(tools: &[ToolSpec], usage: &Usage) -> Option<Finding> {
    let n_tokens = usage.input_tokens?;
    let n_bytes: usize = tools
        .iter()
        .map(|t| t.name.len() + t.description.len() + t.parameters.to_string().len())
        .sum();
    if n_tokens >= (n_bytes / MOST_BYTES_A_TOKEN) as u64 {
        return None;
    }
    Some(Finding {
        rule: TOOLS_DROPPED.to_owned(),
        at: None,
        is_error: true,
        message: format!(
            "the endpoint reports {n_tokens} input tokens for a question with {} tools, whose \
             definitions alone are {n_bytes} bytes: it left the tools out, and the model knows of \
             none. Choose another tool style for this endpoint: json or react",
            tools.len()
        ),
        options: vec!["json".into(), "react".into()],
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tools_that_cannot_be_in_the_tokens_are_noticed() {
        let tool = ToolSpec {
            name: "has_path".into(),
            description: "Tells whether there is a path between two nodes.".into(),
            parameters: json!({ "type": "object", "properties": { "source": { "type": "integer" } } }),
        };
        let tools = vec![tool; 50];
        let of = |n| Usage { input_tokens: n, ..Usage::default() };
        let found = dropped_tools(&tools, &of(Some(90))).unwrap();
        assert!(found.message.contains("90 input tokens"), "{}", found.message);
        assert!(dropped_tools(&tools, &of(Some(1_500))).is_none());
        assert!(dropped_tools(&tools, &of(None)).is_none(), "nobody reports tokens");
        assert!(dropped_tools(&tools[..1], &of(Some(20))).is_none(), "too little to tell");
        assert!(dropped_tools(&[], &of(Some(0))).is_none());
    }
}
