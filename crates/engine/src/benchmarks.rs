//! Benchmarks: runs made, kept as lines of a runs file, added up, checked again.
//!
//! The worker holds the lines of one benchmark; the page keeps them in the browser's storage, and
//! hands them back after a reload.

mod making;
mod store;

use eval::Entry;
use eval::report::Report;
use protocol::bench::{
    AddRuns, BenchReport, CheckRuns, CheckedRuns, ClearRuns, CompareSetups, ComparedSetups,
    ExperimentView, KeptRuns, LabelRun, ListExperiments, ListFailures, ListRuns, ListedFailures,
    ListedRuns, OpenRun, OpenedRun, ReportRuns, RoleView, SystemView, UnpackRuns, WriteBench,
};
use protocol::traces::TextFile;
use serde_json::Value;
use systems::experiment::{Experiment, ModelRole, SystemSpec};
use systems::experiments::EXPERIMENTS;

use crate::context::{Context, Ended};

pub(crate) use making::{estimate, start};
use store::Store;

/// Tells the experiments as a form shows them.
pub(crate) async fn list(_: &Context, _: ListExperiments) -> Result<Vec<ExperimentView>, Ended> {
    let role = |experiment: &dyn Experiment, role: &ModelRole| RoleView {
        id: role.id.into(),
        title: role.title.into(),
        lede: role.lede.into(),
        scripts: experiment.scripts(role.id).into_iter().map(|s| (s.name, s.label)).collect(),
    };
    let view = |experiment: &&'static dyn Experiment| {
        let mut roles: Vec<RoleView> = Vec::new();
        for of_system in experiment.systems().iter().flat_map(|s| s.roles) {
            if roles.iter().all(|r| r.id != of_system.id) {
                roles.push(role(*experiment, of_system));
            }
        }
        let lacking = making::lacking(*experiment);
        let is_here =
            |s: &&SystemSpec| experiment.needs(s.id).is_none_or(|need| !lacking.contains(&need));
        let here = experiment.systems().iter().filter(is_here);
        let systems = here.map(|s| SystemView {
            id: s.id.into(),
            title: s.title.into(),
            lede: s.lede.into(),
            options: experiment.options_lacking(s.id, lacking),
        });
        ExperimentView {
            id: experiment.id().into(),
            title: experiment.title().into(),
            lede: experiment.lede().into(),
            systems: systems.collect(),
            all_groups: {
                let groups = experiment.groups().into_iter();
                groups.filter(|g| experiment.suite(g) == experiment.id()).collect()
            },
            groups: experiment.groups(),
            levels: experiment.levels(),
            world: experiment.usual_world().into(),
            roles,
            choices: {
                let all = experiment.systems().iter().map(|s| experiment.options(s.id));
                let names = all.flat_map(|options| match options {
                    Value::Object(options) => options.into_iter().map(|(name, _)| name).collect(),
                    _ => Vec::new(),
                });
                let of = names.map(|name| (name.clone(), experiment.choices(&name)));
                of.filter(|(_, choices)| !choices.is_empty()).collect()
            },
            suits_own_model: experiment.suits_own_model(),
        }
    };
    Ok(EXPERIMENTS.iter().map(view).collect())
}

pub(crate) async fn clear(context: &Context, _: ClearRuns) -> Result<KeptRuns, Ended> {
    let kept = context.keep::<Store>();
    *kept.borrow_mut() = Store::default();
    Ok(kept.borrow().count())
}

pub(crate) async fn add(context: &Context, ask: AddRuns) -> Result<KeptRuns, Ended> {
    take(context, &ask.text).await
}

pub(crate) async fn unpack(context: &Context, ask: UnpackRuns) -> Result<KeptRuns, Ended> {
    let text = store::unpack(&ask.packed)?;
    *context.keep::<Store>().borrow_mut() = Store::default();
    take(context, &text).await
}

/// The longest that is computed without letting other messages in.
const SLICE_MS: f64 = 12.0;

async fn take(context: &Context, text: &str) -> Result<KeptRuns, Ended> {
    let kept = context.keep::<Store>();
    let mut began = context.host.now_ms();
    for line in text.split_inclusive('\n') {
        kept.borrow_mut().take(line)?;
        if context.host.now_ms() - began > SLICE_MS {
            let n_runs = kept.borrow().runs.runs.len();
            if context.progress(n_runs, 0).await.is_err() {
                return Err("stopped: what was read until then is there".into());
            }
            began = context.host.now_ms();
        }
    }
    Ok(kept.borrow().count())
}

pub(crate) async fn report(context: &Context, ask: ReportRuns) -> Result<BenchReport, Ended> {
    let kept = context.keep::<Store>();
    let store = kept.borrow();
    let mut report = Report::of(&store.runs, *ask.options);
    let tables = report.tables(&store.runs);
    let (labels, plots) = (report.labels(), report.plots());
    report.dots.clear();
    let n_sortable = store.failures().n;
    Ok(BenchReport { report: Box::new(report), labels, tables, plots, n_sortable })
}

pub(crate) async fn rows(context: &Context, ask: ListRuns) -> Result<ListedRuns, Ended> {
    let kept = context.keep::<Store>();
    let store = kept.borrow();
    Ok(ListedRuns { rows: store.rows(ask.from, ask.n), n_runs: store.runs.runs.len() })
}

pub(crate) async fn failures(context: &Context, _: ListFailures) -> Result<ListedFailures, Ended> {
    Ok(context.keep::<Store>().borrow().failures())
}

pub(crate) async fn label(context: &Context, ask: LabelRun) -> Result<String, Ended> {
    Ok(context.keep::<Store>().borrow_mut().add(&Entry::Label(ask.label))?)
}

pub(crate) async fn open(context: &Context, ask: OpenRun) -> Result<OpenedRun, Ended> {
    Ok(context.keep::<Store>().borrow().open(&ask.key)?)
}

pub(crate) async fn compare(
    context: &Context,
    ask: CompareSetups,
) -> Result<ComparedSetups, Ended> {
    Ok(context.keep::<Store>().borrow().compare(&ask.left, &ask.right)?)
}

/// Checks every run, a slice at a time.
pub(crate) async fn check(context: &Context, _: CheckRuns) -> Result<CheckedRuns, Ended> {
    let kept = context.keep::<Store>();
    let total = kept.borrow().runs.runs.len();
    let (mut drifts, mut n_calls) = (Vec::new(), 0);
    let mut began = context.host.now_ms();
    for i in 0..total {
        let (n, drift) = kept.borrow().check(i)?;
        n_calls += n;
        drifts.extend(drift);
        if context.host.now_ms() - began > SLICE_MS {
            context.progress(i + 1, total).await?;
            began = context.host.now_ms();
        }
    }
    Ok(CheckedRuns { n_runs: total, n_calls, drifts })
}

pub(crate) async fn write(context: &Context, ask: WriteBench) -> Result<TextFile, Ended> {
    Ok(context.keep::<Store>().borrow().write(ask)?)
}
