"""Clusters of small sets by scikit-learn, for grouping_test.go.

    python3 clusters.py > clusters.json
"""
import json
import warnings

import numpy as np
from sklearn.cluster import KMeans, MeanShift, estimate_bandwidth

warnings.filterwarnings("ignore")
rng = np.random.default_rng(7)
cases = []
for n, c, centres, noise in [(25, 8, 4, 0.3), (25, 16, 5, 0.8), (30, 3, 3, 0.2), (9, 5, 2, 1.0), (25, 4, 1, 1.0), (2, 3, 1, 1.0)]:
    middle = rng.normal(size=(centres, c)) * 2
    x = (middle[rng.integers(centres, size=n)] + noise * rng.normal(size=(n, c))).astype(np.float32)
    wide = x.astype(np.float64)
    estimate = estimate_bandwidth(wide, quantile=0.3)
    shifts = [{"bandwidth": b, "labels": MeanShift(bandwidth=b or None).fit(wide).labels_.tolist()}
              for b in [0, 1e-6, 0.5 * estimate, 1.5 * estimate, 3 * estimate, 1e6] if b or estimate > 0]
    means = [{"k": k, "inertia": KMeans(k, n_init=200, random_state=1).fit(wide).inertia_} for k in (1, 2, 5) if k <= n]
    cases.append({"n": n, "c": c, "data": [float(v) for v in x.ravel()], "estimate": estimate, "shifts": shifts, "means": means})
print(json.dumps(cases))
