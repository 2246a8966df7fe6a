//! A family as a drawing: its people in rows of generations, and of all that they have only what was
//! touched or belongs to the person who is looked at.

use std::collections::{BTreeMap, BTreeSet};

use draw::{Mark, Marks, Places, Point, Scene};
use graph::{Graph, NodeName};
use tasks::family::{Family, Link};

/// The most values of one drawing; the rest stands in the lists.
pub const MAX_VALUES: usize = 24;

/// What is to be seen of a family.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Looked {
    /// The links that a search has found.
    pub found: Vec<Link>,
    /// The links that are needed, where that is known and is to be shown.
    pub gold: Vec<Link>,
    /// Whoever is looked at.
    pub person: Option<String>,
    /// How many nodes stand in a row.
    pub per_row: usize,
}

/// A drawing, and how much of what was touched is not on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawn {
    /// The drawing.
    pub scene: Scene,
    /// So many touched values have no place on it.
    pub n_hidden: usize,
}

const STEP_X: f64 = 92.0;
const STEP_Y: f64 = 84.0;
/// Values stand closer above one another than people, and farther side by side: they are long.
const VALUE_X: f64 = 184.0;
const VALUE_Y: f64 = 60.0;
/// From so many nodes in a row on, a drawing is wide.
const WIDE: usize = 6;

/// The relations that make a family's tree. Families of other benchmarks have some of them.
const TREE: [&str; 6] = ["mother", "father", "spouse", "husband", "wife", "parent"];

/// Draws a family.
///
/// # Complexity
/// O(people × links).
pub fn drawn(family: &Family, looked: &Looked) -> Drawn {
    let people = family.people();
    let rows = generations(family, &people);
    let touched: Vec<&Link> = looked.found.iter().chain(&looked.gold).collect();
    let own = family.links.iter().filter(|l| looked.person.as_deref() == Some(l.head.as_str()));
    let is_value = |name: &str| !people.contains(name);
    let mut values: Vec<&str> = Vec::new();
    for link in touched.iter().copied().chain(own.clone()) {
        if is_value(&link.tail) && !values.contains(&link.tail.as_str()) {
            values.push(&link.tail);
        }
    }
    let n_hidden = values.len().saturating_sub(MAX_VALUES);
    values.truncate(MAX_VALUES);

    let (mut places, right, height) = place_people(&rows, looked.per_row.max(2));
    place_values(&values, looked.per_row, (right, height), &mut places);

    let mut graph = Graph::directed();
    for name in rows.iter().flatten().chain(&values) {
        // Names are distinct, and within the length of a node's name.
        let _ = graph.ensure_node(*name);
    }
    let mut words: BTreeMap<(NodeName, NodeName), Vec<String>> = BTreeMap::new();
    let is_shown = |name: &str| places.get(&NodeName::from(name)).is_some();
    let tree = family.links.iter().filter(|l| {
        TREE.contains(&l.relation.as_str()) && (l.relation != "spouse" || l.head < l.tail)
    });
    let first = first_links(family, &people);
    for link in tree.chain(first).chain(touched.iter().copied()).chain(own) {
        if is_shown(&link.head) && is_shown(&link.tail) && link.head != link.tail {
            let _ = graph.link(link.head.as_str(), link.tail.as_str());
        }
    }
    let mut marks = Marks::default();
    let mut mark = |link: &Link, kind: Mark, note: &str| {
        if !is_shown(&link.head) || !is_shown(&link.tail) {
            return;
        }
        let ends = (NodeName::from(link.head.as_str()), NodeName::from(link.tail.as_str()));
        for end in [&ends.0, &ends.1] {
            marks.nodes.push((end.clone(), kind, None));
        }
        let said = words.entry(ends.clone()).or_default();
        said.push(format!("{}{note}", link.relation.replace('_', " ")));
        marks.edges.retain(|(a, b, ..)| (a, b) != (&ends.0, &ends.1));
        let tag = said.join(", ");
        marks.edges.push((ends.0, ends.1, kind, Some(tag)));
    };
    let is_known = !looked.gold.is_empty();
    let distinct = |links: &'_ [Link]| -> Vec<Link> {
        let mut seen = BTreeSet::new();
        links.iter().filter(|l| seen.insert((*l).clone())).cloned().collect()
    };
    let found = distinct(&looked.found);
    // Where many links were found, words on all of them would cover the drawing.
    for link in &found {
        let kind = if is_known && looked.gold.contains(link) { Mark::True } else { Mark::Read };
        mark(link, kind, "");
    }
    for link in distinct(&looked.gold).iter().filter(|l| !found.contains(l)) {
        mark(link, Mark::False, ": not found");
    }
    if found.len() > 8 {
        for (_, _, kind, tag) in &mut marks.edges {
            if *kind == Mark::Read {
                *tag = None;
            }
        }
    }
    if is_known {
        fade(&found, looked, &mut marks);
    }
    if let Some(person) = &looked.person {
        marks.nodes.push((NodeName::from(person.as_str()), Mark::Picked, None));
    }
    let mut scene = Scene::new(&graph, &places, &marks);
    for node in &mut scene.nodes {
        let name = node.name.to_string();
        if is_value(&name) {
            node.label = String::new();
            node.tag = Some(cut(&name));
        }
    }
    scene.arrange();
    Drawn { scene, n_hidden }
}

/// Fades what was found and is not needed: a search that found too much would hide the rest.
fn fade(found: &[Link], looked: &Looked, marks: &mut Marks) {
    let needed: BTreeSet<&str> =
        looked.gold.iter().flat_map(|l| [l.head.as_str(), l.tail.as_str()]).collect();
    for link in found.iter().filter(|l| !looked.gold.contains(l)) {
        let ends = [link.head.as_str(), link.tail.as_str()];
        let [head, tail] = ends.map(NodeName::from);
        marks.edges.push((head, tail, Mark::Faded, None));
        for end in ends.into_iter().filter(|end| !needed.contains(end)) {
            marks.nodes.push((NodeName::from(end), Mark::Faded, None));
        }
    }
}

/// Places the people in their rows; tells how far right they reach, and how far down.
fn place_people(rows: &[Vec<&str>], per_row: usize) -> (Places, f64, f64) {
    let mut places = Places::default();
    let (mut right, mut y) = (0.0_f64, 0.0);
    for part in rows.iter().flat_map(|row| row.chunks(per_row)) {
        let half = STEP_X * (part.len() as f64 - 1.0) / 2.0;
        right = right.max(half);
        for (k, name) in part.iter().enumerate() {
            // Every second one a little lower, so that lines do not run through their neighbours.
            let dip = if k % 2 == 1 { STEP_Y * 0.22 } else { 0.0 };
            places.set(NodeName::from(*name), Point { x: STEP_X * k as f64 - half, y: y + dip });
        }
        y += STEP_Y;
    }
    (places, right, y)
}

/// Places values in columns beside the people where the drawing is wide, and below them where it is
/// not.
fn place_values(values: &[&str], per_row: usize, (right, height): (f64, f64), places: &mut Places) {
    if per_row < WIDE {
        let n_columns = 2;
        for (i, name) in values.iter().enumerate() {
            let x = VALUE_X * ((i % n_columns) as f64 - 0.5);
            let y = height + VALUE_Y * (i / n_columns) as f64;
            places.set(NodeName::from(*name), Point { x, y });
        }
        return;
    }
    let n_rows = 8.min(values.len().max(1));
    let top = (height - STEP_Y - VALUE_Y * (n_rows as f64 - 1.0)) / 2.0;
    for (i, name) in values.iter().enumerate() {
        let x = right + 150.0 + VALUE_X * (i / n_rows) as f64;
        let y = top + VALUE_Y * (i % n_rows) as f64;
        places.set(NodeName::from(*name), Point { x, y });
    }
}

fn cut(name: &str) -> String {
    if name.chars().count() <= 26 {
        return name.to_owned();
    }
    format!("{}…", name.chars().take(25).collect::<String>())
}

/// For everybody who is in no tree, the first link that leads to them: they hang from somebody.
fn first_links<'a>(family: &'a Family, people: &BTreeSet<&str>) -> Vec<&'a Link> {
    let in_tree: BTreeSet<&str> = family
        .links
        .iter()
        .filter(|l| TREE.contains(&l.relation.as_str()))
        .flat_map(|l| [l.head.as_str(), l.tail.as_str()])
        .collect();
    let mut seen = BTreeSet::new();
    family
        .links
        .iter()
        .filter(|l| people.contains(l.tail.as_str()) && !in_tree.contains(l.tail.as_str()))
        .filter(|l| seen.insert(l.tail.as_str()))
        .collect()
}

/// The people in rows: parents above their children, partners side by side, and below them whoever
/// is no relative.
fn generations<'a>(family: &'a Family, people: &BTreeSet<&'a str>) -> Vec<Vec<&'a str>> {
    let of = |names: &'static [&'static str]| {
        let is = move |l: &&Link| {
            names.contains(&l.relation.as_str()) && people.contains(l.tail.as_str())
        };
        family.links.iter().filter(is).map(|l| (l.head.as_str(), l.tail.as_str()))
    };
    let parents: Vec<(&str, &str)> = of(&["mother", "father", "parent"]).collect();
    let partners: Vec<(&str, &str)> = of(&["spouse", "husband", "wife"]).collect();
    let mut level: BTreeMap<&str, usize> = BTreeMap::new();
    for (a, b) in parents.iter().chain(&partners) {
        level.insert(a, 0);
        level.insert(b, 0);
    }
    // A family whose parents go in a circle would never settle.
    for _ in 0..12 {
        let mut is_settled = true;
        for (child, parent) in &parents {
            let wanted = level.get(parent).copied().unwrap_or_default() + 1;
            if level.get(child).is_some_and(|l| *l < wanted) {
                level.insert(child, wanted);
                is_settled = false;
            }
        }
        for (a, b) in &partners {
            let lower = level.get(a).max(level.get(b)).copied().unwrap_or_default();
            for one in [a, b] {
                is_settled &= level.insert(one, lower) == Some(lower);
            }
        }
        if is_settled {
            break;
        }
    }
    let mut rows: Vec<Vec<&str>> = Vec::new();
    let deepest = level.values().max().copied().unwrap_or_default();
    for depth in 0..=deepest {
        let mut row: Vec<&str> = Vec::new();
        for name in level.iter().filter(|(_, l)| **l == depth).map(|(n, _)| *n) {
            if row.contains(&name) {
                continue;
            }
            row.push(name);
            let partner = partners.iter().find(|(a, _)| *a == name).map(|(_, b)| *b);
            row.extend(partner.filter(|p| level.get(p) == Some(&depth) && !row.contains(p)));
        }
        rows.push(row);
    }
    rows.push(people.iter().copied().filter(|p| !level.contains_key(p)).collect());
    rows.retain(|row| !row.is_empty());
    rows
}

#[cfg(test)]
mod tests {
    use tasks::family::{Recipe, generate};

    use super::*;

    fn family() -> Family {
        generate(Recipe::small(3)).unwrap().families.remove(1)
    }

    fn looked(found: Vec<Link>, gold: Vec<Link>) -> Looked {
        Looked { found, gold, person: None, per_row: 6 }
    }

    #[test]
    fn all_people_are_there_and_values_only_where_they_were_touched() {
        let family = family();
        let bare = drawn(&family, &looked(Vec::new(), Vec::new()));
        assert_eq!(bare.scene.nodes.len(), family.people().len());
        let value = family.links.iter().find(|l| l.relation == "home_address").unwrap().clone();
        let touched = drawn(&family, &looked(vec![value.clone()], vec![value.clone()]));
        assert_eq!(touched.scene.nodes.len(), family.people().len() + 1);
        let edge = touched.scene.edges.iter().find(|e| e.target.to_string() == value.tail).unwrap();
        assert_eq!(
            (edge.marks.clone(), edge.tag.as_deref()),
            (vec![Mark::True], Some("home address"))
        );
        assert!(touched.scene.nodes.iter().all(|n| !n.marks.contains(&Mark::Faded)));
        // With another thing needed, it is found in vain, and stands back.
        let other = family.links.iter().find(|l| l.relation == "home_address" && **l != value);
        let vain = drawn(&family, &looked(vec![value.clone()], vec![other.unwrap().clone()]));
        let edge = vain.scene.edges.iter().find(|e| e.target.to_string() == value.tail).unwrap();
        assert_eq!(edge.marks, [Mark::Read, Mark::Faded]);
        let faded = vain.scene.nodes.iter().filter(|n| n.marks.contains(&Mark::Faded));
        assert!(faded.map(|n| n.name.to_string()).eq([value.head.clone(), value.tail.clone()]));
        let missed = drawn(&family, &looked(Vec::new(), vec![value]));
        let is_said = |e: &draw::SceneEdge| e.tag.as_deref() == Some("home address: not found");
        assert!(missed.scene.edges.iter().any(is_said));
    }

    #[test]
    fn nobody_stands_where_another_stands_and_parents_stand_above() {
        let family = family();
        for per_row in [3, 6] {
            let person = Some(family.people[0].clone());
            let scene = drawn(&family, &Looked { person, per_row, ..Looked::default() }).scene;
            for (i, a) in scene.nodes.iter().enumerate() {
                for b in &scene.nodes[..i] {
                    assert!(a.at.distance(b.at) > 40.0, "{} {}", a.name, b.name);
                }
            }
            let (left, _, width, _) = scene.view;
            for node in &scene.nodes {
                let half = 3.0 * node.tag.as_ref().map_or(0, String::len) as f64;
                assert!(node.at.x - half >= left && node.at.x + half <= left + width);
            }
            let y =
                |name: &str| scene.nodes.iter().find(|n| n.name.to_string() == name).unwrap().at.y;
            for link in family.links.iter().filter(|l| l.relation == "mother") {
                assert!(y(&link.tail) < y(&link.head));
            }
        }
    }

    #[test]
    fn a_crowd_of_values_is_bounded_and_a_circle_of_parents_ends() {
        let mut family = family();
        let person = family.people[0].clone();
        for i in 0..60 {
            family.add(Link::new(&*person, "has", format!("thing {i}"))).unwrap();
        }
        let of = |f: &Family| {
            drawn(f, &Looked { person: Some(person.clone()), per_row: 6, ..Looked::default() })
        };
        assert!(of(&family).n_hidden >= 36);
        family.add(Link::new("A", "mother", "B")).unwrap();
        family.add(Link::new("B", "mother", "A")).unwrap();
        assert!(of(&family).scene.nodes.len() > 10);
    }
}
