//! What the first model's reply is held to, where its model holds replies to a shape: searches along
//! relations that the graph has, from people who are in it.

use llm::{Grammar, ReplyShape};
use tasks::family::Family;

/// The most searches of such a reply.
const MAX_SEARCHES: u32 = 6;
/// The most relations of a path.
const MAX_HOPS: u32 = 4;

/// The searches that a family's graph lets a model write, in the form that the prompt asks for.
/// O(people + relations).
pub fn searches_shape(family: &Family) -> ReplyShape {
    // In quotes, what has quotes itself would be read as another name.
    let is_plain = |name: &&str| !name.contains(['"', '\n', '<', '>', ',', ']']);
    let people = family.people();
    let start = Grammar::one_of(people.iter().copied().filter(is_plain));
    let relations = family.relations();
    let relations = relations.iter().copied().filter(is_plain);
    let hop = Grammar::one_of(relations.map(|r| format!("\"<relationship>{r}\"")));
    let search = Grammar::All(vec![
        Grammar::text("KG.search(start=\""),
        start,
        Grammar::text("\", path=["),
        Grammar::list(hop, ", ", MAX_HOPS),
        Grammar::text("])\n"),
    ]);
    ReplyShape::Grammar(Grammar::All(vec![
        Grammar::text("```python\n"),
        Grammar::times(search, 0, MAX_SEARCHES),
        Grammar::text("```"),
    ]))
}
