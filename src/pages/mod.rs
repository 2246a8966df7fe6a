//! The pages, and the one list of them: addresses, header, palette, style sheets and the pictures that
//! tests take follow it. A page is a folder with a `PAGE`, and a line in [`PAGES`]; pages know nothing
//! of each other.

mod addresses;
mod ask;
mod bench;
mod compare;
mod daily;
mod dataset;
mod endpoints;
mod family;
mod gallery;
mod home;
mod kg;
mod kgot;
mod lessons;
mod lie;
mod model_test;
mod rescue;
mod solve;
mod toolformer;
mod tools;
mod traces;

use std::future::Future;
use std::pin::Pin;

use futures_util::FutureExt as _;
use leptos::prelude::AnyView;
use wasm_split_helpers::SplitLoaderError;

use crate::shell::Shell;

/// What there is to know of a page.
pub(crate) struct PageSpec {
    /// Its name in addresses.
    pub(crate) path: &'static str,
    pub(crate) title: &'static str,
    /// The entry of the header under which it stands; none where the page's name leads to it.
    pub(crate) group: &'static str,
    /// The files in `www/styles` with its own rules, which count as long as it is shown.
    pub(crate) styles: &'static [&'static str],
    /// Whether it is shown inside pages of others.
    pub(crate) in_frames: bool,
    /// The format of the data in the page's own file that it opens.
    pub(crate) data: Option<&'static str>,
    /// Its code, which makes its view; its state is made at the first call.
    pub(crate) part: Part,
}

/// The code of a page, which is loaded when the page is first shown.
pub(crate) struct Part {
    load: fn() -> Coming<()>,
    view: fn(Shell) -> Coming<AnyView>,
}

type Coming<T> = Pin<Box<dyn Future<Output = Result<T, SplitLoaderError>>>>;

impl Part {
    /// Loads it, if that is not done yet.
    ///
    /// # Errors
    /// It cannot be loaded; to ask again tries again.
    pub(crate) async fn load(&self) -> Result<(), SplitLoaderError> {
        (self.load)().await
    }

    /// The page's view, once it is loaded.
    pub(crate) fn view(&self, shell: Shell) -> Option<AnyView> {
        (self.view)(shell).now_or_never()?.ok()
    }
}

/// A [`Part`]: the name of the file that it is in, which pages that have much in common share; the
/// page's path, and what makes its view.
macro_rules! part {
    ($file:ident, $path:ident, $mount:path) => {{
        // What the attribute makes of this calls a function that is not there yet when the module is
        // linked.
        #[wasm_split_helpers::wasm_split($file, fallible, preload(#[allow(unsafe_code)] load))]
        #[allow(unsafe_code)]
        fn $path(shell: Shell) -> Result<AnyView, wasm_split_helpers::SplitLoaderError> {
            Ok($mount(shell))
        }
        $crate::pages::Part { load: || Box::pin(load()), view: |shell| Box::pin($path(shell)) }
    }};
}
use part;

impl PartialEq for PageSpec {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl PageSpec {
    /// What most pages have.
    const USUAL: Self = Self {
        path: "",
        title: "",
        group: "",
        styles: &[],
        in_frames: true,
        data: None,
        part: Part {
            load: || Box::pin(std::future::pending()),
            view: |_| Box::pin(std::future::pending()),
        },
    };
}

/// All pages; the first is shown where an address names none. The header has their groups in this
/// order.
pub(crate) static PAGES: &[&PageSpec] = &[
    &home::PAGE,
    &solve::PAGE,
    &ask::PAGE,
    &compare::PAGE,
    &daily::PAGE,
    &dataset::PAGE,
    &lessons::PAGE,
    &lie::PAGE,
    &gallery::PAGE,
    &rescue::PAGE,
    &kg::PAGE,
    &kgot::PAGE,
    &family::PAGE,
    &toolformer::PAGE,
    &bench::PAGE,
    &model_test::PAGE,
    &tools::PAGE,
    &traces::PAGE,
    &endpoints::PAGE,
];

/// The page of a path, or the first one.
pub(crate) fn find(path: &str) -> &'static PageSpec {
    PAGES.iter().find(|page| page.path == path).copied().unwrap_or(PAGES[0])
}

/// The entries of the header, each with its pages.
pub(crate) fn groups() -> Vec<(&'static str, Vec<&'static PageSpec>)> {
    let mut groups: Vec<(&'static str, Vec<&'static PageSpec>)> = Vec::new();
    for page in PAGES.iter().filter(|page| !page.group.is_empty()) {
        match groups.iter_mut().find(|(group, _)| *group == page.group) {
            Some((_, list)) => list.push(page),
            None => groups.push((page.group, vec![page])),
        }
    }
    groups
}
