//! Conversations as a model of a file reads them: its own chat template, its own tokens, and which of
//! them it learns to say.

use gguf::{ChatTemplate, File, ModelTokenizer, Prompt, described};
use llm::{ChatRequest, Message, ToolSpec};

use super::Example;
use super::data::Line;
use anyhow::{Context as _, Result};

/// How a file's model reads and writes conversations.
pub(crate) struct Wording {
    tokenizer: ModelTokenizer,
    template: ChatTemplate,
}

impl Wording {
    pub(crate) fn of<R>(file: &File<R>) -> Result<Self> {
        let template = file.template_if_any()?.context(
            "it has no chat template, so nobody could ask what was learned; give the file of a model \
             that answers conversations",
        )?;
        Ok(Self { tokenizer: file.tokenizer()?, template })
    }

    /// Whether the template has a place for tools. Else they are put into words.
    pub(crate) fn knows_tools(&self) -> bool {
        self.template.knows_tools()
    }

    /// A line as tokens. What the assistant says is learned with the token that ends its turn; the
    /// rest is only read. No tokens are filled in.
    ///
    /// # Errors
    /// What is wrong with the line, in words.
    pub(crate) fn example(&self, line: &Line) -> std::result::Result<Example, String> {
        for (i, message) in line.messages.iter().enumerate() {
            let called = message.tool_calls.iter().map(|call| call.arguments.as_str());
            for text in called.chain([message.content.as_str()]) {
                if let Some(token) = self.tokenizer.control_in(text) {
                    return Err(format!(
                        "message {} has {:?} in its text, which would end or begin a turn; take it out",
                        i + 1,
                        self.tokenizer.text(token)
                    ));
                }
            }
        }
        let (messages, tools, learned) = self.told(line);
        let failed = |error: gguf::GgufError| error.to_string();
        let prompt = |n: usize| Prompt { messages: &messages[..n], tools, now_s: None };
        let whole = self.template.render_whole(&prompt(messages.len())).map_err(failed)?;
        let mut example = Example { tokens: Vec::new(), is_own: Vec::new(), line: line.number };
        let mut at = 0;
        for i in (0..messages.len()).filter(|i| learned[*i]) {
            // What the model is asked with, and the same with what it then says.
            let asked = self.template.render(&prompt(i)).map_err(failed)?;
            let said = self.template.render_whole(&prompt(i + 1)).map_err(failed)?;
            if !said.starts_with(&asked) || !whole.starts_with(&said) || asked.len() < at {
                return Err(format!(
                    "the chat template writes message {} in another way once others follow it; give \
                     the conversation up to there as a line of its own",
                    i + 1
                ));
            }
            self.read(&whole[at..asked.len()], &mut example)?;
            at = said.len();
            self.say(&said[asked.len()..], at == whole.len(), &mut example)?;
        }
        Ok(example)
    }

    /// The conversation as the template gets it: where it has no place for tools they stand in words.
    fn told<'l>(&self, line: &'l Line) -> (Vec<Message>, &'l [ToolSpec], Vec<bool>) {
        if line.tools.is_empty() || self.knows_tools() {
            return (line.messages.clone(), &line.tools, line.learned.clone());
        }
        let (messages, tools) = (line.messages.clone(), line.tools.clone());
        let messages = described(&ChatRequest { messages, tools, ..ChatRequest::default() });
        let n_more = messages.len() - line.messages.len();
        let learned = std::iter::repeat_n(false, n_more).chain(line.learned.iter().copied());
        (messages, &[], learned.collect())
    }

    fn read(&self, text: &str, into: &mut Example) -> std::result::Result<(), String> {
        let is_first = into.tokens.is_empty();
        let tokens = match is_first {
            true => self.tokenizer.prompt(text),
            false => self.tokenizer.prompt_behind(text),
        };
        into.push(tokens.map_err(|e| e.to_string())?, false);
        Ok(())
    }

    /// What the model says: all up to the token that ends its turn, and that token.
    fn say(
        &self,
        text: &str,
        is_last: bool,
        into: &mut Example,
    ) -> std::result::Result<(), String> {
        let mut tokens = self.tokenizer.prompt_behind(text).map_err(|e| e.to_string())?;
        let end = tokens.iter().rposition(|token| self.tokenizer.is_end(*token));
        let rest = match end {
            Some(end) => tokens.split_off(end + 1),
            // Some templates leave the end to whoever generates.
            None if is_last => {
                let end = self.tokenizer.ends().next().ok_or("no token of the file ends a turn")?;
                tokens.push(end);
                Vec::new()
            }
            None => return Err("the chat template ends no turn of the assistant".to_owned()),
        };
        if tokens.len() < 2 {
            return Err("the chat template leaves out what the assistant says".to_owned());
        }
        into.push(tokens, true);
        into.push(rest, false);
        Ok(())
    }
}
