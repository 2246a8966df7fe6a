//! Answers that come in pieces: bytes in, [`Part`]s out, a [`ChatResponse`] at the end.
//!
//! Nothing here knows a transport. Whatever the sizes of the pieces in which the bytes come, the
//! result is the same; a property test in `tests/cassettes.rs` holds that for every tape.

mod assemble;
pub(crate) mod fields;
mod framing;
mod said;
mod utf8;

pub use assemble::{Assembly, CallPiece};
pub use framing::{Frame, Framing};
pub use utf8::Utf8Carry;

use crate::providers::read::MAX_BODY;
use crate::{ChatResponse, HttpHead, ModelError, Part, Provider};
use framing::Framer;

/// What the first bytes turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// No byte has come that tells.
    Unknown,
    /// Events of a stream.
    Stream,
    /// A whole answer, an error or a web page, though a stream was asked for.
    Whole,
}

/// Reads one streamed answer.
pub struct Decoder {
    provider: &'static Provider,
    head: HttpHead,
    shape: Shape,
    framer: Framer,
    assembly: Assembly,
    /// Bytes of a whole answer, or those before the shape is known.
    held: Vec<u8>,
    size: usize,
}

impl Decoder {
    /// A reader of what comes after this head.
    pub fn new(provider: &'static Provider, head: HttpHead) -> Self {
        // The bytes say more than a header does: errors and whole answers come under the type of a
        // stream, and streams under any other.
        let shape = if head.is_ok() { Shape::Unknown } else { Shape::Whole };
        Self {
            provider,
            head,
            shape,
            framer: Framer::new(provider.framing),
            assembly: Assembly::default(),
            held: Vec::new(),
            size: 0,
        }
    }

    /// Takes bytes as they come, and gives what they say.
    ///
    /// # Errors
    /// The endpoint reports an error within its stream, a piece cannot be read, or the answer is
    /// larger than anything sensible.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Part>, ModelError> {
        self.size += bytes.len();
        if self.size > MAX_BODY {
            return Err(ModelError::TooLarge { size: self.size, limit: MAX_BODY });
        }
        match self.shape {
            Shape::Whole => self.held.extend_from_slice(bytes),
            Shape::Stream => self.framer.feed(bytes),
            Shape::Unknown => {
                self.held.extend_from_slice(bytes);
                if let Some(first) = first_letter(&self.held) {
                    let is_whole = match self.provider.framing {
                        Framing::Sse => matches!(first, b'{' | b'[' | b'<'),
                        Framing::Lines => first != b'{',
                    };
                    self.shape = if is_whole { Shape::Whole } else { Shape::Stream };
                    if !is_whole {
                        let held = std::mem::take(&mut self.held);
                        self.framer.feed(&held);
                    }
                }
            }
        }
        self.read_frames()?;
        Ok(self.assembly.take_parts())
    }

    fn read_frames(&mut self) -> Result<(), ModelError> {
        while let Some(frame) = self.framer.next() {
            if self.assembly.is_done() {
                continue;
            }
            let is_over = self.assembly.has_ended_well();
            let read = frame.and_then(|frame| match frame {
                Some(frame) => (self.provider.event)(&mut self.assembly, &frame),
                None => {
                    self.assembly.beat();
                    Ok(())
                }
            });
            // What fails behind the end takes nothing away from the answer.
            if !is_over {
                read?;
            }
        }
        Ok(())
    }

    /// Whether the answer has said its end; nothing that comes after it counts.
    pub fn is_done(&self) -> bool {
        self.assembly.is_done()
    }

    /// Whether the model has said why it stopped. Usage may still come, so a transport reads on for a
    /// moment; a connection that fails or falls silent from here on is no fault.
    pub fn is_complete(&self) -> bool {
        self.shape == Shape::Stream && self.assembly.is_complete()
    }

    /// The answer, after the last byte.
    ///
    /// # Errors
    /// The stream ended before the answer did, or what came is no answer.
    pub fn finish(mut self) -> Result<ChatResponse, ModelError> {
        if self.shape == Shape::Stream {
            self.framer.end();
            self.read_frames()?;
            let stray = self.framer.stray();
            return self.assembly.finish(self.provider.id).map_err(|error| match error {
                // What the server said beside its stream is all that there is to know.
                ModelError::Broken { reason } if !stray.is_empty() => {
                    ModelError::Broken { reason: format!("{reason}: \"{stray}\"") }
                }
                error => error,
            });
        }
        let body = String::from_utf8_lossy(&self.held).into_owned();
        let is_ok = self.head.is_ok();
        let whole = (self.provider.response)(&self.head.clone().with_body(body));
        match whole {
            // No whole, but perhaps the pieces of one, a line each, without what cuts a stream.
            Err(ModelError::NotJson { .. }) if is_ok && self.provider.framing == Framing::Sse => {
                self.framer = Framer::new(Framing::Lines);
                self.framer.feed(&self.held);
                self.framer.end();
                let read = self.read_frames();
                match read.and_then(|()| self.assembly.finish(self.provider.id)) {
                    Err(ModelError::Broken { .. }) => whole,
                    read => read,
                }
            }
            whole => whole,
        }
    }
}

/// The first byte that is no white space and no byte order mark.
fn first_letter(bytes: &[u8]) -> Option<u8> {
    bytes.iter().copied().find(|b| !b.is_ascii_whitespace() && !matches!(b, 0xef | 0xbb | 0xbf))
}
