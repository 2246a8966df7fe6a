#!/usr/bin/env python3
"""Trains other people's programs on the splits that ours learn from, and prints their figures.

    cargo xtask peers --models [--quick]

has `graphground train … --export-split` write the splits and calls this with their folder:

    FOLDER/transe-DATA/{train,valid,test}.tsv      head, relation, tail      PyKEEN's TransE
    FOLDER/bpr-DATA/{train,valid,test}.tsv         user, item                implicit's BPR
    FOLDER/gcn-DATA/{train,valid,test}.tsv         node, class               a two-layer GCN in torch
    FOLDER/gcn-DATA/pack.jsonl                     the graph, as `graphground data pack` writes it

One JSON object a line goes to the standard output: program, data, seed, metrics, epochs, seconds an
epoch, settings.
"""

import argparse
import json
import pathlib
import sys
import time
import warnings

import numpy as np

SPLITS = ("train", "valid", "test")
# What these programs warn of on the way is about graphics cards and sparse matrices.
warnings.filterwarnings("ignore", category=UserWarning)


def rows(folder, part):
    with open(folder / f"{part}.tsv", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if line.strip()]


def told(program, data, seed, metrics, epochs, seconds, settings):
    line = {
        "program": program, "data": data, "seed": seed, "metrics": metrics, "epochs": epochs,
        "seconds_an_epoch": round(seconds / max(epochs, 1), 4), "settings": settings,
    }
    print(json.dumps(line), flush=True)


def transe(folder, data, seed, quick):
    """The filtered ranks of heads and tails together, ties counted by their middle."""
    import pykeen
    import torch
    from pykeen.pipeline import pipeline
    from pykeen.triples import TriplesFactory

    triples = {part: np.array(rows(folder, part), dtype=str) for part in SPLITS}
    # Ids have to be known of all that occurs, for ours counts every entity of the data as a rival.
    whole = TriplesFactory.from_labeled_triples(np.concatenate(list(triples.values())))
    ids = {"entity_to_id": whole.entity_to_id, "relation_to_id": whole.relation_to_id}
    made = {p: TriplesFactory.from_labeled_triples(t, **ids) for p, t in triples.items()}
    is_large = len(triples["train"]) > 100_000
    settings = {
        "dims": 20, "norm": 1, "margin": 2.0 if is_large else 1.0, "optimizer": "Adam",
        "lr": 0.01, "batch": 4096 if is_large else 256, "negatives": 1,
        "epochs": 5 if quick else (50 if is_large else 500),
    }
    began = time.monotonic()
    result = pipeline(
        training=made["train"], validation=made["valid"], testing=made["test"], model="TransE",
        model_kwargs={"embedding_dim": settings["dims"], "scoring_fct_norm": settings["norm"]},
        loss="MarginRankingLoss", loss_kwargs={"margin": settings["margin"]},
        optimizer=settings["optimizer"], optimizer_kwargs={"lr": settings["lr"]},
        negative_sampler="basic", negative_sampler_kwargs={"num_negs_per_pos": 1},
        training_kwargs={
            "num_epochs": settings["epochs"], "batch_size": settings["batch"], "use_tqdm": False,
            "pin_memory": False,
        },
        evaluation_kwargs={"use_tqdm": False}, random_seed=seed, device="cpu",
    )
    metric = lambda name: float(result.metric_results.get_metric(f"both.realistic.{name}"))
    metrics = {
        "mean_rank": metric("arithmetic_mean_rank"), "hits_at_10": metric("hits_at_10"),
        "whole_seconds": round(time.monotonic() - began, 1),
    }
    program = f"pykeen {pykeen.get_version()}, torch {torch.__version__}"
    told(program, data, seed, metrics, settings["epochs"], result.train_seconds, settings)


def auc(scores, right, without):
    """The mean over users of the share of pairs that are in order; ties count a half."""
    all_of = []
    for user, found in right.items():
        kind = np.zeros(scores.shape[1], dtype=np.int8)
        kind[list(without.get(user, ()))] = 2
        kind[list(found)] = 1
        good, bad = scores[user, kind == 1], np.sort(scores[user, kind == 0])
        if len(good) and len(bad):
            below = np.searchsorted(bad, good, "left")
            upto = np.searchsorted(bad, good, "right")
            all_of.append(((below + upto) / 2).mean() / len(bad))
    return float(np.mean(all_of))


def bpr(folder, data, seed, quick):
    import implicit
    from implicit.bpr import BayesianPersonalizedRanking
    from scipy.sparse import csr_matrix

    pairs = {part: rows(folder, part) for part in SPLITS}
    users, items = {}, {}
    for user, item in (pair for part in SPLITS for pair in pairs[part]):
        users.setdefault(user, len(users))
        items.setdefault(item, len(items))
    of = {part: {} for part in SPLITS}
    for part in SPLITS:
        for user, item in pairs[part]:
            of[part].setdefault(users[user], set()).add(items[item])
    liked = [(users[u], items[i]) for u, i in pairs["train"]]
    matrix = csr_matrix(
        (np.ones(len(liked), dtype=np.float32), tuple(zip(*liked, strict=True))),
        shape=(len(users), len(items)),
    )
    seen = {u: of["train"].get(u, set()) | of["valid"].get(u, set()) for u in users.values()}
    settings = {"dims": 32, "lr": 0.05, "reg": 0.01, "epochs": 10 if quick else 100}
    # A number would begin the same draws in every epoch.
    chance = np.random.default_rng(seed)
    model = BayesianPersonalizedRanking(
        factors=settings["dims"], learning_rate=settings["lr"], regularization=settings["reg"],
        iterations=1, use_gpu=False, random_state=chance, verify_negative_samples=True,
    )
    best_valid, at_valid, best_test, seconds = 0.0, 0.0, 0.0, 0.0
    for _ in range(settings["epochs"]):
        began = time.monotonic()
        # Fitting again goes on with the vectors that are there.
        model.fit(matrix, show_progress=False)
        seconds += time.monotonic() - began
        scores = np.asarray(model.user_factors) @ np.asarray(model.item_factors).T
        valid, test = auc(scores, of["valid"], of["train"]), auc(scores, of["test"], seen)
        if valid > best_valid:
            best_valid, at_valid = valid, test
        best_test = max(best_test, test)
    metrics = {"auc_chosen_on_validation": at_valid, "auc_at_best_test_epoch": best_test}
    told(f"implicit {implicit.__version__}", data, seed, metrics, settings["epochs"], seconds, settings)


def network(folder):
    """The nodes with their features, rows that sum up to 1, and links both ways, with loops."""
    nodes, words, links, n_words = {}, [], set(), 0
    with open(folder / "pack.jsonl", encoding="utf-8") as file:
        next(file)
        for line in map(json.loads, file):
            if "n" in line:
                nodes[line["n"]] = len(nodes)
                has = line.get("f", [])
                words.append((has, line.get("v", [1.0] * len(has))))
                n_words = max([n_words, *(f + 1 for f in has)])
            elif "e" in line:
                a, b = nodes[line["e"][0]], nodes[line["e"][1]]
                links |= {(a, b), (b, a)}
    links |= {(i, i) for i in range(len(nodes))}
    return nodes, words, n_words, sorted(links)


def gcn(folder, data, seed, quick):
    """Kipf and Welling's network with the numbers of their paper."""
    import torch
    from torch.nn import functional

    torch.manual_seed(seed)
    nodes, words, n_words, links = network(folder)
    n = len(nodes)
    at = [(i, f) for i, (has, _) in enumerate(words) for f in has]
    value = [v / sum(values) for _, values in words for v in values]
    make = lambda index, value, size: torch.sparse_coo_tensor(
        torch.tensor(index).T, torch.tensor(value, dtype=torch.float32), size
    ).coalesce()
    degree = np.zeros(n)
    for a, _ in links:
        degree[a] += 1
    around = make(links, [float((degree[a] * degree[b]) ** -0.5) for a, b in links], (n, n))
    features = make(at, value, (n, n_words))
    split = {part: rows(folder, part) for part in SPLITS}
    classes = sorted({label for part in SPLITS for _, label in split[part]})
    known = {}
    for part in SPLITS:
        places = torch.tensor([nodes[node] for node, _ in split[part]])
        known[part] = places, torch.tensor([classes.index(label) for _, label in split[part]])
    settings = {
        "hidden": 16, "dropout": 0.5, "lr": 0.01, "decay": 5e-4, "epochs": 20 if quick else 200,
    }
    start = lambda a, b: torch.nn.Parameter(torch.nn.init.xavier_uniform_(torch.empty(a, b)))
    first, second = start(n_words, settings["hidden"]), start(settings["hidden"], len(classes))
    groups = [{"params": [first], "weight_decay": settings["decay"]}, {"params": [second]}]
    optimizer = torch.optim.Adam(groups, lr=settings["lr"])

    def forward(is_training):
        drop = lambda x: functional.dropout(x, settings["dropout"], is_training)
        kept = features
        if is_training:
            kept = torch.sparse_coo_tensor(features.indices(), drop(features.values()), features.size())
        hidden = functional.relu(around @ (kept @ first))
        return around @ (drop(hidden) @ second)

    def right(out, part):
        places, labels = known[part]
        return float((out[places].argmax(1) == labels).float().mean())

    best_valid, at_valid, best_test, seconds = 0.0, 0.0, 0.0, 0.0
    for _ in range(settings["epochs"]):
        began = time.monotonic()
        optimizer.zero_grad()
        places, labels = known["train"]
        functional.cross_entropy(forward(True)[places], labels).backward()
        optimizer.step()
        seconds += time.monotonic() - began
        with torch.no_grad():
            out = forward(False)
        valid, test = right(out, "valid"), right(out, "test")
        if valid > best_valid:
            best_valid, at_valid = valid, test
        best_test = max(best_test, test)
    metrics = {"accuracy_chosen_on_validation": at_valid, "accuracy_at_best_test_epoch": best_test}
    told(f"GCN in torch {torch.__version__}", data, seed, metrics, settings["epochs"], seconds, settings)


PROGRAMS = {"transe": transe, "bpr": bpr, "gcn": gcn}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="", help="folders whose names begin so")
    parser.add_argument("--quick", action="store_true", help="few epochs: whether it runs at all")
    args = parser.parse_args()
    n_failed = 0
    for folder in sorted(args.folder.iterdir()):
        program, _, data = folder.name.partition("-")
        if program not in PROGRAMS or not folder.name.startswith(args.only):
            continue
        for seed in range(1, 1 + (1 if args.quick else args.seeds)):
            try:
                PROGRAMS[program](folder, data, seed, args.quick)
            except ImportError as error:
                print(f"skipped {folder.name}: {error}", file=sys.stderr)
                n_failed += 1
                break
    sys.exit(1 if n_failed else 0)


if __name__ == "__main__":
    main()
