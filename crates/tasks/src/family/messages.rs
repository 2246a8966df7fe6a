//! Samples in the form in which the benchmark's authors publish theirs: each line a list of messages
//! (`id`, `candidate_tools`, `user`, `tool_call`), with the golden links in the words of the user.

use serde_json::{Map, Value};

use super::model::{FamilyCall, FamilyError, Link, Novelty, Sample, Search, ToolDef};

/// The most bytes of a line.
pub const MAX_LINE_BYTES: usize = 1_000_000;

/// The most lines that are read.
const MAX_LINES: usize = 100_000;
/// What stands before the links.
const EXTRA: [&str; 2] =
    ["The extra information for the query is (", "The extra information for this query is ("];

/// Reads such lines: the samples, and every tool of their candidates once.
///
/// Tags of another word, names with a stop behind them, links in quotes and properties as lists are
/// read too; a sample without a tag has no speaker. The golden searches follow from the links.
///
/// # Errors
/// A line is no list of such messages, or there is too much.
pub fn read_messages(text: &str) -> Result<(Vec<Sample>, Vec<ToolDef>), FamilyError> {
    let (mut samples, mut tools): (Vec<Sample>, Vec<ToolDef>) = (Vec::new(), Vec::new());
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let wrong = |message: String| FamilyError::Line { line: i + 1, message };
        if line.len() > MAX_LINE_BYTES {
            let n = line.len();
            return Err(wrong(format!("it has {n} bytes; at most {MAX_LINE_BYTES} are read")));
        }
        if samples.len() >= MAX_LINES {
            return Err(FamilyError::TooMany { what: "lines", limit: MAX_LINES });
        }
        let messages: Vec<Value> = serde_json::from_str(line)
            .map_err(|e| wrong(format!("a list of messages was expected: {e}")))?;
        let content = |role: &str| {
            let of = messages.iter().find(|m| m["role"] == role).map(|m| &m["content"]);
            of.ok_or_else(|| wrong(format!("there is no message of the role {role:?}")))
        };
        let candidates: Vec<ToolDef> =
            content("candidate_tools")?.as_array().into_iter().flatten().filter_map(tool).collect();
        let call = content("tool_call")?.as_array().and_then(|calls| calls.first());
        let said = content("user")?.as_str().unwrap_or_default();
        let (speaker, rest) = speaker(said);
        let (query, links) = query_and_links(rest);
        let searches = searches(speaker.as_deref(), &links);
        samples.push(Sample {
            id: content("id")?.as_str().unwrap_or_default().to_owned(),
            family: String::new(),
            speaker,
            query,
            depth: searches.iter().map(|s| s.path.len()).max().unwrap_or_default(),
            n_targets: searches.len(),
            searches,
            links,
            candidates: candidates.iter().map(|t| t.name.clone()).collect(),
            call: call.and_then(|c| serde_json::from_value::<FamilyCall>(c.clone()).ok()),
            cell: Novelty::default(),
            noise: None,
            level: 0,
            is_person_valued: false,
            is_multiple: false,
            lacks: None,
        });
        for tool in candidates {
            if tools.iter().all(|t| t.name != tool.name) {
                tools.push(tool);
            }
        }
    }
    Ok((samples, tools))
}

/// A tool; properties that come as a list become fields.
fn tool(value: &Value) -> Option<ToolDef> {
    let mut tool: ToolDef = serde_json::from_value(value.clone()).ok()?;
    if let Some(list) = tool.parameters.get("properties").and_then(Value::as_array) {
        let fields: Map<String, Value> = list
            .iter()
            .filter_map(|p| {
                let mut schema = p.as_object()?.clone();
                let name = schema.shift_remove("name")?.as_str()?.to_owned();
                Some((name, Value::Object(schema)))
            })
            .collect();
        tool.parameters["properties"] = fields.into();
    }
    Some(tool)
}

/// Who speaks, and the rest: `<speak>Speaker: Bob.</speak> …`.
fn speaker(said: &str) -> (Option<String>, &str) {
    let tagged = said.trim_start().strip_prefix("<speak>").and_then(|r| r.split_once("</speak>"));
    let Some((tag, rest)) = tagged else { return (None, said) };
    let name = tag.split_once(':').map_or(tag, |(_, name)| name);
    let name = name.trim().trim_end_matches('.').trim();
    (Some(name.to_owned()).filter(|n| !n.is_empty()), rest)
}

fn query_and_links(text: &str) -> (String, Vec<Link>) {
    let cut = EXTRA.iter().find_map(|e| text.find(e).map(|at| (at, at + e.len())));
    let Some((end, begin)) = cut else { return (text.trim().to_owned(), Vec::new()) };
    let mut links = Vec::new();
    for part in text[begin..].split('[').skip(1) {
        let inside = part.split(']').next().unwrap_or_default();
        let names: Vec<&str> =
            inside.split(',').map(|n| n.trim().trim_matches(['\'', '"']).trim()).collect();
        if let [head, relation, tail] = names[..] {
            let link = Link::new(head, relation, tail);
            if !links.contains(&link) {
                links.push(link);
            }
        }
    }
    (text[..end].trim().to_owned(), links)
}

/// The chains that links make: from whoever is nobody's tail, or speaks, to whatever is no head.
fn searches(speaker: Option<&str>, links: &[Link]) -> Vec<Search> {
    let is_start = |name: &str| speaker == Some(name) || links.iter().all(|l| l.tail != name);
    let mut starts: Vec<&str> = Vec::new();
    for link in links {
        if is_start(&link.head) && !starts.contains(&link.head.as_str()) {
            starts.push(&link.head);
        }
    }
    let mut found = Vec::new();
    for start in starts {
        walk(start, start, &mut Vec::new(), links, &mut found);
    }
    found
}

/// Follows links to their ends; a link is taken once on a way, so that circles end.
fn walk<'a>(
    start: &str,
    at: &str,
    way: &mut Vec<&'a Link>,
    links: &'a [Link],
    found: &mut Vec<Search>,
) {
    const MOST: usize = 16;
    let next: Vec<&Link> = links.iter().filter(|l| l.head == at && !way.contains(l)).collect();
    if next.is_empty() || way.len() >= MOST {
        let path: Vec<String> = way.iter().map(|l| l.relation.clone()).collect();
        let search = Search { start: start.to_owned(), path };
        if !search.path.is_empty() && !found.contains(&search) && found.len() < MOST {
            found.push(search);
        }
        return;
    }
    for link in next {
        way.push(link);
        if found.len() < MOST {
            walk(start, &link.tail, way, links, found);
        }
        way.pop();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(user: &str) -> String {
        json!([
            { "role": "id", "content": "one" },
            { "role": "candidate_tools", "content": [
                { "name": "call", "description": "Calls.", "parameters": {
                    "properties": [{ "name": "who", "description": "Whom.", "type": "string" }],
                    "required": ["who"] } },
                { "name": "wave", "parameters": { "properties": {} } } ] },
            { "role": "user", "content": user },
            { "role": "tool_call", "content": [
                { "name": "call", "parameters": { "who": "place_1" }, "depend_on": [] } ] },
        ])
        .to_string()
    }

    #[test]
    fn messages_are_read_with_their_noise() {
        let user = "<speak>Person: Mr. Ray.</speak>Call it from there.   The extra information for \
                    the query is (['Mr. Ray', 'wife', 'Joy'], [ Joy, likes, place_1], [Mr. Ray, \
                    home, place_2]).";
        let (samples, tools) = read_messages(&line(user)).unwrap();
        let sample = &samples[0];
        assert_eq!(sample.speaker.as_deref(), Some("Mr. Ray"));
        assert_eq!((sample.query.as_str(), sample.links.len()), ("Call it from there.", 3));
        let paths: Vec<String> = sample.searches.iter().map(|s| s.path.join("/")).collect();
        assert_eq!(paths, ["wife/likes", "home"]);
        assert_eq!((sample.depth, sample.n_targets), (2, 2));
        assert_eq!(sample.call.as_ref().unwrap().parameters["who"], "place_1");
        assert_eq!(tools[0].parameters["properties"]["who"]["type"], "string");
        assert_eq!(tools.len(), 2);
    }

    #[test]
    fn circles_end_and_what_is_no_list_is_said() {
        let user = "Go. The extra information for this query is ([A, r, B], [B, r, A]).";
        assert_eq!(read_messages(&line(user)).unwrap().0[0].speaker, None);
        let error = read_messages("\n{}").unwrap_err().to_string();
        assert!(error.starts_with("line 2: a list of messages was expected"), "{error}");
        let error = read_messages("[]").unwrap_err().to_string();
        assert!(error.contains("no message of the role \"candidate_tools\""), "{error}");
    }
}
