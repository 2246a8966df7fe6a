//! The lists of the engine, each in a part of the module that loads with the first request for it.

use engine::{Handler, List};
use whole_worker::Lists;
use worker::{Kind, Sent};

type Handlers = &'static [Handler<Sent>];

/// The names of what a list answers; the code that answers is not named.
const fn names<const N: usize>(list: Handlers) -> [&'static str; N] {
    let mut names = [""; N];
    let mut i = 0;
    while i < N {
        names[i] = list[i].name;
        i += 1;
    }
    names
}

/// A list in a part of the module that loads with the first request for it: the name of the file, which
/// lists that have much in common share, and the list's own.
macro_rules! later {
    ($file:ident, $name:ident, $list:expr) => {{
        // What the attribute makes of this calls a function that is not there yet when the module is
        // linked.
        #[wasm_split_helpers::wasm_split($file, fallible, preload(#[allow(unsafe_code)] preload))]
        #[allow(unsafe_code)]
        fn $name() -> Result<Handlers, wasm_split_helpers::SplitLoaderError> {
            Ok($list)
        }
        static NAMES: [&str; $list.len()] = names($list);
        List::Later {
            names: &NAMES,
            load: || {
                Box::pin(async {
                    let not_loaded = |_| format!("{}: a part of it did not come", protocol::NOT_LOADED);
                    $name().await.map_err(not_loaded)
                })
            },
        }
    }};
}

/// The lists of an engine whose parts load when they are needed. Where two answer the same request,
/// the first does.
pub(crate) fn lists(kind: Kind) -> Vec<List<Sent>> {
    let every = vec![
        later!(problems, problems, Lists::PROBLEMS),
        later!(whole, whole, Lists::WHOLE),
        later!(runs, answers, Lists::ANSWERS),
        later!(runs, runs, Lists::RUNS),
        later!(files, files, Lists::FILES),
        later!(runs, traces, Lists::TRACES),
        later!(runs, links, Lists::LINKS),
        later!(runs, rescue, Lists::RESCUE),
    ];
    every.into_iter().chain(rarer(kind)).collect()
}

/// The lists that one kind of engine has and others lack.
fn rarer(kind: Kind) -> Vec<List<Sent>> {
    let graphs = [
        later!(knowledge, knowledge, Lists::KNOWLEDGE),
        later!(knowledge, families, Lists::FAMILIES),
    ];
    let thoughts = later!(kgot, kgot, Lists::KGOT);
    let calls = later!(toolformer, toolformer, Lists::TOOLFORMER);
    let mut lists = Vec::new();
    match kind {
        Kind::Core => {}
        Kind::Knowledge | Kind::File => {
            lists.extend([later!(bench, bench, Lists::BENCH), calls, thoughts]);
        }
        Kind::Rdf => {
            lists.push(later!(rdf, rdf, Lists::RDF));
        }
        Kind::Ml => {
            lists.push(later!(models, minilm, Lists::MINILM));
        }
        Kind::Toolformer => {
            lists.push(later!(models, trained, Lists::TRAINED));
            lists.push(calls);
        }
    }
    if matches!(kind, Kind::Knowledge | Kind::File | Kind::Rdf | Kind::Ml) {
        lists.extend(graphs);
    }
    lists
}
