"""Makes a small network with PyTorch, exports it as ONNX, and notes what PyTorch makes of a few windows."""
import json, sys, warnings
import torch
from torch import nn
warnings.filterwarnings('ignore')
torch.manual_seed(7)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 6, batch_first=True)
        self.fan = nn.Linear(6, 40)
        self.up = nn.Linear(6, 1)

    def forward(self, x):
        state = self.gru(x, torch.zeros(1, x.shape[0], 6))[1][0]
        return self.fan(state).reshape(-1, 8, 5).sort(dim=-1).values.reshape(-1, 40), self.up(state)

net = Net().eval()
with torch.no_grad():
    net.fan.weight.mul_(0.3)
    net.fan.bias.copy_(torch.tensor([-1.6, -0.6, 0, 0.6, 1.6]).repeat(8))
names = {'input_names': ['x'], 'output_names': ['quantiles', 'up_logit']}
free = {name: {0: 'batch'} for name in ['x', 'quantiles', 'up_logit']}
folder = sys.argv[1]
torch.onnx.export(net, (torch.randn(2, 16, 4),), f'{folder}/pytorch-gru.onnx', dynamic_axes=free, opset_version=17, dynamo=False, **names)
x = (torch.arange(3 * 16 * 4) * 0.37).sin().reshape(3, 16, 4)
with torch.no_grad():
    quantiles, up = net(x)
json.dump({'torch': torch.__version__, 'quantiles': quantiles.flatten().tolist(), 'up_logit': up.flatten().tolist()}, open(f'{folder}/pytorch-gru.fixture.json', 'w'))
