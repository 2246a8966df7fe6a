#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod arrange;
mod cut;
mod force;
mod layered;
mod layout;
mod places;
pub mod plot;
mod scene;
pub mod sketch;
mod spread;
mod svg;
pub mod whole;

pub use arrange::boxes::fits;
pub use layout::{LayoutKind, layout, suited};
pub use places::{Places, Point};
pub use scene::{
    ARROW, MOST_EDGES, MOST_NODES, Mark, Marks, NODE_RADIUS, Scene, SceneEdge, SceneNode,
    is_drawn_whole,
};
pub use spread::Spread;
pub use svg::{Colours, Theme, escape, svg};
