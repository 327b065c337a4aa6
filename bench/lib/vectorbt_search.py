"""The 1,000 parameter sets of bench/search.ts by vectorbt's broadcast: seconds, and the largest memory of the process."""

import resource
import sys
import time

import numpy as np
import pandas as pd
import vectorbt as vbt

frame = pd.read_csv(sys.argv[1])
frame.columns = [name.strip().lower() for name in frame.columns]
columns = {name: frame[name].astype(float).to_numpy() for name in ("open", "high", "low", "close")}
fast, slow, stops = 4 + 4 * np.arange(10), 50 + 12 * np.arange(10), (1 + 0.5 * np.arange(10)) / 100


def run(rows: int) -> float:
    column = {name: pd.Series(values[:rows]) for name, values in columns.items()}
    close = column["close"]
    pairs = [(f, s) for f in fast for s in slow]
    short = vbt.MA.run(close, [f for f, _ in pairs], ewm=True, short_name="fast")
    long = vbt.MA.run(close, [s for _, s in pairs], ewm=True, short_name="slow")
    enter = np.repeat(short.ma_crossed_above(long).to_numpy(), len(stops), axis=1)
    leave = np.repeat(short.ma_crossed_below(long).to_numpy(), len(stops), axis=1)
    portfolio = vbt.Portfolio.from_signals(
        close,
        pd.DataFrame(enter),
        pd.DataFrame(leave),
        open=column["open"],
        high=column["high"],
        low=column["low"],
        sl_stop=np.tile(stops, len(pairs))[None, :],
        fees=0.0006,
        slippage=0.0005,
        init_cash=1000,
        freq="1h",
    )
    return float(portfolio.sharpe_ratio().max())


# Numba compiles once.
run(1000)
started, processor = time.perf_counter(), time.process_time()
best = run(len(frame))
seconds, processor = time.perf_counter() - started, time.process_time() - processor
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
print(f"1000 points on {len(frame)} candles in {seconds:.2f} s, processor {processor:.2f} s, at most {peak:.0f} MB; best Sharpe ratio {best:.3f}")
