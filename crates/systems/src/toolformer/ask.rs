//! What a call asks: which function of whom, about what.

use super::error::CallError;
use super::execute::Mode;
use super::hubs::{Function, HubModel, HubTask, language_models, models, tasks, unknown_domain};
use super::reasoner::Argument;
use super::tree::Value;
use super::tree::bare;

/// A function as a call names it.
pub(super) struct Asked {
    pub(super) task: &'static HubTask,
    pub(super) function: &'static Function,
    pub(super) model: &'static HubModel,
    /// A remark where the call left something out.
    pub(super) note: Option<String>,
}

impl Asked {
    /// Its name in one spelling.
    pub(super) fn name(&self) -> String {
        format!("{}:{}", self.model.id, self.function.name)
    }

    /// Finds what `graph_bert:topic` or `topic` names.
    pub(super) fn find(text: &str, mode: Mode) -> Result<Self, CallError> {
        let (domain, name) = match text.split_once(':') {
            Some((domain, name)) => (Some(domain), name),
            None => (None, text),
        };
        if mode == Mode::Reference && text.contains('-') {
            let why = format!("it knows {text:?} only with \"_\" in place of \"-\"");
            return Err(CallError::Reference { why });
        }
        let model = match domain {
            Some(domain) if language_models::is_one(domain) => {
                return Err(CallError::UnknownFunction {
                    function: text.trim().to_owned(),
                    does: "a language model writes the statement, and no call asks one".to_owned(),
                });
            }
            Some(domain) => {
                Some(models::find(domain).ok_or_else(|| unknown_domain(domain.trim()))?)
            }
            None => None,
        };
        let function = name.trim().to_owned();
        let Some((task, found)) = tasks::function(name) else {
            let does = match model.and_then(|m| tasks::find(m.task)) {
                Some(task) => format!("{} has {}", task.model, names(task)),
                None => {
                    "the domains are toolx, graph_bert, seg_bert, kmeans, bpr and transe".into()
                }
            };
            return Err(CallError::UnknownFunction { function, does });
        };
        let own = models::find(task.model).ok_or_else(|| unknown_domain(task.model))?;
        match model {
            Some(model) if model.id != own.id => {
                let does = format!("it is of {}: \"{}:{}\"", own.id, own.id, found.name);
                Err(CallError::UnknownFunction { function: text.trim().to_owned(), does })
            }
            Some(_) => Ok(Self { task, function: found, model: own, note: None }),
            None => {
                let note = format!("the call names no model; {} was asked", own.id);
                Ok(Self { task, function: found, model: own, note: Some(note) })
            }
        }
    }
}

fn names(task: &HubTask) -> String {
    task.functions.iter().map(|f| f.name).collect::<Vec<_>>().join(", ")
}

/// The arguments behind the function; sets are unfolded.
pub(super) fn unfold(value: &Value, into: &mut Vec<Argument>) -> Result<(), CallError> {
    match value {
        Value::Text(text) => into.push(of_text(text)),
        Value::Name(name) => into.push(Argument { kind: None, id: name.clone() }),
        Value::Number(n) => into.push(Argument { kind: None, id: n.to_string() }),
        Value::Reference { kind, id } => {
            into.push(Argument { kind: Some(kind.clone()), id: id.clone() });
        }
        Value::Set(all) => {
            for item in all {
                unfold(item, into)?;
            }
        }
        other => {
            return Err(CallError::Arguments {
                function: "GR".to_owned(),
                expected: "references such as paper#1, or numbers".to_owned(),
                found: other.to_string(),
            });
        }
    }
    Ok(())
}

fn of_text(text: &str) -> Argument {
    match bare(text) {
        Some(Value::Reference { kind, id }) => Argument { kind: Some(kind), id },
        _ => Argument { kind: None, id: text.trim().to_owned() },
    }
}

/// What an inner call found, as arguments of the outer one: a list is unfolded.
pub(super) fn of_result(text: &str) -> Vec<Argument> {
    let plain =
        |item: &str| Argument { kind: None, id: item.trim().trim_matches(['\'', '"']).to_owned() };
    match text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
        Some("") => Vec::new(),
        Some(inside) => inside.split(", ").map(plain).collect(),
        None => vec![plain(text)],
    }
}

/// Holds arguments against what the function takes.
pub(super) fn check(asked: &Asked, arguments: &[Argument]) -> Result<(), CallError> {
    let takes = asked.function.takes;
    let wrong = || {
        let expected: Vec<String> = takes.iter().map(|p| p.words()).collect();
        let found: Vec<String> = arguments
            .iter()
            .map(|a| a.kind.as_ref().map_or_else(|| a.id.clone(), |k| format!("{k}#{}", a.id)))
            .collect();
        let or = |list: Vec<String>, sign: &str| match list.is_empty() {
            true => "nothing".to_owned(),
            false => list.join(sign),
        };
        CallError::Arguments {
            function: asked.name(),
            expected: or(expected, " and "),
            found: or(found, ", "),
        }
    };
    let mut rest = arguments;
    for parameter in takes {
        let n = rest.len().min(parameter.most);
        if n < parameter.least {
            return Err(wrong());
        }
        let (these, after) = rest.split_at(n);
        let fits = |argument: &Argument| match (parameter.kinds, &argument.kind) {
            ([], None) => argument.id.parse::<u32>().is_ok_and(|k| (1..=1000).contains(&k)),
            ([], Some(_)) => false,
            (kinds, None) if parameter.is_word => kinds.contains(&argument.id.as_str()),
            (_, None) => true,
            (kinds, Some(kind)) => kinds.iter().any(|k| k.eq_ignore_ascii_case(kind)),
        };
        if !these.iter().all(fits) {
            return Err(wrong());
        }
        rest = after;
    }
    if rest.is_empty() { Ok(()) } else { Err(wrong()) }
}
