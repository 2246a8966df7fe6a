//! Prices of models, as options name them.

use anyhow::{Context as _, Result};
use eval::prices::{Price, Prices, read_price};

/// The price list with what the command line gives.
pub fn read(given: &[String]) -> Result<Prices> {
    let mut prices = Prices::default();
    for text in given {
        let parts = text.split_once('=').and_then(|(m, p)| Some((m, p.split_once(',')?)));
        let (model, (input, output)) =
            parts.with_context(|| format!("--price {text:?}: write NAME=INPUT,OUTPUT"))?;
        let read = |p: &str| read_price(p).map_err(anyhow::Error::msg);
        let (input, output) = (read(input)?, read(output)?);
        prices.0.retain(|p| p.model != model);
        prices.0.push(Price { model: model.into(), input, output, ..Price::default() });
    }
    Ok(prices)
}
