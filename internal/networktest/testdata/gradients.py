"""Gradients of all weights of networks with made-up weights, by PyTorch's autograd in
double precision, for the tests of trainer/training/backbone:

    python3 gradients.py > gradients.json

The loss is the sum of the features, each times a made-up number. Batch normalisation takes
the statistics of the batch, as in training. The pictures of the ResNets are of sizes at which
no activation lies so near to zero that rounding decides its side: at others PyTorch's own
single precision is off by up to 0.7%.
"""
import json

import torch
from torchvision.models.resnet import BasicBlock, Bottleneck, ResNet

import reference


def made_up(name, shape):
    """Numbers from -1/2 to 1/2, as package networktest makes those of tokens."""
    return reference.made_up({name: shape})[name].double()


def some(values):
    """Some 40 values, a stride apart that is odd, and the root mean square of all."""
    stride = values.numel() // 40 | 1
    return {
        "shape": list(values.shape), "rms": float(f"{values.square().mean().sqrt():.6g}"), "stride": stride,
        "values": [float(f"{v:.6g}") for v in values.flatten()[::stride].tolist()],
    }


def record(name, weights, pictures, forward):
    weights = {n: w.double().requires_grad_() if w.is_floating_point() else w for n, w in weights.items()}
    batch = made_up("picture_tokens", pictures)
    features = forward(weights, batch.permute(0, 3, 1, 2))
    upstream = made_up("upstream_tokens", tuple(features.shape))
    loss = (features * upstream).sum()
    loss.backward()
    return {
        "name": name, "tensors": {n: list(w.shape) for n, w in weights.items()}, "pictures": list(pictures), "loss": float(loss),
        "upstream": list(features.shape), "gradients": {n: some(w.grad) for n, w in weights.items() if w.grad is not None},
    }


def residual(block, layers, pictures):
    net = ResNet(block, layers).double().train()
    names = {n: tuple(t.shape) for n, t in net.state_dict().items() if not n.endswith("num_batches_tracked") and not n.startswith("fc.")}

    def forward(weights, x):
        net.load_state_dict({n: w.detach() for n, w in weights.items()}, strict=False)
        parameters = dict(net.named_parameters())
        x = net.maxpool(net.relu(net.bn1(net.conv1(x))))
        x = net.layer4(net.layer3(net.layer2(net.layer1(x)))).permute(0, 2, 3, 1)
        x.retain_grad()
        for n, w in weights.items():  # gradients go to the module's own tensors
            if n in parameters:
                parameters[n].register_hook(lambda g, w=w: setattr(w, "grad", g))
        return x

    return record(f"{block.__name__}s, {layers}", reference.made_up(names), pictures, forward)


def transformer(registers, side):
    def forward(weights, x):
        tokens = torch.cat([reference.dinov2(weights, one[None], antialias=registers > 0)[-1] for one in x])
        h, w = x.shape[2] // 14, x.shape[3] // 14
        return tokens[:, 1 + registers:].reshape(x.shape[0], h, w, -1)

    names = reference.dinov2_names(registers)
    del names["mask_token"]
    return record(f"DINOv2, {registers} registers, {side} px", reference.made_up(names), (2, side, side, 3), forward)


print(json.dumps(separators=(",", ":"), obj=[
    residual(BasicBlock, [2, 1, 1, 1], (4, 96, 64, 3)), residual(Bottleneck, [1, 1, 1, 1], (4, 64, 64, 3)),
    transformer(0, 84), transformer(0, 56), transformer(4, 112),
]))
