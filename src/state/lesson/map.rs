//! A model's graph of a disaster, drawn on the map, with what is wrong with it.

use draw::{LayoutKind, Mark, Marks, Places, Point, Scene, layout};
use graph::{Graph, NodeName};
use tasks::rescue::{RescueFinding, Scenario};

/// So much of the map's length is drawn: its coordinates go to 1000.
const SCALE: f64 = 0.55;

/// The graph on the map. What the data do not have, or have otherwise, is marked false.
pub fn scene(scenario: &Scenario, graph: &Graph, findings: &[RescueFinding]) -> Scene {
    let mut places = Places::default();
    for l in &scenario.locations {
        places.set(l.id.as_str().into(), Point { x: l.x * SCALE, y: l.y * SCALE });
    }
    let mut marks = Marks::default();
    for name in graph.names() {
        if !scenario.locations.iter().any(|l| *name == NodeName::from(l.id.as_str())) {
            marks.nodes.push((name.clone(), Mark::False, None));
        }
    }
    for finding in findings {
        if let [a, b] = finding.locations.as_slice() {
            let (a, b) = (NodeName::from(a.as_str()), NodeName::from(b.as_str()));
            marks.edges.push((a, b, Mark::False, None));
        }
    }
    // What has no place on the map is put beside its neighbours.
    let places = layout(graph, LayoutKind::Force, 1, &places);
    Scene::new(graph, &places, &marks)
}
