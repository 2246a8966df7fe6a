#!/usr/bin/env python3
"""Trains third-party programs on the splits that ours learn from, and prints their figures.

    cargo xtask peers --models [--quick] [--labels FILE]

has `graphground train … --export-split` write the splits and calls this with their folder:

    FOLDER/transe-DATA/{train,valid,test}.tsv      head, relation, tail      PyKEEN's TransE
    FOLDER/bpr-DATA/{train,valid,test}.tsv         user, item                implicit's BPR
    FOLDER/gcn-DATA/{train,valid,test}.tsv         node, class               a two-layer GCN in torch
    FOLDER/gcn-DATA/pack.jsonl                     the graph, as `graphground data pack` writes it
    FOLDER/wl-DATA/folds.tsv                       graph, class, fold        scikit-learn's SVM
    FOLDER/wl-DATA/pack.jsonl                      the graphs
    FOLDER/communities-DATA/pack.jsonl             a network with classes    networkx's Louvain,
                                                                             scikit-learn's k-means

A program with settings to choose is tried with as many as the most that any model of ours was, 13:
the usual ones of its paper or its documentation, then others that are drawn. Each trial is a training
with seed 1; the best on validation is trained with all seeds, and only then is the test looked at.

TransE on a graphics card, without a network, once the wheels are there (`docs/models.md`):

    python peers.py FOLDER --only transe-wordnet --device cuda

One JSON object a line goes to the standard output: program, data, seed, metrics, epochs, seconds and
seconds of the processor an epoch, settings. The share of the largest class stands beside accuracies,
that of what is most popular beside areas under a curve.
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
# The most that any of our models was tried with (`docs/models.md`).
TRIALS = 13
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


def drawn(usual, space, n):
    """The usual settings, then others at random, none twice."""
    chance, found = np.random.default_rng(0), [usual]
    while len(found) < n:
        other = {name: values[chance.integers(len(values))] for name, values in space.items()}
        if other not in found:
            found.append(other)
    return found


def tried(data, program, trials, score):
    """The best of the trials by `score`, a figure on validation; every trial is told."""
    best = None
    for i, settings in enumerate(trials):
        reached = score(settings)
        line = {"trial": i + 1, "program": program, "data": data, "valid": reached, "settings": settings}
        print(json.dumps(line), flush=True)
        if reached is not None and (best is None or reached > best[0]):
            best = reached, settings
    return best[1]


def transe(folder, data, seeds, args):
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
    usual = {
        "dims": args.dims, "norm": 1, "margin": 2.0 if is_large else 1.0, "lr": 0.01,
        "batch": 8192 if is_large else 256, "negatives": 1,
    }
    space = {
        "dims": [args.dims], "norm": [1, 2], "margin": [0.5, 1.0, 2.0, 4.0, 8.0],
        "lr": [0.001, 0.003, 0.01, 0.03, 0.1],
        "batch": [2048, 8192, 32768] if is_large else [64, 256, 1024], "negatives": [1, 4, 16],
    }
    epochs = 5 if args.quick else (args.epochs or (100 if is_large else 500))
    n_tried = 2 if args.quick else (args.trial_epochs or (max(1, epochs // 5) if is_large else epochs // 2))
    began, program = time.monotonic(), f"pykeen {pykeen.get_version()}, torch {torch.__version__}"
    program = f"{program}, {args.device}"

    def train(settings, n_epochs, seed, part):
        return pipeline(
            training=made["train"], validation=made["valid"], testing=made[part], model="TransE",
            model_kwargs={"embedding_dim": settings["dims"], "scoring_fct_norm": settings["norm"]},
            loss="MarginRankingLoss", loss_kwargs={"margin": settings["margin"]},
            optimizer="Adam", optimizer_kwargs={"lr": settings["lr"]},
            negative_sampler="basic",
            negative_sampler_kwargs={"num_negs_per_pos": settings["negatives"]},
            training_kwargs={
                "num_epochs": n_epochs, "batch_size": settings["batch"], "use_tqdm": False,
                "pin_memory": False,
            },
            # What is known of validation is no wrong answer to a question of the test, as with ours.
            evaluation_kwargs={
                "use_tqdm": False, "batch_size": 128,
                "additional_filter_triples": [made[p].mapped_triples for p in SPLITS],
            },
            filter_validation_when_testing=True, random_seed=seed, device=args.device,
        )

    metric = lambda result, name: float(result.metric_results.get_metric(f"both.realistic.{name}"))

    def score(settings):
        # Trials have half of the time; the rest is for the trainings that count.
        if args.seconds and time.monotonic() - began > args.seconds / 2:
            return None
        return metric(train(settings, n_tried, 1, "valid"), "hits_at_10")

    trials = drawn(usual, space, 1 if args.quick else args.trials)
    settings = tried(data, program, trials, score)
    for seed in seeds:
        if args.seconds and time.monotonic() - began > 0.85 * args.seconds:
            print(f"no time for seed {seed} of {folder.name}", file=sys.stderr)
            break
        watch, worked = Watch(), time.process_time()
        result = train(settings, epochs, seed, "test")
        metrics = {
            "mean_rank": metric(result, "arithmetic_mean_rank"),
            "hits_at_10": metric(result, "hits_at_10"), "hits_at_1": metric(result, "hits_at_1"),
            "whole_cpu_seconds": round(time.process_time() - worked, 1),
        }
        # The pipeline tells of the time that passed in the training alone, and of no processor's.
        watch.passed, watch.worked = result.train_seconds, None
        told(program, data, seed, metrics, epochs, watch, {**settings, "optimizer": "Adam"})


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


def bpr(folder, data, seeds, args):
    """Test items against all others, and against those that are in neither training nor validation;
    the epoch and the settings by validation, which does not know which items are in the test."""
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
    epochs = 10 if args.quick else 100
    program = f"implicit {implicit.__version__}"

    def train(settings, seed):
        """Of the epoch that validation chose: its figures; and the best figure on the test."""
        # A number would begin the same draws in every epoch.
        chance = np.random.default_rng(seed)
        model = BayesianPersonalizedRanking(
            factors=settings["dims"], learning_rate=settings["lr"], regularization=settings["reg"],
            iterations=1, use_gpu=False, random_state=chance, verify_negative_samples=True,
        )
        best, best_test, watch, n = None, 0.0, Watch(), 0
        for n in range(1, epochs + 1):
            with watch:
                # Fitting again goes on with the vectors that are there.
                model.fit(matrix, show_progress=False)
            if n % 2 and n < epochs:
                continue
            scores = np.asarray(model.user_factors) @ np.asarray(model.item_factors).T
            valid, test = auc(scores, of["valid"], of["train"]), auc(scores, of["test"], {})
            best_test = max(best_test, test)
            if best is None or valid > best[0]:
                best = valid, test, auc(scores, of["test"], seen), n
            # As with ours: twenty epochs without a better one end it.
            if n - best[3] >= 20:
                break
        return best, best_test, n, watch

    usual = {"dims": 32, "lr": 0.05, "reg": 0.01}
    space = {
        "dims": [8, 16, 32, 64, 128], "lr": [0.01, 0.02, 0.05, 0.1, 0.2],
        "reg": [0.0, 0.001, 0.003, 0.01, 0.03, 0.1],
    }
    trials = drawn(usual, space, 1 if args.quick else args.trials)
    settings = tried(data, program, trials, lambda s: train(s, 1)[0][0])
    popular = np.asarray(matrix.sum(axis=0), dtype=np.float64).repeat(len(users), axis=0)
    for seed in seeds:
        best, best_test, n, watch = train(settings, seed)
        metrics = {
            "auc_validation": best[0], "auc_chosen_on_validation": best[1],
            "auc_chosen_on_validation_without_training": best[2],
            "auc_at_best_test_epoch": best_test, "auc_of_popularity": auc(popular, of["test"], {}),
            "auc_of_popularity_without_training": auc(popular, of["test"], seen),
        }
        told(program, data, seed, metrics, n, watch, settings)


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


def gcn(folder, data, seeds, args):
    """Kipf and Welling's network, from the numbers of their paper."""
    import torch
    from torch.nn import functional

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
    epochs = 20 if args.quick else 200

    def train(settings, seed):
        """Of the epoch that validation chose: its figures; and the best figure on the test."""
        torch.manual_seed(seed)
        start = lambda a, b: torch.nn.Parameter(torch.nn.init.xavier_uniform_(torch.empty(a, b)))
        first, second = start(n_words, settings["hidden"]), start(settings["hidden"], len(classes))
        groups = [{"params": [first], "weight_decay": settings["decay"]}, {"params": [second]}]
        optimizer = torch.optim.Adam(groups, lr=settings["lr"], weight_decay=0.0)

        def forward(is_training):
            drop = lambda x: functional.dropout(x, settings["dropout"], is_training)
            kept = features
            if is_training:
                values = drop(features.values())
                kept = torch.sparse_coo_tensor(features.indices(), values, features.size())
            hidden = functional.relu(around @ (kept @ first))
            return around @ (drop(hidden) @ second)

        def measured(out, part):
            places, labels = known[part]
            right = float((out[places].argmax(1) == labels).float().mean())
            return right, float(functional.cross_entropy(out[places], labels))

        history, watch = [], Watch()
        for _ in range(epochs):
            with watch:
                optimizer.zero_grad()
                places, labels = known["train"]
                functional.cross_entropy(forward(True)[places], labels).backward()
                optimizer.step()
            with torch.no_grad():
                out = forward(False)
            history.append((*measured(out, "valid"), measured(out, "test")[0]))
        # As with ours: five measurements in a row, the smaller loss of those that are as good.
        mean = lambda end, of: sum(point[of] for point in history[end - 5 : end]) / 5
        chosen = max(range(5, epochs + 1), key=lambda end: (round(mean(end, 0), 9), -mean(end, 1)))
        return mean(chosen, 0), history[chosen - 1][2], max(p[2] for p in history), watch

    usual = {"hidden": 16, "dropout": 0.5, "lr": 0.01, "decay": 5e-4}
    space = {
        "hidden": [16, 32, 64], "dropout": [0.3, 0.5, 0.7, 0.8],
        "lr": [0.003, 0.005, 0.01, 0.02, 0.05], "decay": [1e-4, 5e-4, 1e-3, 5e-3, 1e-2],
    }
    program = f"GCN in torch {torch.__version__}"
    trials = drawn(usual, space, 1 if args.quick else args.trials)
    settings = tried(data, program, trials, lambda s: train(s, 1)[0])
    labels = {part: [label for _, label in split[part]] for part in SPLITS}
    for seed in seeds:
        valid, test, best_test, watch = train(settings, seed)
        metrics = {
            "accuracy_validation": valid, "accuracy_chosen_on_validation": test,
            "accuracy_at_best_test_epoch": best_test,
            "accuracy_of_the_largest_class": largest(
                labels["train"] + labels["valid"], labels["test"]
            ) / len(labels["test"]),
        }
        told(program, data, seed, metrics, epochs, watch, settings)


def communities(folder, data, seeds, args):
    """How well communities find again the classes: networkx's Louvain on the links, and k-means of
    scikit-learn on rows of common neighbours, with as many communities as ours."""
    import networkx as nx
    import sklearn
    from sklearn.cluster import KMeans
    from sklearn.metrics import normalized_mutual_info_score
    from scipy.sparse import csr_matrix

    labels, links = {}, []
    with open(folder / "pack.jsonl", encoding="utf-8") as file:
        next(file)
        for line in map(json.loads, file):
            if "n" in line:
                labels[line["n"]] = line.get("l")
            elif "e" in line and line["e"][0] != line["e"][1]:
                links.append(line["e"][:2])
    place = {name: i for i, name in enumerate(labels)}
    graph = nx.Graph(links)
    graph.add_nodes_from(labels)
    known = [name for name, label in labels.items() if label is not None]
    classes = [labels[name] for name in known]

    def agreed(found):
        of = [found[name] for name in known]
        most = collections.defaultdict(collections.Counter)
        for community, label in zip(of, classes, strict=True):
            most[community][label] += 1
        right = sum(counts.most_common(1)[0][1] for counts in most.values())
        return {
            "information": float(normalized_mutual_info_score(classes, of)),
            "purity": right / len(known), "communities": len(set(of)),
        }

    both = [(place[a], place[b]) for a, b in graph.edges] + [(place[b], place[a]) for a, b in graph.edges]
    around = csr_matrix((np.ones(len(both)), tuple(zip(*both, strict=True))), shape=2 * (len(place),))
    shared = (around @ around).toarray().astype(np.float32)
    for seed in seeds:
        watch = Watch()
        with watch:
            found = nx.community.louvain_communities(graph, seed=seed)
        of = {name: i for i, community in enumerate(found) for name in community}
        told(f"Louvain of networkx {nx.__version__}", data, seed, agreed(of), 1, watch, {})
        watch = Watch()
        with watch:
            machine = KMeans(n_clusters=10, n_init=1 if args.quick else 10, random_state=seed).fit(shared)
        of = dict(zip(labels, machine.labels_.tolist(), strict=True))
        told(
            f"k-means of scikit-learn {sklearn.__version__}", data, seed, agreed(of), 1, watch,
            {"communities": 10, "starts": 10},
        )


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


def wl(folder, data, seeds, args):
    """Weisfeiler and Lehman's subtree kernel in a support vector machine. As with ours, one fold is
    the test and the next one chooses: here the rounds and how much a mistake costs."""
    import sklearn
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.svm import SVC

    seed, quick = 1, args.quick  # Nothing is drawn.
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


PROGRAMS = {"transe": transe, "bpr": bpr, "gcn": gcn, "wl": wl, "communities": communities}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="", help="folders whose names begin so")
    parser.add_argument("--trials", type=int, default=TRIALS, help="settings that are tried")
    parser.add_argument("--dims", type=int, default=20, help="numbers of a vector of TransE")
    parser.add_argument("--epochs", type=int, help="epochs of TransE")
    parser.add_argument("--trial-epochs", type=int, help="epochs of a trial of TransE")
    parser.add_argument("--seconds", type=float, help="about how long TransE may take")
    parser.add_argument("--device", default="cpu", help="where TransE learns: cpu or cuda")
    parser.add_argument("--quick", action="store_true", help="few epochs: whether it runs at all")
    args = parser.parse_args()
    n_failed = 0
    for folder in sorted(args.folder.iterdir()):
        program, _, data = folder.name.partition("-")
        if program not in PROGRAMS or not folder.name.startswith(args.only):
            continue
        try:
            PROGRAMS[program](folder, data, range(1, 1 + (1 if args.quick else args.seeds)), args)
        except ImportError as error:
            print(f"skipped {folder.name}: {error}", file=sys.stderr)
            n_failed += 1
    sys.exit(1 if n_failed else 0)


if __name__ == "__main__":
    main()
