//! How similar two texts are.

/// A similarity measure for texts.
pub trait SimilarityMeasure {
    /// What it is called, for people: `character trigrams`.
    fn label(&self) -> String;

    /// The least similarity of a text that is taken to be meant, where nobody says another, from 0
    /// to 1. Each measure has its own scale; `docs/graphrunner.md` tells how these were chosen.
    fn threshold(&self) -> f32 {
        0.6
    }

    /// Makes texts ready to be compared with many others.
    fn index(&self, texts: &[&str]) -> Box<dyn Index>;
}

/// Texts that are ready to be compared.
pub trait Index {
    /// How similar each text is to a query, in the texts' order: 1 is the same, 0 has nothing in
    /// common.
    fn scores(&self, query: &str) -> Vec<f32>;
}

/// Turns a text into a vector.
pub trait Embed {
    /// What it is called, for people: the model's name.
    fn label(&self) -> String;

    /// The least cosine of a text that is taken to be meant, as [`SimilarityMeasure::threshold`].
    fn threshold(&self) -> f32 {
        0.6
    }

    /// The text's vector, of length 1, or of length 0 where the text says nothing.
    fn embed(&self, text: &str) -> Vec<f32>;

    /// The vectors of texts, in their order; a model that is faster with several at once says so
    /// here.
    fn embed_all(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        texts.iter().map(|t| self.embed(t)).collect()
    }
}

impl<E: Embed + ?Sized> Embed for Box<E> {
    fn label(&self) -> String {
        (**self).label()
    }

    fn threshold(&self) -> f32 {
        (**self).threshold()
    }

    fn embed(&self, text: &str) -> Vec<f32> {
        (**self).embed(text)
    }

    fn embed_all(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        (**self).embed_all(texts)
    }
}

/// The similarity of vectors: their cosine, where that is positive.
pub struct Embedded<E>(pub std::rc::Rc<E>);

impl<E: Embed + 'static> SimilarityMeasure for Embedded<E> {
    fn label(&self) -> String {
        self.0.label()
    }

    fn threshold(&self) -> f32 {
        self.0.threshold()
    }

    fn index(&self, texts: &[&str]) -> Box<dyn Index> {
        Box::new(Vectors { model: self.0.clone(), vectors: self.0.embed_all(texts) })
    }
}

struct Vectors<E> {
    model: std::rc::Rc<E>,
    vectors: Vec<Vec<f32>>,
}

impl<E: Embed> Index for Vectors<E> {
    fn scores(&self, query: &str) -> Vec<f32> {
        let query = self.model.embed(query);
        let dot = |v: &Vec<f32>| v.iter().zip(&query).map(|(a, b)| a * b).sum::<f32>();
        self.vectors.iter().map(|v| dot(v).clamp(0.0, 1.0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Length;

    impl Embed for Length {
        fn label(&self) -> String {
            "length".into()
        }
        fn embed(&self, text: &str) -> Vec<f32> {
            let angle = text.len() as f32 / 10.0;
            vec![angle.cos(), angle.sin()]
        }
    }

    #[test]
    fn what_is_nearer_scores_more() {
        let index = Embedded(std::rc::Rc::new(Length)).index(&["four", "eightles", "three"]);
        let scores = index.scores("five");
        assert!((scores[0] - 1.0).abs() < 1e-6);
        assert!(scores[2] > scores[1]);
    }
}
