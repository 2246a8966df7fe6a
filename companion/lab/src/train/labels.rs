//! Classes that data come without, out of a file.

use std::collections::BTreeMap;
use std::rc::Rc;

use anyhow::{Context as _, Result, bail};
use systems::toolformer::data::{Data, Network};
use systems::toolformer::{Instance, Segment, Value, parse};

/// Reads lines `name<TAB>class`; or instances of the prompt files, whose calls ask about one thing
/// and whose answers are its class.
pub(crate) fn read(text: &str) -> Result<BTreeMap<String, String>> {
    let mut all = BTreeMap::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let line_number = i + 1;
        let (name, class) = match line.split_once('\t') {
            Some((name, class)) => (name.trim().to_owned(), class.trim().to_owned()),
            None => of_instance(line).with_context(|| format!("line {line_number}"))?,
        };
        if let Some(before) = all.insert(name.clone(), class.clone())
            && before != class
        {
            bail!(
                "line {line_number}: {name:?} is of class {class:?}, and {before:?} in a line before"
            );
        }
    }
    Ok(all)
}

fn of_instance(line: &str) -> Result<(String, String)> {
    let expected = "expected name<TAB>class, or a text with a call about one thing and its answer";
    let read = Instance::read(line).context(expected)?;
    let mut names = Vec::new();
    for segment in parse(&read.output) {
        let Segment::Site(site) = segment else { continue };
        let Ok(bracket) = site.bracket else { continue };
        for value in bracket.calls.into_iter().flat_map(|call| call.arguments) {
            if let Value::Reference { id, .. } = value {
                names.push(id);
            }
        }
    }
    match (names.pop(), read.answer) {
        (Some(name), Some(answer)) if names.is_empty() => Ok((name, answer)),
        _ => bail!("{expected}"),
    }
}

/// Puts classes to the graphs of a set, or to the nodes of a network; gives how many found theirs.
pub(crate) fn put(data: Data, classes: &BTreeMap<String, String>) -> Result<(Data, usize)> {
    let mut n = 0;
    let mut of = |name: &str| {
        let class = classes.get(name).cloned();
        n += usize::from(class.is_some());
        class
    };
    let data = match data {
        Data::Set(mut set) => {
            for member in &mut set {
                member.label = of(&member.name);
            }
            Data::Set(set)
        }
        Data::Network(network) => {
            let mut network: Network = Rc::unwrap_or_clone(network);
            network.labels = network.graph.names().map(|n| of(&n.to_string())).collect();
            Data::Network(Rc::new(network))
        }
        Data::Knowledge(_) => bail!("--labels: facts have no classes"),
    };
    if n == 0 {
        bail!("--labels: none of {} names is in the data", classes.len());
    }
    Ok((data, n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_come_out_of_tables_and_out_of_prompts() {
        let text = "3\t2\n{\"input\": \"?\", \"output\": \"It is [GR(GL(\\\"mutag\\\"), \
                    \\\"seg_bert:molecule_function\\\", instance#31)-->r].\", \"answer\": \"0\"}\n";
        let all = read(text).unwrap();
        assert_eq!(all["3"], "2");
        assert_eq!(all["31"], "0");
        let told = format!("{:#}", read("3\t2\n3\t0\n").unwrap_err());
        assert_eq!(told, "line 2: \"3\" is of class \"0\", and \"2\" in a line before");
        assert!(format!("{:#}", read("nothing").unwrap_err()).contains("line 1: expected"));
    }
}
