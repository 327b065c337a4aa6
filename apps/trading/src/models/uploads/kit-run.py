"""
Runs the networks of this folder outside of Shapecast.

    python3 run.py                  on a made-up window
    python3 run.py features.csv     on the last window of a dataset's features (Download Dataset)

Needs numpy and onnxruntime; without onnxruntime the LSTM runs in PyTorch (torch and onnx). Prints JSON: of each
network `quantiles` [horizons][levels] in units of the volatility forecast, and `p_up`.
"""
import csv, json, math, os, sys
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
load = lambda name: json.load(open(os.path.join(HERE, name), encoding='utf-8'))


def window_of(card, path):
    """The newest `lookback` rows, standardised as the card says: (value - mean) / sd, clipped; 0 where there is none."""
    names = [column['name'] for column in card['inputs']]
    with open(path, encoding='utf-8') as file:
        rows = list(csv.DictReader(file))[-card['lookback']:]
    if len(rows) < card['lookback']:
        sys.exit(f"{path} has {len(rows)} rows and {card['lookback']} are needed.")
    mean = np.array([column['mean'] for column in card['inputs']])
    sd = np.array([column['sd'] for column in card['inputs']])
    raw = np.array([[float(row[name]) if row[name] else math.nan for name in names] for row in rows])
    return np.nan_to_num(np.clip((raw - mean) / sd, -card['clip'], card['clip'])).astype(np.float32)[None]


def in_onnxruntime(path, x):
    import onnxruntime
    return onnxruntime.InferenceSession(path, providers=['CPUExecutionProvider']).run(['quantiles', 'up_logit'], {'x': x})


def in_torch(path, x):
    """The LSTM as torch.nn.LSTM. ONNX has its gates as input, output, forget, cell; PyTorch as input, forget, cell, output."""
    import onnx, torch
    from onnx import numpy_helper
    weights = {t.name: torch.tensor(numpy_helper.to_array(t)) for t in onnx.load(path).graph.initializer}
    if 'lstm.W' not in weights:
        return None
    hidden = weights['lstm.R'].shape[2]
    order = lambda t: torch.cat([t[k * hidden:(k + 1) * hidden] for k in (0, 2, 3, 1)])
    lstm = torch.nn.LSTM(x.shape[2], hidden, batch_first=True)
    bias = weights['lstm.B'][0]
    lstm.load_state_dict({
        'weight_ih_l0': order(weights['lstm.W'][0]), 'weight_hh_l0': order(weights['lstm.R'][0]),
        'bias_ih_l0': order(bias[:4 * hidden]), 'bias_hh_l0': order(bias[4 * hidden:]),
    })
    dense = lambda a, name: a @ weights[f'{name}.matrix'] + weights[f'{name}.bias']
    with torch.no_grad():
        neck = torch.relu(dense(lstm(torch.tensor(x))[0][:, -1], 'neck'))
        fan = dense(neck, 'quantiles').reshape(x.shape[0], -1, 5).sort(dim=-1).values
        return fan.numpy(), dense(neck, 'up').numpy()


def run(path, x):
    if os.environ.get('RUN_WITH') != 'torch':
        try:
            return in_onnxruntime(path, x)
        except ImportError:
            pass
    return in_torch(path, x)


answer = {}
for network in load('card.json')['networks']:
    card = load(f'{network}.card.json')
    shape = (1, card['lookback'], len(card['inputs']))
    x = window_of(card, sys.argv[1]) if len(sys.argv) > 1 else \
        np.sin(np.arange(shape[1] * shape[2]) * 0.37).reshape(shape).astype(np.float32)
    made = run(os.path.join(HERE, f'{network}.onnx'), x)
    answer[network] = None if made is None else {
        'quantiles': np.reshape(made[0], (card['horizons'], -1)).tolist(),
        'p_up': 1 / (1 + math.exp(-float(np.ravel(made[1])[0]))),
    }
print(json.dumps(answer, indent=1))
