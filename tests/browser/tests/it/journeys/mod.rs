//! What people come for, each from its beginning to its end. Selectors are in `screens`.

mod asking;
mod catching;
mod comparing;
mod first_visit;
mod python;
mod rescuing;
mod sharing;
mod solving;
mod teaching;
mod touching;
mod watching;
