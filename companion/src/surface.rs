//! Which functions a model gets, and in which words they answer, as a command line says it.

use std::str::FromStr;

use agent::Choosing;
use systems::grounded::Surface;
use systems::grounded::retrieval::{N_TOOLS, choosing};

use crate::{gguf_models, own_model};

/// Which functions are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SentTools {
    /// Every one.
    All,
    /// Those that build a graph, and this number of those that fit the question.
    Fitting(usize),
}

impl SentTools {
    pub(crate) fn choosing(self) -> Choosing {
        match self {
            Self::All => Choosing::All,
            Self::Fitting(n) => choosing(n),
        }
    }
}

impl FromStr for SentTools {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            "fit" => Ok(Self::Fitting(N_TOOLS)),
            number => number.parse().map(Self::Fitting).map_err(|_| {
                format!("{text:?} is neither \"all\" nor \"fit\" nor a number of functions")
            }),
        }
    }
}

/// What a command that asks one model says of it.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct SurfaceArgs {
    /// Which functions the model gets: all; fit (those that build a graph and the five that fit the
    /// question best, with a way to look up others); or another number than five. Default: fit, and all
    /// for our own small model.
    #[arg(long, value_name = "all|fit|N")]
    tools: Option<SentTools>,
    /// Sends what the paper sends: all functions, its prompt, and bare results. Default for our own
    /// small model alone; others read a prompt of ours, and results in words.
    #[arg(long)]
    paper: bool,
    /// Whether the model has to call until a function that asks the graph has answered: true or false.
    /// Default: true for a model from a GGUF file.
    #[arg(long, num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    hold: Option<bool>,
}

impl SurfaceArgs {
    /// What the model of a name gets.
    pub(crate) fn surface(self, model: &str) -> Surface {
        // Our own small model learned the paper's surface alone; one from a file is small.
        let file = model.strip_prefix(gguf_models::PREFIX);
        let usual = match file {
            _ if self.paper => Surface::default(),
            Some(file) if own_model::is_own(file) => Surface::default(),
            file => Surface { hold: file.is_some(), ..Surface::guided() },
        };
        let choosing = self.tools.map_or(usual.choosing, SentTools::choosing);
        Surface { choosing, hold: self.hold.unwrap_or(usual.hold), ..usual }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_model_gets_what_fits_and_our_own_gets_all() {
        let plain = SurfaceArgs { tools: None, paper: false, hold: None };
        let guided = plain.surface("gpt-5");
        assert!(guided.guide && !guided.hold && guided.choosing == choosing(N_TOOLS));
        assert_eq!(plain.surface("local:small.gguf"), Surface { hold: true, ..guided.clone() });
        let free = SurfaceArgs { hold: Some(false), ..plain };
        assert_eq!(free.surface("local:small.gguf"), guided);
        assert_eq!(plain.surface("local:own"), Surface::default());
        assert_eq!(SurfaceArgs { paper: true, ..plain }.surface("gpt-5"), Surface::default());
        let all = SurfaceArgs { tools: Some("all".parse().unwrap()), hold: Some(true), ..plain };
        let all = all.surface("gpt-5");
        assert!(all.guide && all.hold && all.choosing == Choosing::All);
        assert_eq!("3".parse(), Ok(SentTools::Fitting(3)));
        assert!("few".parse::<SentTools>().is_err_and(|e| e.contains("fit")));
    }
}
