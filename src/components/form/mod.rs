//! The fields of every form: a label above, a control below, one look and one behaviour.

mod check;
mod field;
mod number;
mod select;
mod text;

pub(crate) use check::Check;
pub(crate) use field::Field;
pub(crate) use number::{Number, OptionalNumber};
pub(crate) use select::{Select, named};
pub(crate) use text::{Area, Text};
