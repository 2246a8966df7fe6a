//! Asking the page, and waiting for what it says.

use std::marker::PhantomData;
use std::pin::pin;

use futures_channel::mpsc::UnboundedReceiver;
use futures_util::StreamExt as _;
use futures_util::future::{Either, select};
use protocol::{FromWorker, Service};
use serde::de::DeserializeOwned;

use crate::Attachments;
use crate::asks::Word;
use crate::context::{Context, Ended};

/// What comes of a question.
pub(crate) enum Answer<S: Service> {
    /// A part, before the reply.
    Part(S::Event),
    /// The reply, and the bytes beside it.
    Reply(S::Reply, Attachments),
}

/// A pending question. Dropping it tells the page that the answer is no longer needed.
pub(crate) struct Asking<S: Service> {
    context: Context,
    ask: u32,
    words: UnboundedReceiver<Word>,
    outlasts_stop: bool,
    of: PhantomData<fn() -> S>,
}

impl<S: Service> Asking<S> {
    /// Waits for what comes next.
    ///
    /// # Errors
    /// [`Ended::Cancelled`] if the job is stopped; else why the page has no answer.
    pub(crate) async fn next(&mut self) -> Result<Answer<S>, Ended> {
        let word = if self.outlasts_stop {
            self.words.next().await
        } else {
            let stopped = pin!(self.context.controls.cancel.cancelled());
            match select(stopped, self.words.next()).await {
                Either::Left(_) => None,
                Either::Right((word, _)) => word,
            }
        };
        match word {
            Some(Word::Part(part)) => Ok(Answer::Part(read::<S, _>(&part)?)),
            Some(Word::Reply(reply, beside)) => Ok(Answer::Reply(read::<S, _>(&reply?)?, beside)),
            None => Err(Ended::Cancelled),
        }
    }

    /// Waits for the reply alone, with the bytes beside it.
    ///
    /// # Errors
    /// As of [`Asking::next`].
    pub(crate) async fn reply(mut self) -> Result<(S::Reply, Attachments), Ended> {
        loop {
            if let Answer::Reply(reply, beside) = self.next().await? {
                return Ok((reply, beside));
            }
        }
    }

    /// The same question, whose answer is waited for although the job is stopped.
    pub(crate) fn through_stop(mut self) -> Self {
        self.outlasts_stop = true;
        self
    }
}

impl<S: Service> Drop for Asking<S> {
    fn drop(&mut self) {
        if self.context.controls.asks.end(self.ask) {
            self.context.post(FromWorker::Unask { ask: self.ask });
        }
    }
}

fn read<S: Service, T: DeserializeOwned>(text: &str) -> Result<T, Ended> {
    serde_json::from_str(text).map_err(|error| {
        // The page and the worker are of one build.
        Ended::Failed(format!("internal error: the answer to {} cannot be read: {error}", S::NAME))
    })
}

impl Context {
    /// Asks the page, and waits for its answer.
    ///
    /// # Errors
    /// [`Ended::Cancelled`] if the job is stopped; else why the page has no answer.
    pub(crate) async fn ask<S: Service>(&self, request: &S) -> Result<S::Reply, Ended> {
        Ok(self.begin(request).reply().await?.0)
    }

    /// Asks the page, without waiting for the answer yet.
    pub(crate) fn begin<S: Service>(&self, request: &S) -> Asking<S> {
        let (ask, words) = self.controls.asks.begin();
        match serde_json::to_string(request) {
            Ok(request) => {
                let service = S::NAME.to_owned();
                self.post(FromWorker::Ask { ask, service, request });
            }
            Err(error) => {
                let why = format!("internal error: {} cannot be written: {error}", S::NAME);
                self.controls.asks.reply(ask, Err(why), Attachments::default());
            }
        }
        let (context, of) = (self.clone(), PhantomData);
        Asking { context, ask, words, outlasts_stop: false, of }
    }
}
