"""The fixed job of bench/training-pytorch.ts in PyTorch, an epoch at a time.

    python torch_training.py FOLDER

FOLDER holds job.json (sizes, and each network's weights by name and shape) and the arrays as raw float32. For each line
"lstm" or "transformer" on stdin, trains that network for an epoch and answers with a line of JSON: the epoch's seconds by
the clock and of processor time, and its mean loss.
"""

import json
import sys
import time
from pathlib import Path

try:
    import numpy as np
    import torch
    import torch.nn as nn
    import torch.nn.functional as F
except ImportError as error:
    print(json.dumps({"missing": str(error)}), flush=True)
    sys.exit(0)

folder = Path(sys.argv[1])
job = json.loads((folder / "job.json").read_text())
LEVELS = torch.tensor([0.1, 0.5, 0.9])


def array(name, *shape):
    return torch.from_numpy(np.fromfile(folder / f"{name}.f32", dtype=np.float32)).reshape(shape)


# PyTorch before 2.0 has neither: there the fastest are Adam over lists of tensors and attention in single operations.
FASTEST_ADAM = {"fused": True} if hasattr(F, "scaled_dot_product_attention") else {"foreach": True}


def attention(q, k, v):
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v)
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, -1) @ v


class Heads(nn.Module):
    def __init__(self, width, neck):
        super().__init__()
        self.neck = nn.Linear(width, neck)
        self.quantiles = nn.Linear(neck, 3)
        self.classes = nn.Linear(neck, 3)

    def forward(self, hidden):
        neck = F.relu(self.neck(hidden))
        return self.quantiles(neck), self.classes(neck)


class Lstm(nn.Module):
    def __init__(self, features, hidden, neck):
        super().__init__()
        self.lstm = nn.LSTM(features, hidden, batch_first=True)
        self.heads = Heads(hidden, neck)

    def forward(self, x):
        _, (state, _) = self.lstm(x)
        return self.heads(state[0])


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.grow, self.shrink = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x):
        batch, steps, width = x.shape
        joined = self.qkv(self.norm1(x)).view(batch, steps, 3, self.heads, width // self.heads)
        q, k, v = joined.permute(2, 0, 3, 1, 4).unbind(0)
        mixed = attention(q, k, v).transpose(1, 2).reshape(batch, steps, width)
        x = x + self.out(mixed)
        return x + self.shrink(F.relu(self.grow(self.norm2(x))))


class Transformer(nn.Module):
    def __init__(self, features, steps, width, heads, layers, neck):
        super().__init__()
        self.embed = nn.Linear(features, width)
        self.positions = nn.Parameter(torch.empty(steps, width))
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(layers)))
        self.heads = Heads(width, neck)

    def forward(self, x):
        return self.heads(self.blocks(self.embed(x) + self.positions).mean(1))


def torch_name(name):
    """Our name of a weight, such as layer0.qkv.matrix, as PyTorch's: blocks.0.qkv.weight."""
    if name == "positions":
        return name
    *place, role = name.split(".")
    if place[0].startswith("layer"):
        place[:1] = ["blocks", place[0].removeprefix("layer")]
    elif place[0] in ("neck", "quantiles", "classes"):
        place.insert(0, "heads")
    return ".".join(place) + (".bias" if role == "bias" else ".weight")


@torch.no_grad()
def start_from(model, kind):
    """Loads the starting weights. Our matrices are [inputs x outputs], and our gates input, output, forget, cell."""
    values, at = array(kind, -1), 0
    parameters = dict(model.named_parameters())
    for name, shape in job["weights"][kind]:
        size = int(np.prod(shape))
        value, at = values[at : at + size].reshape(shape), at + size
        if name.startswith("lstm."):
            i, o, f, c = value.chunk(4, -1)
            value = torch.cat([i, f, c, o], -1)
            target = {"input": "weight_ih_l0", "recurrent": "weight_hh_l0", "bias": "bias_ih_l0"}[name[5:]]
            parameters[f"lstm.{target}"].copy_(value.T if value.dim() == 2 else value)
        else:
            parameters[torch_name(name)].copy_(value.T if name.endswith(".matrix") else value)
    if kind == "lstm":
        # One bias, as the ONNX network has: the second adds nothing but a doubled step.
        parameters["lstm.bias_hh_l0"].zero_().requires_grad_(False)


class Trainer:
    def __init__(self, kind):
        sizes = job["sizes"]
        if kind == "lstm":
            self.model = Lstm(sizes["features"], sizes["hidden"], sizes["neck"])
        else:
            names = ("features", "lookback", "width", "heads", "layers", "neck")
            self.model = Transformer(*(sizes[name] for name in names))
        start_from(self.model, kind)
        learnt = [p for p in self.model.parameters() if p.requires_grad]
        self.adam = torch.optim.Adam(learnt, lr=job["learningRate"], eps=job["epsilon"], **FASTEST_ADAM)
        windows = job["windows"]
        self.x = array("x", windows, sizes["lookback"], sizes["features"])
        self.y = array("y", windows, 1)
        self.classes = array("oneHot", windows, 3).argmax(1)

    def epoch(self):
        total = 0.0
        for k in range(job["batches"]):
            rows = slice(k * job["batch"], (k + 1) * job["batch"])
            quantiles, classes = self.model(self.x[rows])
            residual = self.y[rows] - quantiles
            pinball = torch.maximum(LEVELS * residual, (LEVELS - 1) * residual).mean()
            loss = pinball + F.cross_entropy(classes, self.classes[rows])
            self.adam.zero_grad()
            loss.backward()
            self.adam.step()
            total += loss.item()
        return total / job["batches"]


torch.set_num_threads(1)
flushes = torch.set_flush_denormal(True)
trainers = {kind: Trainer(kind) for kind in ("lstm", "transformer")}
print(json.dumps({"torch": torch.__version__, "flushesDenormals": flushes}), flush=True)
for line in sys.stdin:
    wall, processor = time.perf_counter(), time.process_time()
    loss = trainers[line.strip()].epoch()
    seconds = {"wall": time.perf_counter() - wall, "processor": time.process_time() - processor}
    print(json.dumps({**seconds, "loss": loss}), flush=True)
