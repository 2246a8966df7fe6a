//! Checks of a benchmark: every sample is held against the rules that make it worth asking.
//!
//! Paper: FamilyTool §4.3 has a model check the syntax, the intent, the parameters and the
//! feasibility of a call, and people after it. Here each is a rule that a program can hold.

use std::collections::BTreeSet;

use serde_json::Value;

use super::model::{Benchmark, Family, FamilyCall, FamilyError, Noise, Sample, ToolDef};

/// Holds every sample against the rules; gives the faults, with the sample's id.
///
/// # Complexity
/// O(samples × links).
pub fn check(benchmark: &Benchmark) -> Vec<FamilyError> {
    let mut faults: Vec<FamilyError> = Vec::new();
    let mut asked = BTreeSet::new();
    let mut ids = BTreeSet::new();
    for tool in &benchmark.tools {
        if let Err(message) = declared(tool) {
            faults.push(FamilyError::Sample { id: tool.name.clone(), message });
        }
    }
    for sample in &benchmark.samples {
        let mut fault = |message: String| {
            faults.push(FamilyError::Sample { id: sample.id.clone(), message });
        };
        if !ids.insert(&sample.id) {
            fault("another sample has this id".into());
        }
        if !asked.insert((&sample.family, &sample.speaker, &sample.query)) {
            fault("another sample asks the same".into());
        }
        match benchmark.family(sample) {
            Err(error) => fault(error.to_string()),
            Ok(family) => links_hold(sample, family).into_iter().for_each(&mut fault),
        }
        match benchmark.candidates(sample) {
            Err(error) => fault(error.to_string()),
            Ok(tools) => call_holds(sample, &tools).into_iter().for_each(&mut fault),
        }
    }
    faults
}

/// Syntax of a tool: every required parameter is declared, and every declared one has a type.
///
/// # Errors
/// What is wrong.
pub fn declared(tool: &ToolDef) -> Result<(), String> {
    let properties = tool.parameters.get("properties").and_then(Value::as_object);
    let Some(properties) = properties else {
        return Err(format!("the tool {:?} declares no properties", tool.name));
    };
    for (name, schema) in properties {
        if schema.get("type").and_then(Value::as_str).is_none() {
            return Err(format!("the parameter {name:?} of {:?} has no type", tool.name));
        }
    }
    let required = tool.parameters.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if !properties.contains_key(name) {
            return Err(format!("{:?} requires {name:?}, which it does not declare", tool.name));
        }
    }
    Ok(())
}

/// Whether a call fits a tool's schema: every parameter is declared and of its type, none that is
/// required lacks.
///
/// # Errors
/// What is wrong and what would be right.
pub fn fits(call: &FamilyCall, tool: &ToolDef) -> Result<(), String> {
    let properties = tool.parameters.get("properties").and_then(Value::as_object);
    for (name, value) in &call.parameters {
        let Some(schema) = properties.and_then(|p| p.get(name)) else {
            let names: Vec<&str> =
                properties.into_iter().flat_map(|p| p.keys()).map(String::as_str).collect();
            let names = if names.is_empty() { "none".into() } else { names.join(", ") };
            return Err(format!("{:?} has no parameter {name:?}; it has {names}", tool.name));
        };
        of_type(name, value, schema)?;
    }
    let required = tool.parameters.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if !call.parameters.contains_key(name) {
            return Err(format!("{:?} needs the parameter {name:?}", tool.name));
        }
    }
    Ok(())
}

fn of_type(name: &str, value: &Value, schema: &Value) -> Result<(), String> {
    let kind = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    let is_right = match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    };
    if !is_right {
        return Err(format!("the parameter {name:?} must be of type {kind}, but is {value}"));
    }
    if let (Some(items), Some(schema)) = (value.as_array(), schema.get("items")) {
        items.iter().try_for_each(|item| of_type(name, item, schema))?;
    }
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array)
        && !allowed.contains(value)
    {
        let allowed: Vec<String> = allowed.iter().map(Value::to_string).collect();
        return Err(format!("the parameter {name:?} is {value}; it may be {}", allowed.join(", ")));
    }
    Ok(())
}

/// The searches find exactly the links, each step but the last leads to one person, and what is
/// lacking lacks.
fn links_hold(sample: &Sample, family: &Family) -> Vec<String> {
    let mut faults = Vec::new();
    let mut found = BTreeSet::new();
    for search in &sample.searches {
        let mut at = search.start.as_str();
        if sample.speaker.as_deref().is_some_and(|speaker| speaker != at) {
            faults.push(format!("a search starts at {at:?}, who does not speak"));
        }
        for (i, relation) in search.path.iter().enumerate() {
            let targets = family.targets(at, relation);
            let is_last = i + 1 == search.path.len();
            if targets.is_empty() || (targets.len() > 1 && !(is_last && sample.is_multiple)) {
                let n = targets.len();
                faults.push(format!("{at:?} has {n} times the relation {relation:?}"));
                break;
            }
            let heads = targets.iter().map(|t| (at.to_owned(), relation.clone(), (*t).to_owned()));
            found.extend(heads);
            at = targets[0];
        }
    }
    let gold: BTreeSet<(String, String, String)> =
        sample.links.iter().cloned().map(Into::into).collect();
    if found != gold {
        faults.push("its searches do not find exactly its links".into());
    }
    if let Some(search) = &sample.lacks {
        let (last, way) = match search.path.split_last() {
            Some(parts) => parts,
            None => return vec!["what it lacks has no path".into()],
        };
        let mut at = search.start.as_str();
        for relation in way {
            match family.targets(at, relation)[..] {
                [next] => at = next,
                _ => faults.push(format!("what it lacks is no way: {relation:?} of {at:?}")),
            }
        }
        if !family.targets(at, last).is_empty() {
            faults.push(format!("{at:?} does have the {last:?} that is to lack"));
        }
    }
    if sample.noise.is_some() != sample.links.is_empty() {
        faults.push("noise has no links, and all else has".into());
    }
    faults
}

/// The call is one of a candidate, fits its schema, and is feasible: every value is said in the
/// query or found in the links.
fn call_holds(sample: &Sample, tools: &[ToolDef]) -> Vec<String> {
    let mut faults = Vec::new();
    let Some(call) = &sample.call else {
        if sample.noise != Some(Noise::Lacking) {
            faults.push("it has no call, though nothing lacks".into());
        }
        return faults;
    };
    match tools.iter().find(|t| t.name == call.name) {
        None => faults.push(format!("{:?} is not among the candidates", call.name)),
        Some(tool) => faults.extend(fits(call, tool).err()),
    }
    for (name, value) in &call.parameters {
        let parts = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        for part in parts {
            let text = match part {
                Value::String(text) => text.clone(),
                Value::Bool(state) => if *state { "on" } else { "off" }.to_owned(),
                other => other.to_string(),
            };
            if !sample.query.contains(&text) && !sample.links.iter().any(|l| l.tail == text) {
                faults.push(format!("nothing tells the value {text:?} of {name:?}"));
            }
        }
    }
    faults
}
