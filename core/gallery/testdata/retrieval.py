"""Retrieval on a small gallery, by SciPy's linear programming and NumPy, for
evaluate_test.go.

    python3 retrieval.py > retrieval.json

Metrics follow Musgrave, Belongie, Lim: A Metric Learning Reality Check (2020),
section 3.2.
"""
import json

import numpy as np
from scipy.optimize import linprog

T = 12.5
NODES, CHANNELS = 6, 8
LABELS = [0] * 4 + [1] * 4 + [2] * 5 + [3] * 2 + [4] + [5] * 8  # class 4 has one picture
CANDIDATES = [0, 3, 12, len(LABELS) - 1]
KS = [1, 2, 5]


def gallery(rng):
    centres = rng.normal(size=(max(LABELS) + 1, NODES, CHANNELS))
    pictures = [np.abs(centres[c] + 1.3 * rng.normal(size=centres[c].shape)) for c in LABELS]
    return np.float32(pictures).astype(float)


def weights(of, against):
    w = np.maximum(of @ against.mean(0), 0) + 1e-3 + 1e-5
    return w * NODES / w.sum()


def emd(query, support):
    u, v = (x - x.mean(1, keepdims=True) for x in (query, support))
    u, v = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (u, v))
    similarity = u @ v.T
    rows = np.kron(np.eye(NODES), np.ones(NODES))
    columns = np.kron(np.ones(NODES), np.eye(NODES))
    flow = linprog((1 - similarity).ravel(), A_eq=np.vstack([rows, columns]),
                   b_eq=np.concatenate([weights(query, support), weights(support, query)]), method="highs").x
    return T / NODES * similarity.ravel() @ flow


def metrics(hits, r):
    """hits are 0 or 1 by rank; r is how many there are to find."""
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return {
        "recall": [float(hits[:k].any()) for k in KS],
        "rPrecision": float(precision[r - 1]),
        "mapR": float((precision * hits)[:r].sum() / r),
    }


def main():
    rng = np.random.default_rng(7)
    pictures = gallery(rng)
    labels = np.array(LABELS)
    means = pictures.mean(1)
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    n = len(LABELS)
    cosine = means @ means.T
    score = np.array([[emd(pictures[i], pictures[j]) if i != j else 0 for j in range(n)] for i in range(n)])
    rows = []
    for count in CANDIDATES:
        every = []
        for q in range(n):
            r = int((labels == labels[q]).sum()) - 1
            if r == 0:
                continue
            others = np.array([i for i in range(n) if i != q])
            near = others[np.argsort(-cosine[q, others], kind="stable")]
            best = near[np.argsort(-score[q, near], kind="stable")][:10]
            head = near[:count]
            ranking = np.concatenate([head[np.argsort(-score[q, head], kind="stable")], near[count:]])
            found = metrics((labels[ranking] == labels[q]).astype(float), r)
            found["kept"] = len(set(best) & set(head)) / 10
            every.append(found)
        rows.append({
            "candidates": count,
            "recall": np.mean([e["recall"] for e in every], axis=0).tolist(),
            **{key: float(np.mean([e[key] for e in every])) for key in ("rPrecision", "mapR", "kept")},
        })
    print(json.dumps({
        "labels": LABELS, "nodes": NODES, "channels": CHANNELS, "ks": KS, "rows": rows,
        "firstScores": score[0, 1:].tolist(), "firstCosines": cosine[0, 1:].tolist(),
        "pictures": [np.round(p, 9).ravel().tolist() for p in pictures],
    }))


main()
