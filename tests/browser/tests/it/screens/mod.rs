//! The pages as people use them: what is pressed, typed and read there. Screens know selectors; journeys
//! do not.

mod any_page;
mod bench;
mod dataset;
mod endpoints;
mod family;
mod inline;
mod kg;
mod large;
mod model_files;
mod names;
mod outage;
mod own_model;
mod python;
mod saved_page;
mod secrets;
mod solve;
mod thoughts;
mod traces;
mod whole;

pub(crate) use any_page::AnyPage;
pub(crate) use bench::Bench;
pub(crate) use dataset::Dataset;
pub(crate) use endpoints::Endpoints;
pub(crate) use family::Family;
pub(crate) use inline::Inline;
pub(crate) use kg::Kg;
pub(crate) use large::Large;
pub(crate) use model_files::ModelFiles;
pub(crate) use names::Names;
pub(crate) use outage::{NOTE_FAULTS, Outage};
pub(crate) use own_model::{LookInside, ModelTest, OwnModel};
pub(crate) use python::{Sandbox, left_out};
pub(crate) use saved_page::{SavedPage, from_disk};
pub(crate) use secrets::Secrets;
pub(crate) use solve::Solve;
pub(crate) use thoughts::Thoughts;
pub(crate) use traces::Traces;
pub(crate) use whole::{SOFTWARE, Whole};

/// A screen is the browser that shows it: what is the same on every page is done there. What is only
/// read or pressed is a name with its selector or test id:
///
/// - `says` waits until what is found has some words, `finds` until it is there, `loses` until it is gone.
/// - `reads` and `values` give the text of an element and the value of a field, `counts` how many are
///   found, `has` whether any is.
/// - `clicks` and `presses` click what a test id or a selector names, once it can be pressed; `chooses`
///   takes an option by its value, `types` and `sets` put words into a field, by its test id.
macro_rules! screen {
    (
        $(#[$doc:meta])* $name:ident
        $(says { $($says:ident: $says_at:expr,)* })?
        $(reads { $($reads:ident: $reads_at:expr,)* })?
        $(finds { $($finds:ident: $finds_at:expr,)* })?
        $(loses { $($loses:ident: $loses_at:expr,)* })?
        $(has { $($has:ident: $has_at:expr,)* })?
        $(counts { $($counts:ident: $counts_at:expr,)* })?
        $(clicks { $($clicks:ident: $clicks_id:expr,)* })?
        $(presses { $($presses:ident: $presses_at:expr,)* })?
        $(chooses { $($chooses:ident: $chooses_id:expr,)* })?
        $(types { $($types:ident: $types_id:expr,)* })?
        $(sets { $($sets:ident: $sets_id:expr,)* })?
        $(values { $($values:ident: $values_id:expr,)* })?
    ) => {
        $(#[$doc])*
        pub(crate) struct $name<'a>(pub(crate) &'a $crate::browser::Browser);

        impl std::ops::Deref for $name<'_> {
            type Target = $crate::browser::Browser;

            fn deref(&self) -> &Self::Target {
                self.0
            }
        }

        impl $name<'_> {
            $($(pub(crate) async fn $says(&self, words: &str) -> anyhow::Result<()> {
                self.until_text($says_at, words).await
            })*)?
            $($(pub(crate) async fn $reads(&self) -> anyhow::Result<String> {
                self.text($reads_at).await
            })*)?
            $($(pub(crate) async fn $finds(&self) -> anyhow::Result<()> {
                self.find($finds_at).await?;
                Ok(())
            })*)?
            $($(pub(crate) async fn $loses(&self) -> anyhow::Result<()> {
                self.until_gone($loses_at).await
            })*)?
            $($(pub(crate) async fn $has(&self) -> anyhow::Result<bool> {
                Ok(self.count($has_at).await? > 0)
            })*)?
            $($(pub(crate) async fn $counts(&self) -> anyhow::Result<usize> {
                self.count($counts_at).await
            })*)?
            $($(pub(crate) async fn $clicks(&self) -> anyhow::Result<()> {
                self.click($clicks_id).await
            })*)?
            $($(pub(crate) async fn $presses(&self) -> anyhow::Result<()> {
                self.press($presses_at).await
            })*)?
            $($(pub(crate) async fn $chooses(&self, id: &str) -> anyhow::Result<()> {
                self.choose($chooses_id, id).await
            })*)?
            $($(pub(crate) async fn $types(&self, words: &str) -> anyhow::Result<()> {
                self.type_into($types_id, words).await
            })*)?
            $($(pub(crate) async fn $sets(&self, words: &str) -> anyhow::Result<()> {
                self.set($sets_id, words).await
            })*)?
            $($(pub(crate) async fn $values(&self) -> anyhow::Result<String> {
                self.value($values_id).await
            })*)?
        }
    };
}
use screen;
