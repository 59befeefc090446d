#!/usr/bin/env python3
"""Writes the small ONNX models that the tests read, and maps.json: what PyTorch computes
of a photograph where the network's last map is. Debian's python3-torch and
python3-torchvision are enough (made with 1.13 and 0.14):

    python3 make.py

The networks are torchvision's, with a fraction of the channels, and as torch.onnx.export
writes them; what torchvision has not is written down here.
"""
import json
import math
import pathlib

import numpy as np
import torch
from PIL import Image
from torch import nn
from torchvision.models import mobilenet_v2, mobilenet_v3_small
from torchvision.models.resnet import BasicBlock, Bottleneck, ResNet
from torchvision.models.vision_transformer import VisionTransformer

HERE = pathlib.Path(__file__).resolve().parent
PICTURE = HERE.parents[1] / "networktest/testdata/apple.jpg"
MAPS = {}


def picture_of(side):
    """The middle of a photograph, normalised as for ImageNet."""
    img = Image.open(PICTURE).convert("RGB")
    left, top = (img.width - side) // 2, (img.height - side) // 2
    values = np.asarray(img.crop((left, top, left + side, top + side)), dtype=np.float32) / 255
    values = (values - np.float32([0.485, 0.456, 0.406])) / np.float32([0.229, 0.224, 0.225])
    return torch.from_numpy(values.astype(np.float32)).permute(2, 0, 1)[None]


def narrow(module, by):
    """Divides the channels of all layers, so that what were other numbers stay so."""
    fewer = lambda c: c if c == 3 else 1 + c // by
    for name, m in module.named_children():
        if isinstance(m, nn.Conv2d):
            groups = 1 if m.groups == 1 else fewer(m.groups)
            new = nn.Conv2d(fewer(m.in_channels), fewer(m.out_channels), m.kernel_size, m.stride, m.padding, groups=groups, bias=m.bias is not None)
        elif isinstance(m, nn.BatchNorm2d):
            new = nn.BatchNorm2d(fewer(m.num_features), eps=m.eps)
        elif isinstance(m, nn.Linear):
            new = nn.Linear(fewer(m.in_features), fewer(m.out_features))
        else:
            narrow(m, by)
            continue
        setattr(module, name, new)
    return module


def write(name, net, last, size, **options):
    """Exports a network, and keeps what leaves the module last."""
    for m in net.modules():
        if isinstance(m, nn.BatchNorm2d):
            for t, low, high in ((m.weight, 0.5, 1.5), (m.bias, -0.5, 0.5), (m.running_mean, -0.3, 0.3), (m.running_var, 0.5, 2)):
                nn.init.uniform_(t, low, high)
        elif isinstance(m, (nn.Linear, nn.LayerNorm)):
            nn.init.uniform_(m.bias, -0.3, 0.3)
        elif isinstance(m, nn.Conv2d):
            fan = math.prod(m.weight.shape[1:])
            nn.init.normal_(m.weight, std=math.sqrt(1.5 / fan))
    net.eval()
    picture, kept = picture_of(size), []
    hook = last(net).register_forward_hook(lambda _module, _input, output: kept.append(output.detach()))
    net(picture)
    hook.remove()
    out = kept[0].permute(0, 2, 3, 1) if kept[0].dim() == 4 else kept[0]
    values = out.double().flatten()
    MAPS[name] = {
        "size": size, "shape": list(out.shape), "rms": float(f"{values.square().mean().sqrt():.7g}"),
        "values": [float(f"{v:.7g}") for v in values.tolist()][:: values.numel() // 400 | 1], "stride": values.numel() // 400 | 1,
    }
    torch.onnx.export(net, picture, str(HERE / f"{name}.onnx"), **options)


class Attention(nn.Module):
    """Attention with a layer each for queries, keys and values, as Hugging Face has it."""

    def __init__(self, c, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(c, c) for _ in range(4))

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, -1).permute(0, 2, 1, 3)

    def forward(self, x):
        k, v, q = self.split(self.key(x)), self.split(self.value(x)), self.split(self.query(x))
        y = (q @ k.transpose(-1, -2) / math.sqrt(k.shape[-1])).softmax(-1) @ v
        return self.out(y.permute(0, 2, 1, 3).reshape(x.shape))


class Block(nn.Module):
    """A block with LayerScale."""

    def __init__(self, c, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(c, eps=1e-6), nn.LayerNorm(c, eps=1e-6)
        self.attention = Attention(c, heads)
        self.mlp = nn.Sequential(nn.Linear(c, 48), nn.GELU(), nn.Linear(48, c))
        self.scale1, self.scale2 = nn.Parameter(torch.rand(c) + 0.5), nn.Parameter(torch.rand(c) + 0.5)

    def forward(self, x):
        x = x + self.scale1 * self.attention(self.norm1(x))
        return x + self.scale2 * self.mlp(self.norm2(x))


class Registers(nn.Module):
    """A transformer with registers, whose class token alone has a position, as DINOv2 has it."""

    def __init__(self, c=32, heads=2, patch=4, side=4):
        super().__init__()
        self.patches = nn.Conv2d(3, c, patch, stride=patch)
        self.cls, self.registers = nn.Parameter(torch.randn(1, 1, c)), nn.Parameter(torch.randn(1, 3, c))
        self.places = nn.Parameter(torch.randn(1, 1 + side * side, c) / 2)
        self.block = Block(c, heads)
        self.norm = nn.LayerNorm(c, eps=1e-6)
        self.head = nn.Linear(c, 5)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat((self.cls.expand(x.shape[0], -1, -1), x), 1) + self.places
        x = torch.cat((x[:, :1], self.registers.expand(x.shape[0], -1, -1), x[:, 1:]), 1)
        return self.head(self.norm(self.block(x))[:, 0])


class Twelve(nn.Module):
    """A ResNet-12 of the reference implementation."""

    def __init__(self, widths=(4, 6, 8, 10)):
        super().__init__()
        self.blocks = nn.ModuleList()
        for before, width in zip((3,) + widths, widths):
            conv = lambda i, k: nn.Sequential(nn.Conv2d(i, width, k, padding=k // 2, bias=False), nn.BatchNorm2d(width))
            self.blocks.append(nn.ModuleList([conv(before, 3), conv(width, 3), conv(width, 3), conv(before, 1)]))
        self.leaky, self.pool, self.end = nn.LeakyReLU(0.1), nn.MaxPool2d(2), nn.Identity()

    def forward(self, x):
        for first, second, third, past in self.blocks:
            x = self.pool(self.leaky(third(self.leaky(second(self.leaky(first(x))))) + past(x)))
        return self.end(x)


if __name__ == "__main__":
    torch.manual_seed(1)
    kept = dict(do_constant_folding=False, training=torch.onnx.TrainingMode.PRESERVE)
    free = dict(input_names=["x"], dynamic_axes={"x": {0: "n", 2: "h", 3: "w"}})
    stage = lambda net: net.layer4
    write("resnet18", narrow(ResNet(BasicBlock, [2, 2, 2, 2], num_classes=4), 32), stage, 64)
    write("bottleneck", narrow(ResNet(Bottleneck, [1, 2, 1, 1], num_classes=4), 32), stage, 70, opset_version=11, **kept, **free)
    write("mobilenet2", narrow(mobilenet_v2(num_classes=4), 24), lambda net: net.features, 64)
    write("mobilenet3", narrow(mobilenet_v3_small(num_classes=4), 16), lambda net: net.features, 70, opset_version=13, **free)
    write("mobilenet3-kept", narrow(mobilenet_v3_small(num_classes=4), 16), lambda net: net.features, 64, opset_version=16, **kept)
    plain = VisionTransformer(image_size=16, patch_size=4, num_layers=2, num_heads=2, hidden_dim=32, mlp_dim=48, num_classes=4)
    nn.init.normal_(plain.class_token)
    write("vit", plain, lambda net: net.encoder.ln, 16)
    write("registers", Registers(), lambda net: net.norm, 16, opset_version=17, **kept, **free)
    write("resnet12", Twelve(), lambda net: net.end, 64, **free)
    (HERE / "maps.json").write_text(json.dumps(MAPS, separators=(",", ":")) + "\n")
