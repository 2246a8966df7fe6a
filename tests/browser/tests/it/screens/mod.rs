//! The pages as people use them: what is pressed, typed and read there. Screens know selectors; journeys
//! do not.

mod any_page;
mod bench;
mod family;
mod inline;
mod kg;
mod large;
mod model_files;
mod names;
mod python;
mod solve;
mod thoughts;
mod traces;
mod whole;

pub(crate) use any_page::AnyPage;
pub(crate) use bench::Bench;
pub(crate) use family::Family;
pub(crate) use inline::Inline;
pub(crate) use kg::Kg;
pub(crate) use large::Large;
pub(crate) use model_files::ModelFiles;
pub(crate) use names::Names;
pub(crate) use python::{Sandbox, left_out};
pub(crate) use solve::Solve;
pub(crate) use thoughts::Thoughts;
pub(crate) use traces::Traces;
pub(crate) use whole::{SOFTWARE, Whole};

/// A screen is the browser that shows it: what is the same on every page is done there.
macro_rules! screen {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        pub(crate) struct $name<'a>(pub(crate) &'a $crate::browser::Browser);

        impl std::ops::Deref for $name<'_> {
            type Target = $crate::browser::Browser;

            fn deref(&self) -> &Self::Target {
                self.0
            }
        }
    };
}
use screen;
