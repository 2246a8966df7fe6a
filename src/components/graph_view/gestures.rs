//! What pointers hold, and where arrow keys lead.

use draw::Point;
use graph::NodeName;

use crate::state::view::ViewBox;

/// What a pointer holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Grip {
    Node {
        name: NodeName,
        start: Point,
        moved: bool,
    },
    Background {
        start: Point,
        moved: bool,
    },
    /// Two fingers, by the numbers of their pointers, with where they are on the screen; the view that
    /// was shown when they came, and where they were.
    Pinch {
        fingers: [(i32, Point); 2],
        view: ViewBox,
        begin: [Point; 2],
    },
}

/// The nearest node in the direction of an arrow key.
pub(super) fn neighbour_in(
    nodes: &[(NodeName, Point)],
    from: &NodeName,
    key: &str,
) -> Option<NodeName> {
    let (_, at) = nodes.iter().find(|(n, _)| n == from)?;
    nodes
        .iter()
        .filter(|(n, _)| n != from)
        .filter_map(|(n, p)| {
            let (dx, dy) = (p.x - at.x, p.y - at.y);
            let (along, across) = match key {
                "ArrowLeft" => (-dx, dy),
                "ArrowRight" => (dx, dy),
                "ArrowUp" => (-dy, dx),
                _ => (dy, dx),
            };
            (along > 1.0).then(|| (along + 2.0 * across.abs(), n))
        })
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, n)| n.clone())
}
