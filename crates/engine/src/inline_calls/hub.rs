//! What is at hand: shown, and added to.

use std::rc::Rc;

use kg::{Kg, KgBuilder, formats};
use systems::Backends;
use systems::toolformer::data::{Data, Profile};
use systems::toolformer::hubs::{
    DATASETS, DatasetKind, LANGUAGE_MODELS, LanguageModel, MODELS, datasets, tasks,
};
use systems::toolformer::{pack, wordnet};

use protocol::toolformer::{DataView, HubState, HubView, ModelView, OpenedData};

use super::Hand;
use crate::attachments::TextOf;

/// What is at hand now.
pub(super) fn state(hand: &mut Hand) -> Result<HubState, String> {
    let hub = view(hand)?;
    let memory = hand.executor(hand.mode())?.borrow().memory().shown();
    Ok(HubState { hub, memory })
}

fn view(hand: &mut Hand) -> Result<HubView, String> {
    let trained = hand.trained.clone();
    let hubs = hand.hubs()?;
    let datasets = DATASETS.iter().map(|d| DataView {
        id: d.id.to_owned(),
        title: d.title.to_owned(),
        lede: d.lede.to_owned(),
        kind: d.kind,
        source: d.source.to_owned(),
        profile: hubs.data(d.id).ok().map(|(_, _, data)| data.profile()),
    });
    let others = hubs.names().into_iter().filter(|n| datasets::find(n).is_none());
    let others = others.filter_map(|name| {
        let (id, kind, data) = hubs.data(&name).ok()?;
        let (title, lede) = (id.clone(), "Data of your own.".to_owned());
        let (source, profile) = (String::new(), Some(data.profile()));
        Some(DataView { id, title, lede, kind, source, profile })
    });
    let datasets = datasets.chain(others.collect::<Vec<_>>()).collect();
    let models = MODELS.iter().map(|m| ModelView {
        id: m.id.to_owned(),
        title: m.title.to_owned(),
        lede: m.lede.to_owned(),
        source: m.source.to_owned(),
        is_ready: m.make.is_some(),
        trained_on: trained.iter().filter(|(id, _)| *id == m.id).map(|(_, d)| d.clone()).collect(),
        functions: tasks::find(m.task)
            .map(|t| t.functions.iter().map(|f| format!("{}:{}", m.id, f.name)).collect())
            .unwrap_or_default(),
    });
    let writer = |m: &LanguageModel| {
        (m.id.to_owned(), m.title.to_owned(), format!("{} To be had: {}.", m.lede, m.source))
    };
    let writers = LANGUAGE_MODELS.iter().map(writer).collect();
    Ok(HubView { datasets, models: models.collect(), writers })
}

/// Opens packs, and knowledge graphs in any format under the name of their file.
pub(super) fn open_data(
    hand: &mut Hand,
    own: Option<&str>,
    files: Vec<TextOf>,
) -> Result<OpenedData, String> {
    let mut hubs = hand.hubs()?;
    let mut words = Vec::new();
    for (file, text) in files {
        let told = |why: &dyn std::fmt::Display| format!("{file}: {why}");
        let is_pack = text.lines().next().is_some_and(|l| l.contains(pack::FORMAT));
        let (name, kind, data) = if is_pack {
            let (head, data) = pack::read(&text).map_err(|e| told(&e))?;
            (head.name, head.kind, data)
        } else if own == Some("wordnet") {
            let data = wordnet::shipped(&text).map_err(|e| told(&e))?;
            ("wordnet".to_owned(), DatasetKind::Knowledge, data)
        } else {
            let (kg, faults) = facts(&file, &text).map_err(|e| told(&e))?;
            words.extend(faults);
            (stem(&file), DatasetKind::Knowledge, Data::Knowledge(Rc::new(kg)))
        };
        let Profile { n_graphs, n_nodes, n_links, .. } = data.profile();
        let graphs = if n_graphs > 1 { format!("{n_graphs} graphs, ") } else { String::new() };
        words.push(format!("{name} is here: {graphs}{n_nodes} nodes and {n_links} links."));
        hubs = hubs.with_data(&name, kind, data);
    }
    hand.replace(hubs);
    Ok(OpenedData { words: words.join(" "), hub: view(hand)? })
}

/// The facts of a file, and what could not be read of it.
fn facts(file: &str, text: &str) -> Result<(Kg, Option<String>), String> {
    let format = formats::sniff(file, text).ok_or(
        "it is no pack (its first line would say \"format\":\"graphground-data\") and no format of \
         a knowledge graph has its ending",
    )?;
    let mut builder = KgBuilder::new(stem(file));
    let faults = (format.read)(text, &mut builder);
    if let Some(why) = faults.refusal(format) {
        return Err(why);
    }
    if builder.n_nodes() == 0 {
        return Err(format!("nothing in it is a node or an edge; {}", format.expected()));
    }
    let told = faults.first.first().map(|first| {
        let lines = if faults.n == 1 { "1 line" } else { &format!("{} lines", faults.n) };
        format!("{file}: {lines} could not be read, the first: {first}.")
    });
    Ok((builder.build().map_err(|e| e.to_string())?, told))
}

/// A file's name without its endings.
fn stem(file: &str) -> String {
    file.split('.').next().unwrap_or(file).to_lowercase()
}

/// Opens the model whose weights are attached.
pub(super) fn open_model<B: Backends>(
    attachments: &crate::Attachments,
    hand: &mut Hand,
) -> Result<OpenedData, String> {
    let bytes = attachments.take(protocol::toolformer::WEIGHTS)?;
    let (name, dataset, reasoner) = B::trained(&bytes)?;
    let found = systems::toolformer::hubs::models::find(name);
    let model = found.ok_or_else(|| format!("the hub has no model {name:?}"))?;
    let hubs = hand.hubs()?;
    let hubs = hubs.with_model_of(model.id, &dataset, reasoner).map_err(|e| e.to_string())?;
    hand.replace(hubs);
    hand.trained.retain(|t| *t != (model.id, dataset.clone()));
    hand.trained.push((model.id, dataset.clone()));
    let words = format!("{} is here, trained on {dataset}.", model.title);
    Ok(OpenedData { words, hub: view(hand)? })
}
