"""POT's side of the benchmarks, in the form of opencv_peer.py: the exact solver of the
Python Optimal Transport library, ot.emd, one thread."""

import json
import sys
import time
import warnings

import numpy as np
import ot

print(json.dumps({"version": "POT " + ot.__version__}), flush=True)
problems = {
    n: [tuple(np.array(p[k], np.float64) for k in ("Cost", "Supply", "Demand")) for p in list_]
    for n, list_ in json.loads(sys.stdin.readline())["problems"].items()
}
for n, list_ in problems.items():
    # It checks that both sides have the same sum, to its own tolerance.
    problems[n] = [(c.reshape(len(s), len(d)), s / s.sum(), d / d.sum()) for c, s, d in list_]
warnings.simplefilter("error")  # that it has not converged, which it only says
for line in sys.stdin:
    batch = problems[line.strip()]
    start = time.perf_counter()
    total = 0.0
    for cost, supply, demand in batch:
        total += float((ot.emd(supply, demand, cost, numItermax=10_000_000, numThreads=1) * cost).sum())
    print(json.dumps({"ms": (time.perf_counter() - start) * 1e3, "optimum": total / len(batch)}), flush=True)
