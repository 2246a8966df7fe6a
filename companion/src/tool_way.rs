//! How models at endpoints call tools, as a command line says it.

use std::str::FromStr;

use llm::{AskOptions, ToolStyle};

/// A style, and whether calls are held to the schema of the tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ToolWay {
    style: ToolStyle,
    constrain: bool,
}

/// JSON calls that the endpoint holds to the schema of the tools.
const HELD: &str = "json-schema";

impl ToolWay {
    /// [`HELD`].
    pub(crate) const SCHEMA: Self = Self { style: ToolStyle::Json, constrain: true };

    /// What of some ways is another for replies without tools: whether they are held to a shape.
    pub(crate) fn of_replies(ways: &[Self]) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for way in ways {
            let way = if way.constrain { *way } else { Self::default() };
            if !found.contains(&way) {
                found.push(way);
            }
        }
        found
    }

    /// Writes it into the options of an endpoint.
    pub(crate) fn apply(self, options: &mut AskOptions) {
        options.tool_style = self.style;
        options.constrain = self.constrain;
    }
}

impl FromStr for ToolWay {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == HELD {
            return Ok(Self::SCHEMA);
        }
        let style = ToolStyle::by_name(text).ok_or_else(|| {
            let known = ToolStyle::ALL.map(|(_, name, _)| name).join(", ");
            format!("there is no tool style {text:?}; there are {known}, {HELD}")
        })?;
        Ok(Self { style, constrain: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_style_with_or_without_a_schema() {
        let options = |text: &str| {
            let mut options = AskOptions::default();
            text.parse::<ToolWay>().map(|way| {
                way.apply(&mut options);
                (options.tool_style, options.constrain)
            })
        };
        assert_eq!(options("native"), Ok((ToolStyle::Native, false)));
        assert_eq!(options("react"), Ok((ToolStyle::React, false)));
        assert_eq!(options("json"), Ok((ToolStyle::Json, false)));
        assert_eq!(options("json-schema"), Ok((ToolStyle::Json, true)));
        let ways =
            ["native", "json-schema", "json", "react"].map(|text| text.parse::<ToolWay>().unwrap());
        assert_eq!(ToolWay::of_replies(&ways), [ToolWay::default(), ToolWay::SCHEMA]);
        assert!(options("xml").is_err_and(|e| e.contains("json-schema")));
    }
}
