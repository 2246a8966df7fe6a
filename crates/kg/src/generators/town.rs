//! A made-up town: families with friends, shops and feasts, and long texts about some of them that
//! tell what no edge tells.

use std::collections::BTreeSet;

use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

use crate::{Kg, KgBuilder, KgError, NodeIx};

/// The title of these graphs.
pub const TOWN: &str = "Town";

/// The attribute that holds the long text of a node.
pub const STORY: &str = "story";

/// A kind of fact that stands in texts alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToldKind {
    /// A stable id.
    pub id: &'static str,
    /// The type of the nodes that it is told of.
    pub node_type: &'static str,
    /// What stands before the fact in its sentence.
    before: &'static str,
    /// What stands behind it.
    after: &'static str,
    /// What it is made of: one of each list, parted by a space.
    parts: &'static [&'static [&'static str]],
}

const TOLD: &[ToldKind] = &[
    ToldKind {
        id: "pet",
        node_type: "Person",
        before: "In a hard winter long ago this neighbour ",
        after: ", and half of the street came to look.",
        parts: &[
            &["kept", "raised", "tamed"],
            &["a lame", "a white", "a talking", "a one-eyed", "a half-blind"],
            &["jackdaw", "badger", "otter", "hedgehog", "magpie", "marten"],
            &["called Pepper", "called Button", "called Sergeant", "called Mistress Grey"],
        ],
    },
    ToldKind {
        id: "find",
        node_type: "Person",
        before: "Nobody who asks is spared the tale of how this neighbour ",
        after: ", which is told with a new ending each time.",
        parts: &[
            &["dug up", "pulled out", "stumbled over"],
            &["a bronze", "a sealed", "a cracked", "a gilded", "a rusty"],
            &["helmet", "sundial", "letter box", "weathercock", "cannonball", "music box"],
            &["under the bandstand", "behind the old kiln", "in the dry canal", "below the belfry"],
        ],
    },
    ToldKind {
        id: "cellar",
        node_type: "Shop",
        before: "Few customers know that the cellar ",
        after: ", and the keeper would rather not have it known.",
        parts: &[
            &["hides", "shelters", "still holds"],
            &["a walled-up", "a flooded", "a forgotten", "a painted"],
            &["chapel", "printing press", "wine press", "bowling lane", "bathhouse"],
            &["from the flood year", "of the first mayor", "of a guild of dyers"],
        ],
    },
    ToldKind {
        id: "mishap",
        node_type: "Event",
        before: "It is remembered above all because ",
        after: ", so that nobody recalls who won.",
        parts: &[
            &["a runaway", "a borrowed", "an ill-tempered", "a garlanded"],
            &["goat", "swan", "donkey", "tuba", "hot-air balloon", "barrel organ"],
            &["landed in", "ran through", "came down upon"],
            &["the cake", "the mayor's tent", "the fish stall", "the choir"],
        ],
    },
];

/// Sentences that say nothing that a question asks for; `{}` is the name.
const FILLER: &[&str] = &[
    "{} is greeted by everybody and answers with two fingers at the hat.",
    "On market days there is more talk than trade, and nobody minds.",
    "The roof was repaired twice in one spring, the second time for good.",
    "Whoever comes late finds a chair, a cup of something warm and a story half told.",
    "Visitors are told to mind the third step, which has been loose for thirty years.",
    "There is a picture by the door that is older than the house and hangs askew.",
    "The neighbours disagree about most things, and agree about {}.",
    "In the evenings a lamp burns in the upper window until the last tram has gone.",
    "A bench stands in front of it, and somebody sits on it whatever the weather.",
    "What was promised in the spring is done by the autumn, more often than not.",
    "The bell is rung once for good news and not at all for bad.",
    "It has been said of {} that a straight answer takes until Thursday.",
];

const ONSETS: &[&str] =
    &["B", "Br", "D", "F", "G", "H", "J", "K", "L", "M", "N", "P", "R", "S", "T", "V", "W", "Z"];
const MIDDLES: &[&str] = &["a", "e", "i", "o", "u", "ae", "ei", "ia", "o"];
const FIRST_ENDS: &[&str] =
    &["la", "rin", "na", "dor", "mi", "sa", "vin", "tha", "lo", "nek", "ris"];
const LAST_ENDS: &[&str] =
    &["ldring", "mbrook", "nnigsby", "rrowell", "stermark", "thwick", "ndelson", "llerby", "rkham"];
const STREETS: &[&str] =
    &["Tanner", "Saffron", "Weir", "Lantern", "Cooper", "Mulberry", "Bellows", "Quarry", "Heron"];
const STREET_KINDS: &[&str] = &["Lane", "Row", "Street", "Steps"];
const SHOPS: &[(&str, &str)] = &[
    ("Bakery", "bread"),
    ("Clockmaker", "clocks"),
    ("Bookbinder", "books"),
    ("Apothecary", "remedies"),
    ("Tea House", "tea"),
    ("Cobbler", "shoes"),
    ("Lamp Shop", "lamps"),
    ("Instrument Maker", "instruments"),
    ("Seed Merchant", "seeds"),
    ("Sailmaker", "sails"),
];
const SIGNS: &[&str] = &[
    "Blue Kettle",
    "Silver Thimble",
    "Crooked Spoon",
    "Green Heron",
    "Three Keys",
    "Copper Moon",
    "Merry Badger",
    "Quiet Anvil",
    "Paper Lantern",
    "Red Umbrella",
];
const EVENTS: &[&str] = &[
    "Lantern Night",
    "Cherry Fair",
    "Rowing Day",
    "Kite Contest",
    "Harvest Supper",
    "Bell Parade",
    "Winter Market",
    "Chess Week",
    "Dyers' Feast",
    "Song Evening",
    "Pie Trial",
    "Ferry Race",
];

fn one<'a>(rng: &mut ChaCha8Rng, list: &[&'a str]) -> &'a str {
    list.choose(rng).copied().unwrap_or_default()
}

/// A name that is not yet taken.
fn fresh(
    rng: &mut ChaCha8Rng,
    taken: &mut BTreeSet<String>,
    mut make: impl FnMut(&mut ChaCha8Rng) -> String,
) -> String {
    loop {
        let name = make(rng);
        if taken.insert(name.clone()) {
            return name;
        }
    }
}

fn first_name(rng: &mut ChaCha8Rng) -> String {
    format!("{}{}{}", one(rng, ONSETS), one(rng, MIDDLES), one(rng, FIRST_ENDS))
}

fn family_name(rng: &mut ChaCha8Rng) -> String {
    format!("{}{}{}", one(rng, ONSETS), one(rng, MIDDLES), one(rng, LAST_ENDS))
}

/// A long text about a node: sentences that say little, and one fact of its type's kinds, each fact
/// once in a town. O(sentences).
fn story(rng: &mut ChaCha8Rng, node_type: &str, name: &str, told: &mut BTreeSet<String>) -> String {
    let mut filler: Vec<&str> = FILLER.to_vec();
    filler.shuffle(rng);
    let n = rng.random_range(5..=8);
    let mut sentences: Vec<String> =
        filler.into_iter().take(n).map(|text| text.replace("{}", name)).collect();
    let kinds: Vec<&ToldKind> = TOLD.iter().filter(|k| k.node_type == node_type).collect();
    if let Some(kind) = kinds.choose(rng) {
        let fact = fresh(rng, told, |rng| {
            let parts: Vec<&str> = kind.parts.iter().map(|list| one(rng, list)).collect();
            parts.join(" ")
        });
        let place = rng.random_range(1..sentences.len());
        sentences.insert(place, format!("{}{fact}{}", kind.before, kind.after));
    }
    sentences.join(" ")
}

/// The facts that the text of a node tells and no edge does: their kinds, and their words as they stand
/// there. O(length of the text).
pub fn told_facts(kg: &Kg, node: NodeIx) -> Vec<(&'static ToldKind, &str)> {
    let story = kg.attributes(node).and_then(|all| all.get(STORY)).and_then(Value::as_str);
    let text = story.unwrap_or_default();
    let of = |kind: &'static ToldKind| {
        let (_, rest) = text.split_once(kind.before)?;
        let (fact, _) = rest.split_once(kind.after)?;
        Some((kind, fact))
    };
    TOLD.iter().filter_map(of).collect()
}

struct Person {
    id: String,
    born: i32,
    family: usize,
}

/// A town with some sixty people of eight families, in three generations.
///
/// Nodes: `Person` (born), `Shop` (sells, since), `Street`, `Event` (year). About every second person,
/// shop and event has a `story`, a text of some hundred words; each holds one fact that is in no edge
/// ([`told_facts`]). Edges: `parent_of`, `married_to`, `friend_of` Person → Person, `lives_in` Person →
/// Street, `works_at` and `owns` Person → Shop, `stands_in` Shop → Street, `went_to` Person → Event,
/// `held_in` Event → Street. `works_at` and `owns` join the same types and differ in meaning. No two
/// nodes have one name; the names are put together from syllables and words of our own.
///
/// O(people · events).
///
/// # Errors
/// None that its own names could cause.
pub fn town(seed: u64) -> Result<Kg, KgError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let rng = &mut rng;
    let mut kg = KgBuilder::new(TOWN);
    let (mut taken, mut told) = (BTreeSet::new(), BTreeSet::new());
    let attributes = |pairs: Vec<(&str, Value)>| -> Map<String, Value> {
        pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()
    };

    let mut streets: Vec<String> = Vec::new();
    for i in 0..7 {
        let name = fresh(rng, &mut taken, |rng| {
            format!("{} {}", one(rng, STREETS), one(rng, STREET_KINDS))
        });
        kg.node(&format!("street:{i}"), "Street", &name, Map::new())?;
        streets.push(format!("street:{i}"));
    }
    let mut shops: Vec<String> = Vec::new();
    for (i, (kind, sells)) in SHOPS.iter().enumerate() {
        let name = fresh(rng, &mut taken, |rng| format!("{} {kind}", one(rng, SIGNS)));
        let since = rng.random_range(1790..1990);
        let mut known = vec![("sells", json!(sells)), ("since", json!(since))];
        if rng.random_bool(0.5) {
            known.push((STORY, json!(story(rng, "Shop", &name, &mut told))));
        }
        let id = format!("shop:{i}");
        kg.node(&id, "Shop", &name, attributes(known))?;
        let street = streets.choose(rng).cloned().unwrap_or_default();
        kg.edge(&id, "stands_in", &street)?;
        shops.push(id);
    }
    let mut events: Vec<String> = Vec::new();
    for (i, kind) in EVENTS.iter().enumerate() {
        let year = rng.random_range(1950..2020);
        let name = format!("{kind} of {year}");
        let mut known = vec![("year", json!(year))];
        if rng.random_bool(0.5) {
            known.push((STORY, json!(story(rng, "Event", &name, &mut told))));
        }
        let id = format!("event:{i}");
        kg.node(&id, "Event", &name, attributes(known))?;
        let street = streets.choose(rng).cloned().unwrap_or_default();
        kg.edge(&id, "held_in", &street)?;
        events.push(id);
    }

    // Eight families: a couple, their children, and what children some of these have.
    let mut people: Vec<Person> = Vec::new();
    let mut person = |kg: &mut KgBuilder,
                      rng: &mut ChaCha8Rng,
                      last: &str,
                      family: usize,
                      born: i32|
     -> Result<usize, KgError> {
        let name = fresh(rng, &mut taken, |rng| format!("{} {last}", first_name(rng)));
        let mut known = vec![("born", json!(born))];
        if rng.random_bool(0.5) {
            known.push((STORY, json!(story(rng, "Person", &name, &mut told))));
        }
        let id = format!("person:{}", people.len());
        kg.node(&id, "Person", &name, attributes(known))?;
        people.push(Person { id, born, family });
        Ok(people.len() - 1)
    };
    let mut families: BTreeSet<String> = BTreeSet::new();
    let mut parents: Vec<(usize, usize)> = Vec::new();
    let mut couples: Vec<(usize, usize)> = Vec::new();
    for family in 0..8 {
        let last = fresh(rng, &mut families, family_name);
        let born = rng.random_range(1920..1935);
        let (a, b) = (
            person(&mut kg, rng, &last, family, born)?,
            person(&mut kg, rng, &last, family, born + 2)?,
        );
        couples.push((a, b));
        for k in 0..rng.random_range(2..=3) {
            let child = person(&mut kg, rng, &last, family, born + 26 + 3 * k)?;
            parents.extend([(a, child), (b, child)]);
            for m in 0..rng.random_range(0..=2) {
                let grandchild = person(&mut kg, rng, &last, family, born + 54 + 3 * k + 2 * m)?;
                parents.push((child, grandchild));
            }
        }
    }
    for (a, b) in couples {
        kg.edge(&people[a].id, "married_to", &people[b].id)?;
    }
    for (parent, child) in parents {
        kg.edge(&people[parent].id, "parent_of", &people[child].id)?;
    }
    for person in &people {
        let street = streets.choose(rng).cloned().unwrap_or_default();
        kg.edge(&person.id, "lives_in", &street)?;
        if person.born < 1975 {
            let shop = shops.choose(rng).cloned().unwrap_or_default();
            kg.edge(&person.id, "works_at", &shop)?;
        }
        let mut visited = events.clone();
        visited.shuffle(rng);
        for event in visited.iter().take(rng.random_range(1..=3)) {
            kg.edge(&person.id, "went_to", event)?;
        }
    }
    // Friends are of another family, and neither much older; each pair once.
    let mut friends: BTreeSet<(usize, usize)> = BTreeSet::new();
    for i in 0..people.len() {
        let mut may: Vec<usize> = (0..people.len())
            .filter(|k| {
                let (a, b) = (&people[i], &people[*k]);
                a.family != b.family && a.born.abs_diff(b.born) <= 25
            })
            .collect();
        may.shuffle(rng);
        friends.extend(may.iter().take(2).map(|k| (i.min(*k), i.max(*k))));
    }
    for (a, b) in friends {
        kg.edge(&people[a].id, "friend_of", &people[b].id)?;
    }
    for shop in &shops {
        let grown: Vec<&Person> = people.iter().filter(|p| p.born < 1965).collect();
        if let Some(owner) = grown.choose(rng) {
            kg.edge(&owner.id, "owns", shop)?;
        }
    }
    kg.build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Direction;

    #[test]
    fn a_town_is_whole_whatever_the_seed() {
        for seed in 0..20 {
            let kg = town(seed).unwrap_or_else(|e| panic!("{e}"));
            assert!((60..=130).contains(&kg.n_nodes()), "{}", kg.n_nodes());
            let names: BTreeSet<&str> = kg.nodes().map(|n| kg.name(n)).collect();
            assert_eq!(names.len(), kg.n_nodes(), "no two nodes have one name");
            let schema = kg.schema();
            let edge = |name| schema.find_edge_type(name).unwrap_or(crate::EdgeTypeIx(0));
            let of = |name: &str| {
                kg.nodes_of_type(schema.find_node_type(name).unwrap_or(crate::NodeTypeIx(0)))
            };
            for person in of("Person") {
                assert_eq!(kg.neighbors(*person, edge("lives_in"), Direction::Out).len(), 1);
                assert!(!kg.neighbors(*person, edge("friend_of"), Direction::Both).is_empty());
                assert!(
                    !kg.neighbors(*person, edge("friend_of"), Direction::Both).contains(person)
                );
                assert!(kg.neighbors(*person, edge("parent_of"), Direction::In).len() <= 2);
            }
            for shop in of("Shop") {
                assert_eq!(kg.neighbors(*shop, edge("owns"), Direction::In).len(), 1);
                assert_eq!(kg.neighbors(*shop, edge("stands_in"), Direction::Out).len(), 1);
            }
            assert_eq!(schema.edge_types().len(), 9);
        }
    }

    #[test]
    fn each_fact_of_a_text_is_told_once_and_is_no_edge() {
        for seed in 0..20 {
            let kg = town(seed).unwrap_or_else(|e| panic!("{e}"));
            let mut facts = BTreeSet::new();
            let mut n_stories = 0;
            for node in kg.nodes() {
                let story = kg.attributes(node).and_then(|a| a.get(STORY)).and_then(Value::as_str);
                let told = told_facts(&kg, node);
                assert_eq!(story.is_some(), told.len() == 1, "a text tells one fact");
                n_stories += usize::from(story.is_some());
                if let Some(story) = story {
                    assert!((300..1_200).contains(&story.len()), "{}", story.len());
                }
                for (kind, fact) in told {
                    let of = &kg.schema().node_type(kg.node_type(node)).name;
                    assert_eq!(kind.node_type, of);
                    assert!(facts.insert(fact.to_owned()), "{fact} is told twice");
                    assert!(kg.named(fact).is_empty());
                }
            }
            assert!(n_stories > 20, "{n_stories}");
        }
    }

    #[test]
    fn the_same_seed_makes_the_same_town() {
        let text = |seed| {
            let kg = town(seed).unwrap_or_else(|e| panic!("{e}"));
            crate::formats::find("jsonl").map(|f| (f.write)(&kg))
        };
        assert_eq!(text(3), text(3));
        assert_ne!(text(3), text(4));
    }
}
