//! What the two models of the pipeline are told.

use std::collections::BTreeSet;

use llm::Message;
use tasks::family::{Family, Search};

use super::parse::write;

/// What is said before the list of relations.
///
/// Paper: FamilyTool §5.1.1: the relations of the graph stand in the prompt, so that new ones need no
/// training. The words are ours; the parts (task, stub of the function, relations, two examples, form
/// of the answer) are those of the paper's code.
const TASK: &str = "\
You prepare requests for an assistant of a family. A request may speak of relatives, friends, \
preferences or possessions that only the family's knowledge graph tells. Read the request, find out \
what it leaves open, and search the graph for it with this function:

```python
def KG.search(start: str, path: list[str]) -> list:
    \"\"\"Follows relations through the graph, one after the other.

    Arguments:
        start: the person where the search begins; mostly the one who speaks.
        path: the relations to follow, in their order, each behind the sign <relationship>.

    Returns every link on the way as [head, relation, tail].

    Notes:
        Only the relations listed below exist. Do not make up others, even if the request uses
        another word: take the relation that means the same.
        Search once for each thing that is needed.
    \"\"\"
```";

/// How the answer is to look.
const FORM: &str = "\
Write nothing but the searches, one on a line, in one block of Python code. If the request needs \
nothing of the graph, write an empty block.";

/// What the second model is told.
///
/// Departs from Paper: FamilyTool §5.2, whose prompt adds the date: no query of ours needs it, and
/// the core has no clock.
pub const CALLING: &str = "\
You are the assistant of a family. Do what the request asks by calling exactly one of the tools, \
once, with the parameters that the request or its extra information tells. The extra information is \
a list of links [head, relation, tail] from the family's knowledge graph; take names and ids from it \
letter by letter as values. If something that a tool needs is told nowhere, call nothing and say what \
you need to know.";

/// The prompt of the first model, for a family's relations as they are now.
pub fn extraction(family: &Family) -> String {
    let relations = family.relations();
    let listed: Vec<String> = relations.iter().map(|r| format!("- <relationship>{r}")).collect();
    let mut parts =
        vec![TASK.to_owned(), format!("The relations of the graph:\n{}", listed.join("\n"))];
    parts.extend(examples(&relations));
    parts.push(FORM.to_owned());
    parts.join("\n\n")
}

/// Two examples, one with a chain and one with two searches, of another family. Their relations are
/// such as are seen in every family of the benchmark; a graph that does not have them gets examples
/// of its own relations, so that no example teaches a relation that is not there.
fn examples(relations: &BTreeSet<&str>) -> Vec<String> {
    let has = |names: [&str; 3]| names.iter().all(|n| relations.contains(n));
    let ours = ["mother", "favourite_restaurant", "hometown"];
    let [first, second, third]: [&str; 3] = if has(ours) {
        ours
    } else {
        let mut some = relations.iter().copied();
        match (some.next(), some.next(), some.next()) {
            (Some(a), Some(b), Some(c)) => [a, b, c],
            _ => return Vec::new(),
        }
    };
    let word = |r: &str| r.replace('_', " ");
    let block = |searches: &[Search]| {
        let lines: Vec<String> = searches.iter().map(write).collect();
        format!("```python\n{}\n```", lines.join("\n"))
    };
    let search = |path: &[&str]| Search {
        start: "Robin".into(),
        path: path.iter().map(|r| (*r).to_owned()).collect(),
    };
    let chain = block(&[search(&[first, second])]);
    let two = block(&[search(&[first, third]), search(&[third])]);
    vec![
        format!(
            "Example 1\n<speak>Speaker: Robin</speak> Make a note about my {}'s {}.\n{chain}",
            word(first),
            word(second)
        ),
        format!(
            "Example 2\n<speak>Speaker: Robin</speak> Compare my {}'s {} with mine.\n{two}",
            word(first),
            word(third)
        ),
    ]
}

/// What stands around the links in the request to the second model.
///
/// Paper: FamilyTool §5.2.
pub const EXTRA: &str = "The extra information for this query is (";

/// The request as the second model reads it.
///
/// Paper is silent on what is said where nothing was extracted; here nothing is.
pub fn with_extra(spoken: &str, links: &str) -> String {
    if links.is_empty() {
        return spoken.to_owned();
    }
    let end = if spoken.trim_end().ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{}{end} {EXTRA}{links}).", spoken.trim_end())
}

/// The first messages to the first model.
pub fn extraction_messages(family: &Family, spoken: &str) -> Vec<Message> {
    vec![Message::system(extraction(family)), Message::user(spoken)]
}

/// The first messages to the second model.
pub fn calling_messages(spoken: &str, links: &str) -> Vec<Message> {
    vec![Message::system(CALLING), Message::user(with_extra(spoken, links))]
}
