//! The tools of the benchmark: 102 of them, in groups, each with a sentence in which a person asks
//! for it.

mod at_home;
mod in_town;

use serde_json::{Map, Value, json};

use at_home::{ALARMS, CALENDAR, CONTACT, HEALTH, HOME, MEDIA};
use in_town::{DELIVERY, DINING, MONEY, RIDES, SHOPPING, TRAVEL};

use super::model::ToolDef;
use super::parameters::{Parameter, parameter};

/// A tool of ours.
#[derive(Clone, Copy, Debug)]
pub struct ToolTemplate {
    /// Its group: tools of a group are easily taken for one another.
    pub group: &'static str,
    /// The name that a call uses.
    pub name: &'static str,
    /// What a model reads of it.
    pub description: &'static str,
    /// Parameters that must be given, and then those that may.
    pub required: &'static [&'static str],
    /// Parameters that may be given.
    pub optional: &'static [&'static str],
    /// How a person asks for it; each `{parameter}` is said where it stands.
    pub frame: &'static str,
}

impl ToolTemplate {
    /// The parameters that the frame speaks of, in its order.
    pub fn named_parameters(&self) -> Vec<&'static Parameter> {
        self.frame
            .split('{')
            .skip(1)
            .filter_map(|rest| parameter(rest.split('}').next().unwrap_or_default()))
            .collect()
    }

    /// What a model is shown of it.
    pub fn definition(&self) -> ToolDef {
        let named = self.required.iter().chain(self.optional);
        let properties: Map<String, Value> = named
            .filter_map(|name| parameter(name))
            .map(|p| (p.name.to_owned(), p.schema()))
            .collect();
        ToolDef {
            name: self.name.to_owned(),
            description: self.description.to_owned(),
            parameters: json!({
                "type": "object",
                "properties": properties,
                "required": self.required,
                "additionalProperties": false,
            }),
        }
    }
}

/// Name, description, required and optional parameters, frame.
type Row =
    (&'static str, &'static str, &'static [&'static str], &'static [&'static str], &'static str);

/// Every tool, by group.
pub fn templates() -> Vec<ToolTemplate> {
    let groups: [(&'static str, &'static [Row]); 12] = [
        ("alarms", &ALARMS),
        ("calendar", &CALENDAR),
        ("contact", &CONTACT),
        ("home", &HOME),
        ("delivery", &DELIVERY),
        ("dining", &DINING),
        ("rides", &RIDES),
        ("travel", &TRAVEL),
        ("media", &MEDIA),
        ("money", &MONEY),
        ("health", &HEALTH),
        ("shopping", &SHOPPING),
    ];
    let rows = groups.iter().flat_map(|(group, rows)| rows.iter().map(move |row| (*group, row)));
    rows.map(|(group, &(name, description, required, optional, frame))| ToolTemplate {
        group,
        name,
        description,
        required,
        optional,
        frame,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn there_are_102_tools_under_names_of_their_own() {
        let templates = templates();
        let names: BTreeSet<&str> = templates.iter().map(|t| t.name).collect();
        assert_eq!((templates.len(), names.len()), (102, 102));
    }

    #[test]
    fn what_a_frame_says_is_declared_and_all_that_is_required_is_said() {
        for template in templates() {
            let declared: Vec<&str> =
                template.required.iter().chain(template.optional).copied().collect();
            for name in &declared {
                assert!(parameter(name).is_some(), "{}: {name}", template.name);
            }
            let said: Vec<&str> = template.named_parameters().iter().map(|p| p.name).collect();
            assert_eq!(said.len(), template.frame.matches('{').count(), "{}", template.name);
            for name in &said {
                assert!(declared.contains(name), "{}: {name}", template.name);
            }
            for name in template.required {
                assert!(said.contains(name), "{}: {name} is not said", template.name);
            }
        }
    }
}
