//! The one list of what workers answer, in lists whose code loads together. Nothing else refers to
//! their code, so a module has no more than what it names.

use std::marker::PhantomData;

use protocol::{
    answers, bench, family, free, kg, kgot, problem, rescue, runs, share, toolformer, traces, whole,
};

use systems::Backends;

use crate::handler::{Arrived, handlers};
use crate::{Handler, benchmarks, catalog, dataset, families, inline_calls, knowledge, link};
use crate::{planner, problems, run, similarity, trace_files};

/// The lists, for requests that arrive in the form `A`, in an engine that has the backends `B`.
pub struct Services<A, B>(PhantomData<(A, B)>);

impl<A: Arrived, B: Backends> Services<A, B> {
    /// Graph problems: made, read, placed on the plane. Nothing here solves one, so that a first visit
    /// loads no algorithms.
    pub const PROBLEMS: &'static [Handler<A>] = handlers![
        problem::GenerateProblem => problems::generate,
        problem::SampleProblem => link::sample,
        problem::AskAboutPeople => crate::friends::ask,
        problem::ReadProblem => problems::read,
        problem::PlaceNodes => problems::place,
    ];

    /// Large graphs as a whole: places of all nodes, and measures.
    pub const WHOLE: &'static [Handler<A>] = handlers![
        whole::PlaceWhole => crate::whole::place,
        whole::MeasureWhole => crate::whole::measure,
    ];

    /// What is right: solutions, verdicts, the claims of an answer; and prompts, whose exemplars are
    /// solved.
    pub const ANSWERS: &'static [Handler<A>] = handlers![
        problem::RewordProblem => problems::reword,
        problem::SolveProblem => problems::solve,
        problem::VerifyAnswer => problems::verify,
        problem::FindClaims => problems::find_claims,
        answers::CheckAnswers => crate::answers::check,
    ];

    /// The graph functions, and models that call them.
    pub const RUNS: &'static [Handler<A>] = handlers![
        problem::CallFunction => problems::call,
        problem::ListFunctions => catalog::list,
        problem::CheckProposal => catalog::check_proposal,
        runs::StartRun<runs::ProblemRun> => run::start::<_, B>,
        runs::LookInside => crate::own::look,
        free::AskFreely => crate::free::ask,
        free::CheckFreely => crate::free::check,
    ];

    /// Whole files of questions.
    pub const FILES: &'static [Handler<A>] = handlers![
        problem::WarmUp => dataset::warm_up,
        problem::CheckFiles => dataset::check,
        problem::SampleQuestions => dataset::sample,
        problem::SampleAnswers => dataset::sample_answers,
        problem::OpenQuestion => dataset::open,
    ];

    /// Traces: read, judged, written, replayed, compared.
    pub const TRACES: &'static [Handler<A>] = handlers![
        traces::ReadTraces => trace_files::read,
        traces::JudgeAnswers => trace_files::judge,
        traces::WriteTraces => trace_files::write,
        traces::ReplayTrace => trace_files::replay,
        traces::CompareTraces => trace_files::compare,
    ];

    /// What is shared in an address.
    pub const LINKS: &'static [Handler<A>] = handlers![
        share::WriteLink => link::write,
        share::ReadLink => link::read_link,
    ];

    /// Disasters and their rescue plans.
    pub const RESCUE: &'static [Handler<A>] = handlers![
        rescue::GenerateScenario => planner::generate,
        rescue::ReadScenario => planner::read,
        rescue::PlanRescue => planner::plan,
        rescue::CheckRescue => planner::check,
        runs::StartRun<rescue::RescueRun> => run::start::<_, B>,
    ];

    /// Benchmarks: every experiment with its systems, reports and files.
    pub const BENCH: &'static [Handler<A>] = handlers![
        bench::ListExperiments => benchmarks::list,
        bench::ClearRuns => benchmarks::clear,
        bench::AddRuns => benchmarks::add,
        bench::UnpackRuns => benchmarks::unpack,
        bench::EstimateBench => benchmarks::estimate,
        bench::StartBench => benchmarks::start,
        bench::ReportRuns => benchmarks::report,
        bench::ListRuns => benchmarks::rows,
        bench::ListFailures => benchmarks::failures,
        bench::LabelRun => benchmarks::label,
        bench::OpenRun => benchmarks::open,
        bench::CompareSetups => benchmarks::compare,
        bench::CheckRuns => benchmarks::check,
        bench::WriteBench => benchmarks::write,
    ];

    /// Knowledge graphs.
    pub const KNOWLEDGE: &'static [Handler<A>] = handlers![
        kg::LoadGraph => knowledge::open,
        kg::PreviewTable => knowledge::preview,
        kg::SetSimilarity => similarity::set,
        kg::EmbedNames => similarity::embed_names,
        kg::WriteGraph => knowledge::write,
        kg::MakeQuestions => knowledge::make_questions,
        kg::ReadQuestions => knowledge::read_file_of_questions,
        runs::StartRun<kg::KgRun> => run::start::<_, B>,
        kg::VerifyPlan => knowledge::verify_plan,
        kg::FindNodes => knowledge::find,
        kg::ShowWhole => knowledge::show_whole,
    ];

    /// Families, whose graphs are knowledge graphs.
    pub const FAMILIES: &'static [Handler<A>] = handlers![
        family::GenerateFamilies => families::generate_families,
        family::ReadFamilies => families::read,
        family::WriteFamilies => families::write_file,
        family::SearchFamily => families::search,
        runs::StartRun<family::FamilyRun> => run::start::<_, B>,
    ];

    /// Tasks solved by growing a knowledge graph.
    pub const KGOT: &'static [Handler<A>] = handlers![
        runs::ListCases<kgot::KgotRun> => run::cases::<_, B>,
        kgot::ReadKgotFiles => crate::kgot::read_files::<B>,
        runs::StartRun<kgot::KgotRun> => run::start::<_, B>,
        kgot::OpenSnapshot => crate::kgot::open,
        kgot::WriteSnapshot => crate::kgot::write,
        kgot::AskGrown => crate::kgot::ask,
        kgot::CorrectGrown => crate::kgot::correct,
        kgot::CopyGraph => crate::kgot::copy,
        kgot::AskStore => crate::kgot::ask_store,
    ];

    /// SPARQL over the open knowledge graph, and over graphs that come with the question.
    pub const RDF: &'static [Handler<A>] = handlers![
        kg::QueryGraph => crate::sparql::query::<B>,
        kgot::AnswerGraphQuestion => crate::queries::answer::<B>,
    ];

    /// Similarity of names by a model too. Stands before [`Self::KNOWLEDGE`], whose measures need none.
    pub const MINILM: &'static [Handler<A>] = handlers![
        kg::SetSimilarity => similarity::set_with_models::<B>,
    ];

    /// Inline tool calls with what takes no training.
    pub const TOOLFORMER: &'static [Handler<A>] = handlers![
        toolformer::ShowHub => inline_calls::show,
        toolformer::ClearMemory => inline_calls::clear,
        toolformer::MakeExamples => inline_calls::make_examples,
        toolformer::ShowPrompts => inline_calls::show_prompts,
        toolformer::OpenData => inline_calls::open_data,
        toolformer::OpenModel => inline_calls::refuse_model,
        toolformer::ReadStatement => inline_calls::read,
        runs::StartRun<toolformer::StatementRun> => run::start::<_, B>,
    ];

    /// The trained models that inline calls ask, from the bytes of their weights. Stands before
    /// [`Self::TOOLFORMER`].
    pub const TRAINED: &'static [Handler<A>] = handlers![
        toolformer::OpenModel => inline_calls::open_model::<B>,
    ];
}
