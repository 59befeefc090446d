"""Weights behind steps of PyTorch's AdamW, in double precision, for the tests of
trainer/training/optim:

    python3 adamw.py > adamw.json

Weight i is cos i and its gradient at step t is sin(i + t)·10^(i mod 5 − 2), clipped to a
half; the rate is 0.01/t. The last half of the weights has no weight decay.
"""
import json
import math

import torch

COUNT, STEPS = 16, 7
weights = [torch.tensor([math.cos(i) for i in part], dtype=torch.float64, requires_grad=True) for part in (range(8), range(8, COUNT))]
adam = torch.optim.AdamW([{"params": weights[:1], "weight_decay": 0.05}, {"params": weights[1:], "weight_decay": 0}], betas=(0.9, 0.99))
steps = []
for t in range(1, STEPS + 1):
    for first, w in zip((0, 8), weights):
        w.grad = torch.tensor([math.sin(i + t) * 10 ** (i % 5 - 2) / 2 for i in range(first, first + 8)], dtype=torch.float64)
    for group in adam.param_groups:
        group["lr"] = 0.01 / t
    adam.step()
    steps.append([round(v, 9) for w in weights for v in w.tolist()])
print(json.dumps(steps))
