//! What people come for, each from its beginning to its end. Selectors are in `screens`.

mod python;
mod solving;
