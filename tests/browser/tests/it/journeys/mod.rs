//! What people come for, each from its beginning to its end. Selectors are in `screens`.

mod family;
mod inline;
mod kg;
mod looks;
mod model_files;
mod names;
mod python;
mod thoughts;
mod whole;
