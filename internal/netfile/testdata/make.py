#!/usr/bin/env python3
"""Writes the small PyTorch files that the tests read. Needs PyTorch (made with 1.13)."""
import argparse
import collections
import os

import torch

here = os.path.dirname(os.path.abspath(__file__))


def save(name, value, **options):
    torch.save(value, os.path.join(here, name), **options)


grid = torch.arange(24, dtype=torch.float32).reshape(2, 3, 4)
state = collections.OrderedDict(
    [
        ("module.plain", grid.clone()),
        ("module.transposed", grid.clone().permute(2, 0, 1)),
        ("module.sliced", grid.clone()[:, 1:, ::2]),
        ("module.scalar", torch.tensor(2.5)),
        ("module.parameter", torch.nn.Parameter(torch.tensor([1.0, -1.0]))),
        ("module.bn1.num_batches_tracked", torch.tensor(7)),
    ]
)
state._metadata = collections.OrderedDict([("", {"version": 1})])

save("params.pth", {"params": state})
save("params-legacy.pth", {"params": state}, _use_new_zipfile_serialization=False)
save("params-protocol4.pth", {"params": state}, pickle_protocol=4)
save("state_dict.pth", {"state_dict": dict(state), "epoch": 3, "best": 0.5})
save("bare.pth", state)
save(
    "types.pth",
    {
        "half": torch.tensor([1.5, -2.0], dtype=torch.float16),
        "brain": torch.tensor([1.5, -2.0], dtype=torch.bfloat16),
        "double": torch.tensor([1.5, -2.0], dtype=torch.float64),
    },
)
save("nan.pth", {"params": {"bn1.weight": torch.tensor([1.0, float("nan")])}})
save("expanded.pth", {"params": {"wide": torch.ones(1).expand(1000, 1000)}})
save("class.pth", {"params": dict(state), "args": argparse.Namespace(lr=0.1)})
save("list.pth", [1, 2, 3])
save("keys.pth", {"weights": dict(state), "epoch": 3})
