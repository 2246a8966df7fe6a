//! Entities that an answer names and its run did not reach, on the drawing of what it reached.

use draw::{Mark, Marks, Places, Point, Scene};
use graph::{Graph, NodeName};
use systems::kgqa::EntityClaim;

/// The most of them that are drawn: the text marks all.
const MOST: usize = 6;
/// How far apart they stand, and how far under the drawing, in units of it.
const ROOM: Point = Point { x: 170.0, y: 90.0 };

/// Marks what an answer claims on a drawing: what was reached, and under the drawing what was not, each
/// once.
pub fn drawn(graph: &Graph, places: &Places, claims: &[EntityClaim]) -> Scene {
    let mut marks = Marks::default();
    let (graph, places) = with_ghosts(graph, places, claims, &mut marks);
    for claim in claims.iter().filter(|c| c.is_supported) {
        marks.nodes.push((claim.name.as_str().into(), Mark::True, None));
    }
    Scene::new(&graph, &places, &marks)
}

/// A graph with a node for each entity that was not reached, and their places in a row under the others.
fn with_ghosts(
    graph: &Graph,
    places: &Places,
    claims: &[EntityClaim],
    marks: &mut Marks,
) -> (Graph, Places) {
    let (mut graph, mut places) = (graph.clone(), places.clone());
    let mut missing: Vec<(NodeName, &str)> = Vec::new();
    for claim in claims.iter().filter(|c| !c.is_supported) {
        let name = NodeName::from(claim.name.as_str());
        let is_new = graph.index(&name).is_err() && missing.iter().all(|(n, _)| *n != name);
        if is_new && missing.len() < MOST {
            let words = if claim.is_known { "not reached" } else { "not in the graph" };
            missing.push((name, words));
        }
    }
    let at = |pick: fn(Point) -> f64| places.iter().map(move |(_, at)| pick(at));
    let (left, right) =
        (at(|p| p.x).fold(f64::MAX, f64::min), at(|p| p.x).fold(f64::MIN, f64::max));
    let lowest = at(|p| p.y).fold(f64::MIN, f64::max);
    let (middle, y) =
        if lowest > f64::MIN { ((left + right) / 2.0, lowest + ROOM.y) } else { (0.0, 0.0) };
    let first = middle - ROOM.x * (missing.len().saturating_sub(1)) as f64 / 2.0;
    for (i, (name, words)) in missing.into_iter().enumerate() {
        if graph.ensure_node(name.clone()).is_ok() {
            places.set(name.clone(), Point { x: first + ROOM.x * i as f64, y });
            marks.nodes.push((name, Mark::False, Some(words.to_owned())));
        }
    }
    (graph, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(name: &str, is_known: bool, is_supported: bool) -> EntityClaim {
        EntityClaim { name: name.to_owned(), start: 0, end: name.len(), is_known, is_supported }
    }

    #[test]
    fn what_was_not_reached_stands_under_the_drawing_once() {
        let mut graph = Graph::directed();
        graph.ensure_node("Gate").unwrap();
        let places = Places::from(vec![("Gate".into(), Point { x: 40.0, y: 30.0 })]);
        let claims = [
            claim("Gate", true, true),
            claim("Atlantis", false, false),
            claim("Atlantis", false, false),
            claim("Market", true, false),
        ];
        let scene = drawn(&graph, &places, &claims);
        let told: Vec<(String, Option<&str>, &[Mark])> = scene
            .nodes
            .iter()
            .map(|n| (n.name.to_string(), n.tag.as_deref(), n.marks.as_slice()))
            .collect();
        assert_eq!(
            told.iter().map(|(name, _, marks)| (name.as_str(), *marks)).collect::<Vec<_>>(),
            [
                ("Gate", [Mark::True].as_slice()),
                ("Atlantis", [Mark::False].as_slice()),
                ("Market", [Mark::False].as_slice()),
            ]
        );
        assert!(told[1].1.is_some_and(|tag| tag.contains("not in the graph")), "{told:?}");
        assert!(told[2].1.is_some_and(|tag| tag.contains("not reached")), "{told:?}");
        assert!(scene.nodes[1..].iter().all(|n| n.at.y > scene.nodes[0].at.y));
        assert_ne!(scene.nodes[1].at, scene.nodes[2].at);
    }

    #[test]
    fn an_answer_that_reached_nothing_is_drawn_too_and_a_long_one_is_cut() {
        let claims: Vec<EntityClaim> =
            (0..40).map(|i| claim(&format!("Place {i}"), false, false)).collect();
        let scene = drawn(&Graph::directed(), &Places::default(), &claims);
        assert_eq!(scene.nodes.len(), MOST);
    }
}
