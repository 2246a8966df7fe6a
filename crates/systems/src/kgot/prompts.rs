//! What models are told.
//!
//! The stages are those of the paper's Appendix C; the words are ours.

use llm::Message;

use super::{KgotFile, KgotLanguage, KgotTask, PromptForm};

/// A prompt in parts, each with a name.
pub(super) struct Prompt {
    form: PromptForm,
    text: String,
}

impl Prompt {
    /// Begins with what is to be done.
    pub fn new(form: PromptForm, instruction: &str) -> Self {
        Self { form, text: instruction.to_owned() }
    }

    /// Adds a part.
    pub fn with(mut self, name: &str, text: &str) -> Self {
        let part = match self.form {
            PromptForm::Xml => {
                let tag = name.to_lowercase().replace(' ', "_");
                // What a document says must not end its part.
                let text = text.replace(&format!("</{tag}>"), &format!("<\\/{tag}>"));
                format!("\n\n<{tag}>\n{}\n</{tag}>", text.trim_end())
            }
            PromptForm::Markdown => format!("\n\n## {name}\n\n{}", text.trim_end()),
        };
        self.text.push_str(&part);
        self
    }

    /// The messages.
    pub fn messages(self) -> Vec<Message> {
        vec![Message::user(self.text)]
    }
}

/// The task, with the names of its files.
pub(super) fn task_text(task: &KgotTask) -> String {
    if task.files.is_empty() {
        return task.question.clone();
    }
    let names: Vec<&str> = task.files.iter().map(|file: &KgotFile| file.name.as_str()).collect();
    format!("{}\n\nFiles: {}", task.question, names.join(", "))
}

/// Vote: enhance or solve (Appendix C.2).
pub(super) fn vote(language: KgotLanguage) -> String {
    let solve = match language {
        KgotLanguage::Direct => {
            "If the graph has ALL that the task needs, reply with \
             {\"query_type\": \"RETRIEVE\", \"query\": \"…\"}, where query is the answer itself, as \
             the graph gives it."
                .to_owned()
        }
        KgotLanguage::Networkx => {
            "If the graph has ALL that the task needs, reply with \
             {\"query_type\": \"RETRIEVE\", \"query\": \"…\"}, where query is code in Python that \
             reads the answer, or what it is calculated from, into the variable result."
                .to_owned()
        }
        _ => format!(
            "If the graph has ALL that the task needs, reply with \
             {{\"query_type\": \"RETRIEVE\", \"query\": \"…\"}}, where query is a query in {} that \
             reads the answer, or what it is calculated from. It must not write.",
            language.title()
        ),
    };
    format!(
        "You solve a task by growing a knowledge graph. Decide on the next step.\n{solve}\n\
         If something is missing, reply with {{\"query_type\": \"INSERT\", \"query\": \"…\"}}, where \
         query says in words what is missing and where it might be found.\n\
         Do not guess: what the graph does not say is missing. Reply with one JSON object and \
         nothing else.{}",
        hint(language)
    )
}

/// What a language is like here.
fn hint(language: KgotLanguage) -> &'static str {
    match language {
        KgotLanguage::Sparql => {
            "\nIn SPARQL every name has the empty prefix, which is declared already: \
             ?p a :Person ; :name ?n ; :WROTE ?t."
        }
        KgotLanguage::Networkx => {
            "\nThe code sees the graph as G, a networkx.MultiDiGraph; nx is networkx. Nodes are called \
             as the graph shows them: G.nodes['Ada'] has the properties and labels, a list. Edges \
             have their type: [t for _, t, e in G.out_edges('Ada', data=True) if e['type'] == \
             'WROTE']. What reads leaves rows in result: a list of dicts, a list, or one value; print \
             shows nothing. There are no files and no network."
        }
        _ => "",
    }
}

/// One paragraph of several reasons.
pub(super) const MERGE_REASONS: &str = "Several readers said what a knowledge graph is missing to solve a task. Put what they said \
     together: one short paragraph that names each missing thing once. Reply with one JSON object \
     and nothing else: {\"reason\": \"…\"}";

/// Which tools to call (Appendix C.3).
pub(super) const CALL_TOOLS: &str = "You find what a knowledge graph is missing to solve a task. Call the tools that give it; call \
     several at once where they do not need each other. A tool sees nothing but its arguments. Do \
     not repeat a call.";

/// Queries that write (Appendix C.3).
pub(super) fn write(language: KgotLanguage) -> String {
    let (form, example) = match language {
        KgotLanguage::Sparql => (
            "SPARQL 1.1 updates (INSERT DATA)",
            "INSERT DATA { :Ada a :Person ; :name \\\"Ada\\\" ; :WROTE :Notes . :Notes a :Text ; \
             :title \\\"Notes\\\" }",
        ),
        KgotLanguage::Networkx => (
            "Python that changes G",
            "G.add_node('Ada', labels=['Person'], born=1815)\\nG.add_node('Notes', \
             labels=['Text'])\\nG.add_edge('Ada', 'Notes', type='WROTE')",
        ),
        _ => (
            "Cypher queries (MERGE)",
            "MERGE (a:Person {name: 'Ada'}) MERGE (t:Text {title: 'Notes'}) MERGE (a)-[:WROTE]->(t)",
        ),
    };
    let end = match language {
        KgotLanguage::Networkx => "G.add_node of a node that is there adds to it; no result",
        _ => "no RETURN",
    };
    format!(
        "Write the new information into the knowledge graph, as {form}. Write only what is \
         there: no guesses, no calculations, numbers as numbers. Leave out what the task does not need. \
         Use the labels, types and names that the graph has already. One query for what belongs \
         together; {end}. Reply with one JSON object and nothing else, with an empty list where \
         nothing is new: {{\"queries\": [\"{example}\"]}}{}",
        match language {
            KgotLanguage::Networkx => hint(language),
            _ => "",
        }
    )
}

/// A query that failed.
pub(super) fn fix(language: KgotLanguage) -> String {
    format!(
        "A query in {} failed. Correct it, so that it does what it was meant to do. Reply with one \
         JSON object and nothing else: {{\"query\": \"…\"}}{}",
        language.title(),
        hint(language)
    )
}

/// A query that read nothing.
pub(super) fn reread(language: KgotLanguage) -> String {
    format!(
        "A query in {} gave nothing, though the graph seemed to have what the task needs. Write \
         another that reads it from the graph as it is: look at labels, types, names and their \
         letters. Reply with one JSON object and nothing else: {{\"query\": \"…\"}}{}",
        language.title(),
        hint(language)
    )
}

/// A query that must answer (Appendix C.4, "forced").
pub(super) fn forced(language: KgotLanguage) -> String {
    match language {
        KgotLanguage::Direct => {
            "No more can be found. Answer from the knowledge graph as well as it goes, with a guess \
             where needed. Reply with one JSON object and nothing else: {\"query\": \"the answer\"}"
                .to_owned()
        }
        _ => format!(
            "No more can be found. Write the query in {} that comes nearest to the answer with what \
             the graph has. Reply with one JSON object and nothing else: {{\"query\": \"…\"}}{}",
            language.title(),
            hint(language)
        ),
    }
}

/// Whether something is to be calculated.
pub(super) const NEEDS_MATHS: &str = "Something was found for a task. Say whether it must still be calculated with (added, divided, \
     averaged, converted, counted over more than a few) to give the answer. Reply with one JSON \
     object and nothing else: {\"needs_calculation\": true}";

/// What to calculate.
pub(super) const CALCULATE: &str = "Something was found for a task, and the answer must be calculated from it. Call the function \
     calculate with one expression.";

/// The answer in its last form (GAIA's rules).
pub(super) const ANSWER: &str = "Give the answer to the task from what was found: a number, as few words as possible, or a list \
     with commas. Digits for numbers, without thousands separators and, unless asked for, without \
     units. No articles, no abbreviations, no sentence. Reply with one JSON object and nothing \
     else: {\"solution\": \"…\"}";

/// One of several answers.
pub(super) const CHOOSE: &str = "Several answers to a task were found. Choose the one that fits the task best, as it is written. \
     Reply with one JSON object and nothing else: {\"solution\": \"…\"}";

/// One of the answers of several languages.
pub(super) const SELECT: &str = "A task was solved several times, each time with a knowledge graph of its own, and the answers \
     differ. Each stands below with what it was read by and what it stands on. Choose the one that \
     is right: whose graph says what the task asks for, whose query reads that and nothing else, and \
     which is in the form that the task wants. That several gave it counts less than what it stands \
     on. Reply with one JSON object and nothing else, with the number of the answer: {\"choice\": 1}";

/// An answer without a result.
pub(super) const GUESS: &str = "Nothing more can be found. Answer the task as well as the knowledge graph and what you know \
     allow; you may guess. A number, as few words as possible, or a list with commas. Reply with one \
     JSON object and nothing else: {\"solution\": \"…\"}";
