//! What people come for, each from its beginning to its end. Selectors are in `screens`.

mod asking;
mod catching;
mod comparing;
mod python;
mod rescuing;
mod solving;
mod teaching;
