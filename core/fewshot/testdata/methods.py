"""Scores of every classifier on two small problems, by PyTorch's autograd and
optimizer and SciPy's linear programming, for methods_test.go.

    python3 methods.py > methods.json
"""
import json

import numpy as np
import torch
import torch.nn.functional as F
from scipy.optimize import linprog

torch.set_default_dtype(torch.float64)
T = 12.5


def centre(u):
    return u - u.mean(1, keepdim=True)


def weights(of, against, total):
    w = (of @ against.mean(0)).clamp(min=0) + 1e-3 + 1e-5
    return w * total / w.sum()


def score(query, support):
    """DeepEMD's logit; the flow and the weights are constants of its gradient."""
    n, m = len(query), len(support)
    similarity = F.cosine_similarity(centre(query)[:, None], centre(support)[None], dim=2)
    with torch.no_grad():
        supply, demand = weights(query, support, n), weights(support, query, n)
        rows = np.kron(np.eye(n), np.ones(m))
        columns = np.kron(np.ones(n), np.eye(m))
        found = linprog((1 - similarity).numpy().ravel(), A_eq=np.vstack([rows, columns])[:-1],
                        b_eq=np.concatenate([supply, demand])[:-1], method="highs-ds")
        flow = torch.tensor(found.x).view(n, m)
    return T / n * (similarity * flow).sum()


def sgd(parameters, logits, examples, labels, order, decay, rate):
    balance = len(labels) / (labels.bincount() * (labels.max() + 1))  # 1 where classes have the same number of examples
    optimizer = torch.optim.SGD(parameters, lr=rate, momentum=0.9, dampening=0.9, weight_decay=decay)
    for taken in order:
        for j in range(0, len(taken), 4):
            batch = taken[j:j + 4]
            optimizer.zero_grad()
            loss = F.cross_entropy(torch.stack([logits(examples[i]) for i in batch]), labels[batch], weight=balance, reduction="sum")
            (loss / len(batch)).backward()
            optimizer.step()


def methods(classes, query, order):
    """classes: list of lists of sets, [n, c]; query: a set."""
    examples = [e for c in classes for e in c]
    labels = torch.tensor([i for i, c in enumerate(classes) for _ in c])
    means = [torch.stack([e.mean(0) for e in c]) for c in classes]
    feature = query.mean(0)
    cos = lambda a, b: F.cosine_similarity(a, b, dim=-1)
    out = {
        "cosine": torch.stack([cos(feature, m.mean(0)) for m in means]),
        "euclidean": torch.stack([-((feature - m.mean(0)) ** 2).sum() for m in means]),
        "nearest": torch.stack([max(score(query, e) for e in c) for c in classes]),
        "fusion": torch.stack([sum(score(query, e) for e in c) / len(c) for c in classes]),
        "merge": torch.stack([score(query, torch.cat(c)) for c in classes]),
        "matching": torch.stack([torch.exp(T * cos(feature, m)).mean().log() for m in means]),
        "local nearest": torch.stack([
            T * (F.normalize(query, dim=1) @ F.normalize(torch.cat(c), dim=1).T).topk(3, 1)[0].mean() for c in classes]),
        "prediction fusion": F.softmax(T * F.normalize(query, dim=1) @ F.normalize(torch.stack([m.mean(0) for m in means]), dim=1).T, 1).mean(0).log(),
    }
    if len({len(e) for e in examples}) == 1:
        out["prototype"] = torch.stack([score(query, torch.stack(c).mean(0)) for c in classes])
        sets = torch.stack([torch.stack(c).mean(0) for c in classes]).requires_grad_()
        logits = lambda x: torch.stack([score(x, s) for s in sets])
        sgd([sets], logits, examples, labels, order, 0, 0.5)
        out["sfc"] = logits(query)

    features = [e.mean(0) for e in examples]
    w, b = torch.zeros(len(classes), len(feature)).requires_grad_(), torch.zeros(len(classes)).requires_grad_()
    logits = lambda x: w @ x + b
    sgd([w, b], logits, features, labels, order, 0.001, 0.1)
    out["linear head"] = logits(feature)
    w2 = torch.stack([F.normalize(m.mean(0), dim=0) for m in means]).requires_grad_()
    logits2 = lambda x: T * cos(w2, x)
    sgd([w2], logits2, features, labels, order, 0.001, 0.1)
    out["cosine head"] = logits2(feature)
    return {k: v.detach().tolist() for k, v in out.items()}


def draw(rng, way, shots, sizes, channels):
    centres = rng.normal(size=(way, channels)) * 0.7
    sets = []
    for c in range(way):
        sets.append([torch.tensor(np.maximum(centres[c] + rng.normal(size=(sizes(), channels)), -0.1).astype(np.float32)).double()
                     for _ in range(shots[c])])
    query = torch.tensor(np.maximum(centres[0] * 0.5 + rng.normal(size=(sizes(), channels)), -0.1).astype(np.float32)).double()
    return sets, query


problems = []
rng = np.random.default_rng(3)
for way, shots, sizes, channels in [(3, (2, 3, 2), lambda: 4, 6), (2, (2, 3), lambda: int(rng.integers(3, 7)), 5)]:
    classes, query = draw(rng, way, shots, sizes, channels)
    order = [rng.permutation(sum(shots)).tolist() for _ in range(12)]
    problems.append({
        "channels": channels, "order": order, "query": query.ravel().tolist(),
        "classes": [[e.ravel().tolist() for e in c] for c in classes], "scores": methods(classes, query, order),
    })
print(json.dumps(problems))
