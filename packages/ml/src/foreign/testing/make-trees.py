"""Makes small trees with LightGBM, XGBoost, CatBoost and scikit-learn, exports each as its exporter writes it, and notes
what the library itself makes of a few rows. python3 make-trees.py FOLDER, with numpy, lightgbm, xgboost, catboost,
scikit-learn, onnxmltools and skl2onnx."""
import json, sys, warnings
import numpy as np
from catboost import CatBoostClassifier
from lightgbm import LGBMClassifier, LGBMRegressor
from onnxmltools import convert_lightgbm, convert_xgboost
from onnxmltools.convert.common.data_types import FloatTensorType
from skl2onnx import to_onnx
from sklearn.ensemble import RandomForestClassifier
from xgboost import XGBClassifier
warnings.filterwarnings('ignore')

folder = sys.argv[1]
INPUTS = 4
random = np.random.default_rng(7)
x = random.normal(size=(3000, INPUTS)).astype(np.float32)
move = 0.4 * x[:, 0] - 0.3 * np.abs(x[:, 1]) + random.normal(size=3000)
up = (move > 0).astype(int)
three = np.where(move > 0.5, 1, np.where(move < -0.5, -1, 0))
rows = np.sin(np.arange(5 * INPUTS) * 0.37).reshape(5, INPUTS).astype(np.float32)
shape = [('input', FloatTensorType([None, INPUTS]))]
few = {'n_estimators': 12, 'random_state': 7}
expected = {}

def keep(name, content, numbers):
    open(f'{folder}/{name}.onnx', 'wb').write(content)
    expected[name] = np.asarray(numbers, dtype=float).tolist()

lgbm = LGBMClassifier(num_leaves=7, verbose=-1, **few).fit(x, up)
keep('lightgbm', convert_lightgbm(lgbm, initial_types=shape).SerializeToString(), lgbm.predict_proba(rows))
barrier = LGBMClassifier(num_leaves=5, verbose=-1, **few).fit(x, three)
keep('lightgbm-three', convert_lightgbm(barrier, initial_types=shape, zipmap=False).SerializeToString(), barrier.predict_proba(rows))
sized = LGBMRegressor(num_leaves=7, verbose=-1, **few).fit(x, move)
keep('lightgbm-return', convert_lightgbm(sized, initial_types=shape).SerializeToString(), sized.predict(rows))
xgb = XGBClassifier(max_depth=3, **few).fit(x, up)
keep('xgboost', convert_xgboost(xgb, initial_types=shape).SerializeToString(), xgb.predict_proba(rows))
forest = RandomForestClassifier(max_depth=4, **few).fit(x, up)
keep('forest', to_onnx(forest, x[:1]).SerializeToString(), forest.predict_proba(rows))
cat = CatBoostClassifier(iterations=12, depth=3, random_seed=7, verbose=False, allow_writing_files=False).fit(x, up)
cat.save_model(f'{folder}/catboost.onnx', format='onnx')
expected['catboost'] = cat.predict_proba(rows).tolist()
json.dump(expected, open(f'{folder}/trees.fixture.json', 'w'))
