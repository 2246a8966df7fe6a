#!/usr/bin/env python3
"""Trains other people's programs on the splits that ours learn from, and prints their figures.

    cargo xtask peers --models [--quick] [--labels FILE]

has `graphground train … --export-split` write the splits and calls this with their folder:

    FOLDER/transe-DATA/{train,valid,test}.tsv      head, relation, tail      PyKEEN's TransE
    FOLDER/bpr-DATA/{train,valid,test}.tsv         user, item                implicit's BPR
    FOLDER/gcn-DATA/{train,valid,test}.tsv         node, class               a two-layer GCN in torch
    FOLDER/gcn-DATA/pack.jsonl                     the graph, as `graphground data pack` writes it
    FOLDER/wl-DATA/folds.tsv                       graph, class, fold        scikit-learn's SVM
    FOLDER/wl-DATA/pack.jsonl                      the graphs

One JSON object a line goes to the standard output: program, data, seed, metrics, epochs, seconds and
seconds of the processor an epoch, settings. The share of the largest class stands beside accuracies.
"""

import argparse
import collections
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


class Watch:
    """Seconds as they pass, and those in which the processor worked for this program: on a machine
    with other work only the latter can be compared."""

    def __init__(self):
        self.passed, self.worked = 0.0, 0.0

    def __enter__(self):
        self.began = time.monotonic(), time.process_time()

    def __exit__(self, *_):
        self.passed += time.monotonic() - self.began[0]
        self.worked += time.process_time() - self.began[1]


def told(program, data, seed, metrics, epochs, watch, settings):
    an_epoch = lambda seconds: None if seconds is None else round(seconds / max(epochs, 1), 4)
    line = {
        "program": program, "data": data, "seed": seed, "metrics": metrics, "epochs": epochs,
        "seconds_an_epoch": an_epoch(watch.passed),
        "cpu_seconds_an_epoch": an_epoch(watch.worked), "settings": settings,
    }
    print(json.dumps(line), flush=True)


def largest(known, asked):
    """How many of some have the class that is the most frequent among those that are known."""
    best = collections.Counter(sorted(known)).most_common(1)[0][0]
    return sum(label == best for label in asked)


def transe(folder, data, seed, quick, dims=20, epochs=None):
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
        "dims": dims, "norm": 1, "margin": 2.0 if is_large else 1.0, "optimizer": "Adam",
        "lr": 0.01, "batch": 8192 if is_large else 256, "negatives": 1,
        "epochs": 5 if quick else (epochs or (100 if is_large else 500)),
    }
    watch, worked = Watch(), time.process_time()
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
        evaluation_kwargs={"use_tqdm": False, "batch_size": 128}, random_seed=seed, device="cpu",
    )
    metric = lambda name: float(result.metric_results.get_metric(f"both.realistic.{name}"))
    metrics = {
        "mean_rank": metric("arithmetic_mean_rank"), "hits_at_10": metric("hits_at_10"),
        "whole_cpu_seconds": round(time.process_time() - worked, 1),
    }
    # The pipeline tells of the time that passed in the training alone, and of no processor's.
    watch.passed, watch.worked = result.train_seconds, None
    program = f"pykeen {pykeen.get_version()}, torch {torch.__version__}"
    told(program, data, seed, metrics, settings["epochs"], watch, settings)


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
    best_valid, at_valid, best_test, watch = 0.0, 0.0, 0.0, Watch()
    for _ in range(settings["epochs"]):
        with watch:
            # Fitting again goes on with the vectors that are there.
            model.fit(matrix, show_progress=False)
        scores = np.asarray(model.user_factors) @ np.asarray(model.item_factors).T
        valid, test = auc(scores, of["valid"], of["train"]), auc(scores, of["test"], seen)
        if valid > best_valid:
            best_valid, at_valid = valid, test
        best_test = max(best_test, test)
    metrics = {"auc_chosen_on_validation": at_valid, "auc_at_best_test_epoch": best_test}
    told(f"implicit {implicit.__version__}", data, seed, metrics, settings["epochs"], watch, settings)


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

    best_valid, at_valid, best_test, watch = 0.0, 0.0, 0.0, Watch()
    for _ in range(settings["epochs"]):
        with watch:
            optimizer.zero_grad()
            places, labels = known["train"]
            functional.cross_entropy(forward(True)[places], labels).backward()
            optimizer.step()
        with torch.no_grad():
            out = forward(False)
        valid, test = right(out, "valid"), right(out, "test")
        if valid > best_valid:
            best_valid, at_valid = valid, test
        best_test = max(best_test, test)
    labels = {part: [label for _, label in split[part]] for part in SPLITS}
    metrics = {
        "accuracy_chosen_on_validation": at_valid, "accuracy_at_best_test_epoch": best_test,
        "accuracy_of_the_largest_class": largest(
            labels["train"] + labels["valid"], labels["test"]
        ) / len(labels["test"]),
    }
    told(f"GCN in torch {torch.__version__}", data, seed, metrics, settings["epochs"], watch, settings)


def graphs(folder):
    """The graphs by name: the first feature of each node, and who is linked with whom."""
    found, kinds, places, around = {}, None, None, None
    with open(folder / "pack.jsonl", encoding="utf-8") as file:
        next(file)
        for line in map(json.loads, file):
            if "g" in line:
                kinds, places, around = [], {}, []
                found[line["g"]] = kinds, around
            elif "n" in line:
                places[line["n"]] = len(kinds)
                kinds.append(str(line.get("f", ["none"])[0]))
                around.append(set())
            elif "e" in line:
                a, b = places[line["e"][0]], places[line["e"][1]]
                around[a].add(b)
                around[b].add(a)
    return found


def surroundings(kinds, around, rounds):
    """How often each of Weisfeiler and Lehman's surroundings occurs, of all rounds up to this one."""
    counts = collections.Counter((0, kind) for kind in kinds)
    for i in range(1, rounds + 1):
        kinds = [
            f"({kind}:{','.join(sorted(kinds[other] for other in near))})"
            for kind, near in zip(kinds, around, strict=True)
        ]
        counts.update((i, kind) for kind in kinds)
    return counts


def wl(folder, data, seed, quick):
    """Weisfeiler and Lehman's subtree kernel in a support vector machine. As with ours, one fold is
    the test and the next one chooses: here the rounds and how much a mistake costs."""
    import sklearn
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.svm import SVC

    if seed > 1:
        return  # Nothing is drawn.
    known, folds = graphs(folder), {}
    with open(folder / "folds.tsv", encoding="utf-8") as file:
        for line in file:
            name, label, fold = line.rstrip("\n").split("\t")
            folds.setdefault(int(fold), []).append((name, label))
    settings = {
        "rounds": [1] if quick else [0, 1, 2, 3, 4],
        "cost": [1.0] if quick else [10.0**k for k in range(-3, 4)], "kernel": "linear",
    }
    watch, n, n_right, n_aside, n_largest, by_fold = Watch(), 0, 0, 0, 0, []
    for test in sorted(folds):
        valid = (test + 1) % len(folds)
        parts = {
            "train": [one for f in sorted(folds) if f not in (test, valid) for one in folds[f]],
            "valid": folds[valid], "test": folds[test],
        }
        labels = {part: [label for _, label in all_of] for part, all_of in parts.items()}
        best = -1, 0
        with watch:
            for rounds in settings["rounds"]:
                counts = {
                    part: [surroundings(*known[name], rounds) for name, _ in all_of]
                    for part, all_of in parts.items()
                }
                # Columns are strings to it.
                counts = {p: [{str(k): v for k, v in c.items()} for c in all_of] for p, all_of in counts.items()}
                columns = DictVectorizer(sparse=False).fit(counts["train"])
                made = {part: columns.transform(all_of) for part, all_of in counts.items()}
                for cost in settings["cost"]:
                    machine = SVC(kernel="linear", C=cost).fit(made["train"], labels["train"])
                    right = lambda part: int((machine.predict(made[part]) == labels[part]).sum())
                    # The first of those that are as good: fewer rounds, a smaller cost.
                    if (aside := right("valid")) > best[0]:
                        best = aside, right("test")
        n += len(labels["test"])
        n_aside, n_right = n_aside + best[0], n_right + best[1]
        n_largest += largest(labels["train"] + labels["valid"], labels["test"])
        by_fold.append(best[1] / len(labels["test"]))
    metrics = {
        "accuracy_chosen_on_validation": float(np.mean(by_fold)), "accuracy_put_aside": n_aside / n,
        "accuracy_of_all": n_right / n, "accuracy_of_the_largest_class": n_largest / n,
    }
    program = f"WL subtree kernel, SVM of scikit-learn {sklearn.__version__}"
    told(program, data, seed, metrics, 1, watch, settings)


PROGRAMS = {"transe": transe, "bpr": bpr, "gcn": gcn, "wl": wl}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="", help="folders whose names begin so")
    parser.add_argument("--dims", type=int, default=20, help="numbers of a vector of TransE")
    parser.add_argument("--epochs", type=int, help="epochs of TransE")
    parser.add_argument("--quick", action="store_true", help="few epochs: whether it runs at all")
    args = parser.parse_args()
    n_failed = 0
    for folder in sorted(args.folder.iterdir()):
        program, _, data = folder.name.partition("-")
        if program not in PROGRAMS or not folder.name.startswith(args.only):
            continue
        for seed in range(1, 1 + (1 if args.quick else args.seeds)):
            try:
                more = {"dims": args.dims, "epochs": args.epochs} if program == "transe" else {}
                PROGRAMS[program](folder, data, seed, args.quick, **more)
            except ImportError as error:
                print(f"skipped {folder.name}: {error}", file=sys.stderr)
                n_failed += 1
                break
    sys.exit(1 if n_failed else 0)


if __name__ == "__main__":
    main()
