//! The pages as people use them: what is pressed, typed and read there. Screens know selectors; journeys
//! do not.

mod answers;
mod any_page;
mod ask;
mod bench;
mod compare;
mod dataset;
mod endpoints;
mod family;
mod frame;
mod head;
mod home;
mod inline;
mod kg;
mod large;
mod lessons;
mod model_files;
mod names;
mod outage;
mod own_model;
mod player;
mod python;
mod rescue;
mod saved_page;
mod secrets;
mod solve;
mod thoughts;
mod tools;
mod traces;
mod whole;

pub(crate) use answers::{Daily, Gallery, Lie};
pub(crate) use any_page::AnyPage;
pub(crate) use ask::Ask;
pub(crate) use bench::Bench;
pub(crate) use compare::Compare;
pub(crate) use dataset::Dataset;
pub(crate) use endpoints::Endpoints;
pub(crate) use family::Family;
pub(crate) use frame::Framing;
pub(crate) use head::Head;
pub(crate) use home::Home;
pub(crate) use inline::Inline;
pub(crate) use kg::Kg;
pub(crate) use large::Large;
pub(crate) use lessons::Lessons;
pub(crate) use model_files::ModelFiles;
pub(crate) use names::Names;
pub(crate) use outage::{NOTE_FAULTS, Outage};
pub(crate) use own_model::{LookInside, ModelTest, OwnModel};
pub(crate) use player::Player;
pub(crate) use python::{Sandbox, left_out};
pub(crate) use rescue::Rescue;
pub(crate) use saved_page::{SavedPage, from_disk};
pub(crate) use secrets::Secrets;
pub(crate) use solve::Solve;
pub(crate) use thoughts::Thoughts;
pub(crate) use tools::Tools;
pub(crate) use traces::Traces;
pub(crate) use whole::{SOFTWARE, Whole};

/// A screen is the browser that shows it: what is the same on every page is done there. It has parts: see
/// [`parts`].
macro_rules! screen {
    ($(#[$doc:meta])* $name:ident $($verb:ident { $($parts:tt)* })*) => {
        $(#[$doc])*
        pub(crate) struct $name<'a>(pub(crate) &'a $crate::browser::Browser);

        impl std::ops::Deref for $name<'_> {
            type Target = $crate::browser::Browser;

            fn deref(&self) -> &Self::Target {
                self.0
            }
        }

        $($crate::screens::parts! { $name $verb { $($parts)* } })*
    };
}
use screen;

/// What is done or seen in one place of a screen: for each method its name and a selector, in which `@id`
/// is a test id.
///
/// - `clicks` a button by its test id, `presses` by its selector, and waits for what is behind `=>`.
/// - `types` words, `sets` them at once, `chooses` an option, `gives` a file: to a test id, too.
/// - `says` waits for words; `gets` clicks, `unfolds` presses, and both wait for words behind `=>`. `is`
///   waits until the text is this, `differs` until it is another one.
/// - `shows` waits until all between `&` are there, `numbers` for `n` of it, `loses` until it is gone.
/// - `reads` its text, `sees` the part in sight, `values` is what a field has, `counts` how many there are,
///   `has` whether there is one. `fits` every window with it in sight.
/// - `shows_its` and `presses_its` have what the method is given in the place of `{}`.
/// - `does` runs a script, `awaits` waits until it gives true; `holds` says whether it does, and `tells`
///   gives what it gives.
macro_rules! parts {
    ($screen:ident $verb:ident { $($name:ident $at:literal $(=> $to:literal)?),+ $(,)? }) => {
        impl $screen<'_> { $($crate::screens::part!($verb $name $at $($to)?);)+ }
    };
}
use parts;

/// One of [`parts`]. The first rule has what all have in common.
#[rustfmt::skip]
macro_rules! part {
    (@$name:ident($self:ident $(, $given:ident: $kind:ty)?) -> $gives:ty $body:block) => {
        pub(crate) async fn $name(&$self $(, $given: $kind)?) -> anyhow::Result<$gives> $body
    };
    (clicks $name:ident $id:literal) => { $crate::screens::part!(@$name(self) -> () { self.click($id).await }); };
    (clicks $name:ident $id:literal $to:literal) => {
        $crate::screens::part!(@$name(self) -> () { self.click($id).await?; self.shows_all($to).await });
    };
    (presses $name:ident $css:literal) => { $crate::screens::part!(@$name(self) -> () { self.press($css).await }); };
    (presses $name:ident $css:literal $to:literal) => {
        $crate::screens::part!(@$name(self) -> () { self.press($css).await?; self.shows_all($to).await });
    };
    (types $name:ident $id:literal) => {
        $crate::screens::part!(@$name(self, words: &str) -> () { self.type_into($id, words).await });
    };
    (sets $name:ident $id:literal) => {
        $crate::screens::part!(@$name(self, words: &str) -> () { self.set($id, words).await });
    };
    (values $name:ident $id:literal) => { $crate::screens::part!(@$name(self) -> String { self.value($id).await }); };
    (sees $name:ident $css:literal) => { $crate::screens::part!(@$name(self) -> String { self.text($css).await }); };
    (has $name:ident $css:literal) => {
        $crate::screens::part!(@$name(self) -> bool { Ok(self.count($css).await? > 0) });
    };
    (chooses $name:ident $id:literal) => {
        $crate::screens::part!(@$name(self, option: &str) -> () { self.choose($id, option).await });
    };
    (gives $name:ident $id:literal) => {
        $crate::screens::part!(@$name(self, path: &std::path::Path) -> () { self.give($id, &[path]).await });
    };
    (says $name:ident $css:literal) => {
        $crate::screens::part!(@$name(self, words: &str) -> () { self.until_text($css, words).await });
    };
    (gets $name:ident $id:literal $to:literal) => {
        $crate::screens::part!(@$name(self, words: &str) -> () {
            self.click($id).await?;
            self.until_text($to, words).await
        });
    };
    (unfolds $name:ident $css:literal $to:literal) => {
        $crate::screens::part!(@$name(self, words: &str) -> () {
            self.press($css).await?;
            self.until_text($to, words).await
        });
    };
    (is $name:ident $css:literal) => {
        $crate::screens::part!(@$name(self, text: &str) -> () { self.until_is($css, "===", text).await });
    };
    (differs $name:ident $css:literal) => {
        $crate::screens::part!(@$name(self, text: &str) -> () { self.until_is($css, "!==", text).await });
    };
    (shows $name:ident $css:literal) => { $crate::screens::part!(@$name(self) -> () { self.shows_all($css).await }); };
    (shows_its $name:ident $css:literal) => {
        $crate::screens::part!(@$name(self, what: &str) -> () { self.shows_all(&$css.replace("{}", what)).await });
    };
    (presses_its $name:ident $css:literal) => {
        $crate::screens::part!(@$name(self, what: &str) -> () { self.press(&$css.replace("{}", what)).await });
    };
    (numbers $name:ident $css:literal) => {
        $crate::screens::part!(@$name(self, n: usize) -> () { self.until_count($css, n).await });
    };
    (loses $name:ident $css:literal) => { $crate::screens::part!(@$name(self) -> () { self.until_gone($css).await }); };
    (reads $name:ident $css:literal) => { $crate::screens::part!(@$name(self) -> String { self.content($css).await }); };
    (counts $name:ident $css:literal) => { $crate::screens::part!(@$name(self) -> usize { self.count($css).await }); };
    (fits $name:ident $css:literal) => {
        $crate::screens::part!(@$name(self, picture: &str) -> () { self.fits(picture, Some($css)).await });
    };
    (does $name:ident $script:literal) => { $crate::screens::part!(@$name(self) -> () { self.does($script, &[]).await }); };
    (awaits $name:ident $script:literal) => {
        $crate::screens::part!(@$name(self) -> () { self.awaits(stringify!($name), $script).await });
    };
    (holds $name:ident $script:literal) => { $crate::screens::part!(@$name(self) -> bool { self.tells($script, &[]).await }); };
    (tells $name:ident $script:literal) => {
        pub(crate) async fn $name<T: serde::de::DeserializeOwned>(&self) -> anyhow::Result<T> {
            self.tells($script, &[]).await
        }
    };
}
use part;
