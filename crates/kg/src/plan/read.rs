//! Reads a plan out of what a model wrote: JSON in its many spellings, or the paper's textual form.
//!
//! Reading is tolerant and verifying is strict: whatever can be taken for a step becomes one, with
//! what it says, and `verify` then tells what is wrong with it.

use serde_json::{Map, Value};

use super::{ActionSpec, CommonEntry, MAX_TEXT, Plan, PlanStep, actions};
use crate::{Direction, fold};

/// Why no plan could be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The text is too long.
    #[error("the plan has {length} bytes; at most {MAX_TEXT} are read")]
    TooLong {
        /// Its length in bytes.
        length: usize,
    },
    /// JSON that breaks off or is none.
    #[error(
        "line {line}, column {column}: {message}; expected {{\"steps\": [{{\"id\", \"action\", …}}]}}"
    )]
    Json {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong, and what would be right.
        message: String,
    },
    /// Nothing that looks like a plan.
    #[error(
        "no plan was found; expected JSON {{\"steps\": […]}} or lines such as \
         Find_Node[name, type]"
    )]
    None,
}

/// The plan in a text.
///
/// # Errors
/// There is none, or its JSON is broken; with line and column.
pub fn read_plan(text: &str) -> Result<Plan, PlanError> {
    if text.len() > MAX_TEXT {
        return Err(PlanError::TooLong { length: text.len() });
    }
    let (value, broken) = json(text);
    let mut plan = match value.as_ref().and_then(of_value) {
        Some(plan) => plan,
        None => {
            let plan = of_text(text);
            match (plan.steps.is_empty(), broken) {
                (true, Some(error)) => return Err(error),
                (true, None) => return Err(PlanError::None),
                (false, _) => plan,
            }
        }
    };
    name(&mut plan);
    refer(&mut plan);
    Ok(plan)
}

/// The first JSON value in a text that could be a plan; else where the first one breaks.
fn json(text: &str) -> (Option<Value>, Option<PlanError>) {
    let mut broken = None;
    let starts = text.char_indices().filter(|(i, c)| {
        *c == '{'
            || (*c == '['
                && text[..*i].trim_end().chars().next_back().is_none_or(|b| !b.is_alphanumeric()))
    });
    // A text with more broken beginnings than that is no plan; the bound keeps reading linear.
    for (start, _) in starts.take(8) {
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) if of_value(&value).is_some() => return (Some(value), None),
            Some(Err(e)) if broken.is_none() && text[start..].starts_with(['{', '[']) => {
                let before = &text[..start];
                let line = before.matches('\n').count() + e.line();
                let shift = if e.line() == 1 {
                    before.lines().last().map_or(0, |l| l.chars().count())
                } else {
                    0
                };
                let shift = if before.ends_with('\n') { 0 } else { shift };
                let message = e.to_string();
                let message = message.split(" at line ").next().unwrap_or_default().to_owned();
                broken = Some(PlanError::Json { line, column: e.column() + shift, message });
            }
            _ => {}
        }
    }
    (None, broken)
}

fn of_value(value: &Value) -> Option<Plan> {
    match value {
        Value::Array(list) => {
            let steps: Vec<PlanStep> = list.iter().filter_map(step).collect();
            let is_plan = !steps.is_empty() && steps.len() == list.len();
            is_plan.then_some(Plan { steps, answer_from: None })
        }
        Value::Object(map) => {
            let inner = get(map, &["steps", "plan", "traversal_plan", "actions"]);
            match inner {
                Some(Value::Array(list)) => {
                    let steps = list.iter().map(|v| step(v).unwrap_or_else(|| unknown(v)));
                    let answer_from =
                        word(map, &["answer_from", "answer", "answer_step", "result"]);
                    Some(Plan { steps: steps.collect(), answer_from })
                }
                Some(inner @ Value::Object(_)) => of_value(inner),
                Some(Value::String(text)) => {
                    let plan = of_text(text);
                    (!plan.steps.is_empty()).then_some(plan)
                }
                _ => step(value).map(|step| Plan { steps: vec![step], answer_from: None }),
            }
        }
        _ => None,
    }
}

/// What stands among steps and is none: an action that nobody knows.
fn unknown(value: &Value) -> PlanStep {
    let action: String = value.to_string().chars().take(80).collect();
    PlanStep { action, ..PlanStep::default() }
}

fn get<'a>(map: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a Value> {
    keys.iter().find_map(|key| {
        map.iter().find(|(k, v)| k.eq_ignore_ascii_case(key) && !v.is_null()).map(|(_, v)| v)
    })
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(list) if list.len() == 1 => text_of(&list[0]),
        Value::Object(map) => word(map, &["id", "step", "from", "ref", "name"]),
        _ => None,
    }
}

fn word(map: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    get(map, keys).and_then(text_of).filter(|t| !t.trim().is_empty())
}

const FROM: &[&str] = &["from", "current_node", "node", "nodes_from", "source", "start", "input"];
const EDGE: &[&str] = &[
    "edge_type",
    "targeted_edge_type",
    "target_edge_type",
    "edge",
    "relation",
    "relationship",
    "target",
    "param",
    "targeted_type",
];
const NODE: &[&str] = &["node_type", "targeted_node_type", "target_node_type"];

fn step(value: &Value) -> Option<PlanStep> {
    if let Value::String(line) = value {
        return of_text(line).steps.into_iter().next();
    }
    let map = value.as_object()?;
    // Some models write {"find_node": {"hint": …}}.
    if map.len() <= 2
        && let Some((key, Value::Object(inner))) =
            map.iter().find(|(k, _)| actions::of_name(k).is_some())
    {
        let id = word(map, &["id", "step"]).unwrap_or_default();
        return Some(fields(key, id, inner));
    }
    let action = word(map, &["action", "tool", "function", "operation", "type", "name"])?;
    let inner = get(map, &["arguments", "args", "parameters", "params", "inputs"]);
    let id = word(map, &["id", "step_id", "step", "step_number"]).unwrap_or_default();
    // A whole call in the place of the action: "Find_Node[Nicotine, Compound]".
    if let Some(mut step) = of_text(&action).steps.into_iter().next() {
        step.id = id;
        return Some(step);
    }
    Some(match inner {
        Some(Value::Object(inner)) => {
            let mut all = map.clone();
            all.extend(inner.iter().map(|(k, v)| (k.clone(), v.clone())));
            fields(&action, id, &all)
        }
        Some(Value::Array(list)) if list.iter().all(|v| v.is_string() || v.is_number()) => {
            let list: Vec<String> = list.iter().filter_map(text_of).collect();
            positional(&action, id, &list)
        }
        _ => fields(&action, id, map),
    })
}

fn fields(action: &str, id: String, map: &Map<String, Value>) -> PlanStep {
    let is_find = actions::of_name(action).is_some_and(ActionSpec::finds_nodes);
    let hint_keys: &[&str] =
        &["hint", "node_finding_hint", "query", "keyword", "entity", "node", "name"];
    let of = get(map, &["of", "entries", "pairs", "nodes", "inputs", "tuples"]);
    let mut of: Vec<CommonEntry> = match of {
        Some(Value::Array(list)) => list.iter().map(entry).collect(),
        _ => Vec::new(),
    };
    if is_find {
        of.clear();
    }
    PlanStep {
        id,
        action: action.to_owned(),
        hint: is_find.then(|| word(map, hint_keys)).flatten(),
        node_type: word(map, NODE).or_else(|| {
            let may = is_find && get(map, &["action", "tool", "function"]).is_some();
            may.then(|| word(map, &["type"])).flatten()
        }),
        from: if is_find { None } else { word(map, FROM) },
        edge_type: if is_find { None } else { word(map, EDGE) },
        direction: word(map, &["direction", "way"]).and_then(|w| direction(&w)),
        of,
        attribute: word(map, &["attribute", "feature", "property"]),
        op: word(map, &["op", "operator", "comparison"]),
        value: word(map, &["value", "equals"]),
        to: word(map, &["to", "end"]),
    }
}

fn entry(value: &Value) -> CommonEntry {
    match value {
        Value::Object(map) => CommonEntry {
            from: word(map, FROM).or_else(|| word(map, &["id", "step"])).unwrap_or_default(),
            edge_type: word(map, EDGE),
            direction: word(map, &["direction", "way"]).and_then(|w| direction(&w)),
        },
        Value::Array(list) => {
            let list: Vec<String> = list.iter().filter_map(text_of).collect();
            entry_of(&list)
        }
        other => CommonEntry { from: text_of(other).unwrap_or_default(), ..CommonEntry::default() },
    }
}

fn entry_of(list: &[String]) -> CommonEntry {
    CommonEntry {
        from: list.first().cloned().unwrap_or_default(),
        edge_type: list.get(1).cloned(),
        direction: list.get(2).and_then(|w| direction(w)),
    }
}

fn direction(word: &str) -> Option<Direction> {
    match word.trim().to_lowercase().as_str() {
        "out" | "outgoing" | "forward" | "outbound" => Some(Direction::Out),
        "in" | "incoming" | "backward" | "inverse" | "reverse" | "inbound" => Some(Direction::In),
        "both" | "any" | "undirected" => Some(Direction::Both),
        _ => None,
    }
}

/// The textual form: every `Name[…]` whose name is that of an action or looks like one.
fn of_text(text: &str) -> Plan {
    let mut plan = Plan::default();
    for line in text.lines() {
        let mut rest = line;
        while let Some(open) = rest.find('[') {
            let head = &rest[..open];
            let start = head
                .rfind(|c: char| !c.is_alphanumeric() && c != '_')
                .map_or(0, |i| i + head[i..].chars().next().map_or(1, char::len_utf8));
            let action = &head[start..];
            let Some(len) = closing(&rest[open..]) else { break };
            let inside = &rest[open + 1..open + len];
            if action.contains('_') || actions::of_name(action).is_some() {
                let id = label(&head[..start]);
                plan.steps.push(call(action, id, inside));
            }
            rest = &rest[open + len + 1..];
        }
        let line = line.trim();
        let head = line.get(..7).unwrap_or_default();
        if head.eq_ignore_ascii_case("answer:") {
            plan.answer_from = Some(line[7..].trim().to_owned()).filter(|a| !a.is_empty());
        }
    }
    plan
}

/// What stands before a call: `s1:`, `s1 =`, `Step 2:`, `3.`
fn label(before: &str) -> String {
    let before = before.trim().trim_end_matches([':', '=', '.', ')', '-']).trim();
    let last = before.split_whitespace().next_back().unwrap_or_default();
    let is_word =
        !last.is_empty() && last.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    let has_digit = last.chars().any(|c| c.is_ascii_digit());
    if is_word && (has_digit || before == last) && last.len() <= 40 {
        last.into()
    } else {
        String::new()
    }
}

/// Where the bracket that a text begins with closes, in bytes from its beginning.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let (mut quoted, mut escaped) = (false, false);
    for (i, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    // A quote that never closes, as in 5" pipe: without quotes then.
    let mut depth = 0usize;
    for (i, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

/// Parts between commas that are in no bracket and no quotes; quotes are taken off.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0usize;
    let (mut quoted, mut escaped) = (false, false);
    for c in text.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '(' | '[' if !quoted => depth += 1,
            ')' | ']' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    parts.iter().map(|p| unquote(p.trim())).collect()
}

fn unquote(word: &str) -> String {
    if let Ok(Value::String(text)) = serde_json::from_str(word) {
        return text;
    }
    let inner = word.strip_prefix('\'').and_then(|w| w.strip_suffix('\''));
    inner.unwrap_or(word).to_owned()
}

fn call(action: &str, id: String, inside: &str) -> PlanStep {
    if inside.trim_start().starts_with('(') {
        let entries = parts(inside);
        let of = entries.iter().map(|part| {
            let inner = part.trim().trim_start_matches('(');
            entry_of(&parts(inner.strip_suffix(')').unwrap_or(inner)))
        });
        return PlanStep { id, action: action.to_owned(), of: of.collect(), ..PlanStep::default() };
    }
    positional(action, id, &parts(inside))
}

/// Arguments in their order, `key=value` among them anywhere.
fn positional(action: &str, id: String, list: &[String]) -> PlanStep {
    let mut step = PlanStep { id, action: action.to_owned(), ..PlanStep::default() };
    let mut plain: Vec<String> = Vec::new();
    for part in list {
        let (key, value) = part.split_once('=').unwrap_or(("", part));
        let value = unquote(value.trim());
        match key.trim() {
            "hint" | "node_finding_hint" => step.hint = Some(value),
            "node_type" | "targeted_node_type" => step.node_type = Some(value),
            "edge_type" | "targeted_edge_type" => step.edge_type = Some(value),
            "from" | "current_node" | "node" => step.from = Some(value),
            "to" => step.to = Some(value),
            "attribute" => step.attribute = Some(value),
            "op" => step.op = Some(value),
            "value" => step.value = Some(value),
            "direction" => step.direction = direction(&value),
            _ => plain.push(part.clone()),
        }
    }
    if actions::of_name(action).is_some_and(ActionSpec::finds_nodes) {
        // A name may hold commas, a type hardly does.
        if step.node_type.is_none() && (plain.len() > 1 || step.hint.is_some()) {
            step.node_type = plain.pop();
        }
        if step.hint.is_none() && !plain.is_empty() {
            step.hint = Some(plain.join(", "));
        }
        return step;
    }
    if step.direction.is_none() && plain.len() > 1 {
        step.direction = plain.last().and_then(|w| direction(w));
        if step.direction.is_some() {
            plain.pop();
        }
    }
    let mut plain = plain.into_iter();
    if step.from.is_none() {
        step.from = plain.next();
    }
    // Edge type or node type: the paper has one place for both, and `verify` tells them apart.
    if step.edge_type.is_none() {
        step.edge_type = plain.next();
    }
    step
}

/// Gives an id to every step that has none.
fn name(plan: &mut Plan) {
    for i in 0..plan.steps.len() {
        if plan.steps[i].id.is_empty() {
            plan.steps[i].id = format!("s{}", i + 1);
        }
    }
}

/// Resolves references: `step 2`, `$2` and `2` are the step whose id has that number, a hint is the
/// step that looks for it, `current_node` is the step before. What means nothing stays.
fn refer(plan: &mut Plan) {
    let known: Vec<(String, Option<String>)> =
        plan.steps.iter().map(|s| (s.id.clone(), s.hint.clone())).collect();
    let digits = |word: &str| -> String { word.chars().filter(char::is_ascii_digit).collect() };
    let resolve = |word: &str, i: usize| -> Option<String> {
        let word =
            word.trim().trim_start_matches(['$', '#', '<', '{']).trim_end_matches(['>', '}']);
        if known.iter().any(|(id, _)| id == word) {
            return Some(word.to_owned());
        }
        let plain = fold(word);
        if matches!(
            plain.as_str(),
            "current node"
                | "current nodes"
                | "previous"
                | "previous step"
                | "previous result"
                | "prev"
                | "last"
        ) {
            return i.checked_sub(1).map(|b| known[b].0.clone());
        }
        let number = digits(word);
        // At most "result of step 12" around a number; a name such as "Boeing 747" is none.
        let is_reference = ["s", "step", "node", "result", "result of step", "output of step", ""]
            .contains(&plain.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' '));
        let mut same = known.iter().filter(|(id, _)| !number.is_empty() && digits(id) == number);
        if let (true, Some((id, _)), None) = (is_reference, same.next(), same.next()) {
            return Some(id.clone());
        }
        let hinted = known.iter().find(|(_, h)| h.as_deref().is_some_and(|h| fold(h) == plain));
        hinted.map(|(id, _)| id.clone())
    };
    // The bound on steps is `verify`'s; beyond it nothing needs to be resolved.
    for i in 0..plan.steps.len().min(super::MAX_STEPS) {
        let step = &mut plan.steps[i];
        // A single argument of these is where they begin from only if it names a step.
        let has_other = step.edge_type.is_some() || step.node_type.is_some();
        let may_be_edge = !has_other
            && step.attribute.is_none()
            && actions::of_name(&step.action).is_some_and(ActionSpec::follows_edges);
        if let Some(from) = step.from.take() {
            match resolve(&from, i) {
                Some(id) => step.from = Some(id),
                None if may_be_edge => step.edge_type = Some(from),
                None => step.from = Some(from),
            }
        }
        if let Some(id) = step.to.as_deref().and_then(|w| resolve(w, i)) {
            step.to = Some(id);
        }
        for entry in &mut step.of {
            if let Some(id) = resolve(&entry.from, i) {
                entry.from = id;
            }
        }
    }
    let last = plan.steps.len();
    if let Some(id) = plan.answer_from.as_deref().and_then(|w| resolve(w, last)) {
        plan.answer_from = Some(id);
    }
}
