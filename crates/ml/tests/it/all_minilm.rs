//! The real all-MiniLM-L6-v2 against what its publishers print of it, where `GRAPHGROUND_CACHE`
//! names the folder that `graphground meaning fetch` filled.

use std::path::PathBuf;

use ml::MiniLm;

#[test]
fn the_model_gives_the_numbers_that_its_publishers_print() {
    let Some(cache) = std::env::var_os("GRAPHGROUND_CACHE").filter(|c| !c.is_empty()) else {
        test_data::missing("MiniLM, whose folder GRAPHGROUND_CACHE names");
        return;
    };
    let read = |name: &str| std::fs::read(PathBuf::from(&cache).join("minilm").join(name)).unwrap();
    let weights = read("model.safetensors");
    let model = MiniLm::new(weights, &read("tokenizer.json"), &read("config.json")).unwrap();
    let text = "This is an example sentence";
    assert_eq!(model.pieces(text).unwrap(), [101, 2023, 2003, 2019, 2742, 6251, 102]);
    let vector = model.vector(text).unwrap();
    assert_eq!((vector.len(), model.n_dims()), (384, 384));
    // What candle-transformers 0.11 made of the same weights.
    let asked = "Who founded the company that made the first telescope in northern Europe?";
    let theirs = [
        -0.003_993_828,
        -0.031_045_865,
        -0.047_849_897,
        -0.024_748_394,
        -0.065_022_86,
        -0.111_190_42,
    ];
    for (found, theirs) in model.vector(asked).unwrap().iter().zip(theirs) {
        assert!((found - theirs).abs() < 1e-6, "{found} {theirs}");
    }
    for (found, printed) in vector.iter().zip([0.067_656_9, 0.063_495_9, 0.048_713_1]) {
        assert!((found - printed).abs() < 1e-5, "{found} {printed}");
    }
}
