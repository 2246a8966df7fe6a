#!/usr/bin/env python3
"""Compares the scores of texts with rouge-score and sacrebleu (PyPI) on pairs made from a seed.

    cargo xtask peers --texts

reads what `crates/text/examples/texts.rs` writes, from the standard input, and exits with 1 unless
every number agrees to 1e-9 and every token is the same.
"""

import collections
import json
import sys

from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

NAMES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
rouge = rouge_scorer.RougeScorer(NAMES, use_stemmer=False)
bleu = BLEU(smooth_method="none", tokenize="13a", effective_order=False, force=True)
tokens = Tokenizer13a()
compared, agreed = collections.Counter(), collections.Counter()
references, predictions, last = [], [], None


def same(what, ours, theirs, line):
    compared[what] += 1
    close = ours == theirs or all(abs(a - b) <= 1e-9 for a, b in zip(ours, theirs, strict=True))
    agreed[what] += close
    if not close and compared[what] - agreed[what] <= 3:
        print("DIFFERS", what, ours, theirs, json.dumps(line), file=sys.stderr)


def of(score):
    return [score.score / 100, score.bp]


for line in map(json.loads, sys.stdin):
    if "reference" not in line:
        last = line
        continue
    reference, prediction = line["reference"], line["prediction"]
    references.append(reference)
    predictions.append(prediction)
    theirs = rouge.score(reference, prediction)
    for name in NAMES:
        same(name, line["rouge"][name], list(theirs[name]), line)
    same("tokens 13a", [line["tokens"]], [tokens(prediction.rstrip())], line)
    same("BLEU of a pair", line["bleu"], of(bleu.corpus_score([prediction], [[reference]])), line)
same("BLEU of all", last["bleu"], of(bleu.corpus_score(predictions, [references])), last)
for what, n in compared.items():
    print(f"{what}: {agreed[what]} of {n} agree")
sys.exit(0 if references and compared == agreed else 1)
