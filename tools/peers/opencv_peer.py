"""OpenCV's side of the benchmarks: one measurement a line of standard input.

The first line is {"problems": {"25": [{"Cost": […], "Supply": […], "Demand":
[…]}, …], …}} with row-major square costs. Each further line is a size; the
answer is the milliseconds that cv2.EMD takes for all its problems, one thread,
and the mean optimum, by which both sides can be seen to solve the same.
"""

import json
import sys
import time

import cv2
import numpy as np

cv2.setNumThreads(1)
print(json.dumps({"version": "OpenCV " + cv2.__version__}), flush=True)
problems = {
    n: [tuple(np.array(p[k], np.float32) for k in ("Cost", "Supply", "Demand")) for p in list_]
    for n, list_ in json.loads(sys.stdin.readline())["problems"].items()
}
for n, list_ in problems.items():
    problems[n] = [(c.reshape(len(s), len(d)), s[:, None], d[:, None]) for c, s, d in list_]
for line in sys.stdin:
    batch = problems[line.strip()]
    start = time.perf_counter()
    total = 0.0
    for cost, supply, demand in batch:
        total += cv2.EMD(supply, demand, cv2.DIST_USER, cost)[0]
    print(json.dumps({"ms": (time.perf_counter() - start) * 1e3, "optimum": total / len(batch)}), flush=True)
