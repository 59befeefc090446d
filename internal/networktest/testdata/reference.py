"""What leaves every block of networks with made-up weights, by PyTorch, for the tests of
internal/netfile. Debian's python3-torch and python3-torchvision are enough:

    python3 reference.py vit > vit.json
    python3 reference.py resnet > resnet.json
    python3 reference.py mobilenet > mobilenet.json

DINOv2 is written down here from its paper (Oquab et al., 2023; registers: Darcet et al.,
2023) and the names and shapes of its published state dict. The plain transformer and the
convolutional networks are torchvision's own modules.
"""
import json
import pathlib
import sys

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from torchvision.models import mobilenet_v2, mobilenet_v3_large, mobilenet_v3_small
from torchvision.models.resnet import BasicBlock, Bottleneck, ResNet
from torchvision.models.vision_transformer import VisionTransformer

C, HEADS, DEPTH, WIDE, SIDE = 128, 2, 2, 256, 6  # SIDE: positions across
EPSILON = 1e-6
PICTURE = pathlib.Path(__file__).parent / "apple.jpg"


def made_up(names):
    """Tensors by name and shape, their values the same in package networktest: a hash of
    the place, the tensors in the order of their names."""
    tensors = {}
    for number, name in enumerate(sorted(names)):
        shape = names[name]
        at = np.arange(np.prod(shape), dtype=np.uint32) * np.uint32(2654435761) + np.uint32(number * 1013904223 & 0xFFFFFFFF)
        for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
            at = (at ^ (at >> np.uint32(shift))) * np.uint32(factor)
        at ^= at >> np.uint32(16)
        value = at.astype(np.float64) / 2**32 * 2 - 1
        if len(shape) == 1 and name.endswith((".weight", "gamma", "running_var")):
            value = 1 + value / 2
        elif len(shape) > 1 and not name.endswith(("token", "tokens", "pos_embed", "pos_embedding")):
            value *= np.sqrt(3 / np.prod(shape[1:]))
        else:
            value /= 2
        tensors[name] = torch.from_numpy(value.astype(np.float32).reshape(shape))
    return tensors


def dinov2_names(registers):
    names = {
        "cls_token": (1, 1, C), "pos_embed": (1, 1 + SIDE * SIDE, C), "mask_token": (1, C),
        "patch_embed.proj.weight": (C, 3, 14, 14), "patch_embed.proj.bias": (C,),
        "norm.weight": (C,), "norm.bias": (C,),
    }
    if registers:
        names["register_tokens"] = (1, registers, C)
    for i in range(DEPTH):
        for name, shape in {
            "norm1.weight": (C,), "norm1.bias": (C,), "attn.qkv.weight": (3 * C, C), "attn.qkv.bias": (3 * C,),
            "attn.proj.weight": (C, C), "attn.proj.bias": (C,), "ls1.gamma": (C,),
            "norm2.weight": (C,), "norm2.bias": (C,), "mlp.fc1.weight": (WIDE, C), "mlp.fc1.bias": (WIDE,),
            "mlp.fc2.weight": (C, WIDE), "mlp.fc2.bias": (C,), "ls2.gamma": (C,),
        }.items():
            names[f"blocks.{i}.{name}"] = shape
    return names


def dinov2(w, picture, antialias):
    h, wide = picture.shape[2] // 14, picture.shape[3] // 14
    x = F.conv2d(picture, w["patch_embed.proj.weight"], w["patch_embed.proj.bias"], stride=14).flatten(2).transpose(1, 2)
    places = w["pos_embed"][:, 1:]
    if (h, wide) != (SIDE, SIDE):
        places = places.reshape(1, SIDE, SIDE, C).permute(0, 3, 1, 2)
        if antialias:
            places = F.interpolate(places, size=(h, wide), mode="bicubic", antialias=True)
        else:
            places = F.interpolate(places, scale_factor=((h + 0.1) / SIDE, (wide + 0.1) / SIDE), mode="bicubic")
        assert places.shape[2:] == (h, wide)
        places = places.permute(0, 2, 3, 1).reshape(1, -1, C)
    first = [w["cls_token"] + w["pos_embed"][:, :1]]
    if "register_tokens" in w:
        first.append(w["register_tokens"])
    x = torch.cat(first + [x + places], 1)
    outputs = []
    for i in range(DEPTH):
        b = {name: w[f"blocks.{i}.{name}"] for name in
             ("norm1.weight", "norm1.bias", "attn.qkv.weight", "attn.qkv.bias", "attn.proj.weight", "attn.proj.bias", "ls1.gamma",
              "norm2.weight", "norm2.bias", "mlp.fc1.weight", "mlp.fc1.bias", "mlp.fc2.weight", "mlp.fc2.bias", "ls2.gamma")}
        y = F.layer_norm(x, (C,), b["norm1.weight"], b["norm1.bias"], EPSILON)
        q, k, v = F.linear(y, b["attn.qkv.weight"], b["attn.qkv.bias"]).reshape(1, -1, 3, HEADS, C // HEADS).permute(2, 0, 3, 1, 4)
        y = ((q @ k.transpose(-2, -1)) / (C // HEADS) ** 0.5).softmax(-1) @ v
        y = F.linear(y.transpose(1, 2).reshape(1, -1, C), b["attn.proj.weight"], b["attn.proj.bias"])
        x = x + y * b["ls1.gamma"]
        y = F.layer_norm(x, (C,), b["norm2.weight"], b["norm2.bias"], EPSILON)
        y = F.linear(F.gelu(F.linear(y, b["mlp.fc1.weight"], b["mlp.fc1.bias"])), b["mlp.fc2.weight"], b["mlp.fc2.bias"])
        x = x + y * b["ls2.gamma"]
        outputs.append(x)
    return outputs + [F.layer_norm(x, (C,), w["norm.weight"], w["norm.bias"], EPSILON)]


def torchvision_outputs(picture):
    size = picture.shape[2]
    net = VisionTransformer(image_size=size, patch_size=16, num_layers=DEPTH, num_heads=HEADS, hidden_dim=C, mlp_dim=WIDE).eval()
    net.load_state_dict(made_up({name: tuple(t.shape) for name, t in net.state_dict().items()}))
    outputs = []
    for layer in net.encoder.layers:
        layer.register_forward_hook(lambda _module, _input, output: outputs.append(output))
    net.encoder.ln.register_forward_hook(lambda _module, _input, output: outputs.append(output))
    net(picture)
    return outputs, {name: list(t.shape) for name, t in net.state_dict().items()}


def convolutional_outputs(net, blocks, picture):
    """What leaves the modules that blocks picks."""
    net.eval()
    shapes = {name: tuple(t.shape) for name, t in net.state_dict().items() if not name.endswith("num_batches_tracked")}
    net.load_state_dict(made_up(shapes), strict=False)
    outputs = []
    for b in blocks(net):
        b.register_forward_hook(lambda _module, _input, output: outputs.append(output.permute(0, 2, 3, 1)))
    net(picture)
    return outputs, {name: list(shape) for name, shape in shapes.items()}


def picture_of(height, width):
    """The middle of a photograph, normalised as for ImageNet."""
    img = Image.open(PICTURE).convert("RGB")
    left, top = (img.width - width) // 2, (img.height - height) // 2
    values = np.asarray(img.crop((left, top, left + width, top + height)), dtype=np.float32) / 255
    values = (values - np.float32([0.485, 0.456, 0.406])) / np.float32([0.229, 0.224, 0.225])
    return torch.from_numpy(values.astype(np.float32)).permute(2, 0, 1)[None]


def output(values):
    """Some 100 values, a stride apart that is odd, and the root mean square of all."""
    stride = values.numel() // 100 | 1
    return {
        "shape": list(values.shape), "rms": round(float(values.square().mean().sqrt()), 5), "stride": stride,
        "values": [round(v, 5) for v in values.flatten()[::stride].tolist()],
    }


def record(name, names, height, width, outputs):
    return {"name": name, "tensors": names, "height": height, "width": width, "blocks": [output(o) for o in outputs]}


def vit():
    for registers in (0, 4):
        names = dinov2_names(registers)
        w = made_up(names)
        for height, width in ((56, 56), (84, 84), (112, 98)):
            outputs = dinov2(w, picture_of(height, width), antialias=registers > 0)
            yield record(f"DINOv2, {registers} registers", {n: list(s) for n, s in names.items()}, height, width, outputs)
    for size in (64, 96, 112):
        outputs, names = torchvision_outputs(picture_of(size, size))
        yield record("torchvision", names, size, size, outputs)


def resnet():
    for name, block, layers, sizes in (
        ("ResNet-18", BasicBlock, [2, 2, 2, 2], ((112, 112), (160, 160), (97, 70))),
        ("a bottleneck in each stage", Bottleneck, [2, 1, 1, 1], ((64, 64), (112, 112), (97, 70))),
    ):
        for height, width in sizes:
            outputs, names = convolutional_outputs(
                ResNet(block, layers), lambda net: [net.maxpool, *net.layer1, *net.layer2, *net.layer3, *net.layer4], picture_of(height, width))
            yield record(name, names, height, width, outputs)


def mobilenet():
    for name, make in (("MobileNetV2", mobilenet_v2), ("MobileNetV3, large", mobilenet_v3_large), ("MobileNetV3, small", mobilenet_v3_small)):
        for height, width in ((112, 112), (64, 64), (97, 70)):
            outputs, names = convolutional_outputs(make(), lambda net: net.features, picture_of(height, width))
            yield record(name, names, height, width, outputs)


if __name__ == "__main__":
    with torch.no_grad():
        print(json.dumps(separators=(",", ":"), obj=list({"vit": vit, "resnet": resnet, "mobilenet": mobilenet}[sys.argv[1]]())))
