"""
Runs an exported network outside our program: in onnxruntime, and as PyTorch modules that get its weights.
Reads {"onnx": path, "windows": [...], "shape": [b, l, f]} from stdin, writes {"onnxruntime": {...} or null, "torch": {...} or null}.
"""
import json, sys
import numpy as np

job = json.load(sys.stdin)
x = np.array(job['windows'], dtype=np.float32).reshape(job['shape'])
answer = {'onnxruntime': None, 'torch': None}
try:
    import onnxruntime
    session = onnxruntime.InferenceSession(job['onnx'], providers=['CPUExecutionProvider'])
    quantiles, up = session.run(['quantiles', 'up_logit'], {'x': x})
    answer['onnxruntime'] = {'quantiles': quantiles.flatten().tolist(), 'up_logit': up.flatten().tolist()}
except ImportError:
    pass

try:
    import onnx, torch
    from onnx import numpy_helper
    weights = {t.name: torch.tensor(numpy_helper.to_array(t)) for t in onnx.load(job['onnx']).graph.initializer}
    if 'lstm.W' in weights:
        hidden = weights['lstm.R'].shape[2]
        # ONNX has the gates as input, output, forget, cell; PyTorch as input, forget, cell, output.
        order = lambda t: torch.cat([t[k * hidden:(k + 1) * hidden] for k in (0, 2, 3, 1)])
        lstm = torch.nn.LSTM(x.shape[2], hidden, batch_first=True)
        bias = weights['lstm.B'][0]
        lstm.load_state_dict({
            'weight_ih_l0': order(weights['lstm.W'][0]), 'weight_hh_l0': order(weights['lstm.R'][0]),
            'bias_ih_l0': order(bias[:4 * hidden]), 'bias_hh_l0': order(bias[4 * hidden:]),
        })
        with torch.no_grad():
            dense = lambda a, name: a @ weights[f'{name}.matrix'] + weights[f'{name}.bias']
            neck = torch.relu(dense(lstm(torch.tensor(x))[0][:, -1], 'neck'))
            fan = dense(neck, 'quantiles').reshape(x.shape[0], -1, 5).sort(dim=-1).values
            answer['torch'] = {'quantiles': fan.flatten().tolist(), 'up_logit': dense(neck, 'up').flatten().tolist()}
except ImportError:
    pass
json.dump(answer, sys.stdout)
