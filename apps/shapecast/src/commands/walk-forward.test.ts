import type { WalkForwardResult } from '@shapecast/contracts/walk-forward'
import { expect, it } from 'vitest'
import { textOfWalk } from './walk-forward.ts'

it('prints a fold a line, and what was left of the promise', () => {
  const DAY = 86_400_000
  const range = { from: 0, to: DAY }
  const text = textOfWalk({
    folds: [
      {
        train: range,
        test: range,
        values: { fast: 4 },
        inSample: { sharpe: 2.5, netReturnPct: 9, trades: 9 },
        outOfSample: { sharpe: null, netReturnPct: 0, holdPct: -3.28, trades: 0 },
      },
      {
        train: range,
        test: range,
        values: null,
        inSample: null,
        outOfSample: { sharpe: 0.5, netReturnPct: 1, holdPct: 2, trades: 3 },
      },
    ],
    metrics: { totalReturnPct: 7.75, buyAndHoldReturnPct: -4.79, maxDrawdownPct: 14.1, trades: 29 },
    intervals: { totalReturnPct: [-20.1, 46.6] },
    efficiency: 0.2,
    inSampleSharpe: 2.5,
    outOfSampleSharpe: 0.5,
    changes: 1,
    kept: { from: 2 * DAY, to: 3 * DAY, candles: 2 },
  } as unknown as WalkForwardResult)
  expect(text.split('\n')).toEqual([
    '1. 1970-01-01 to 1970-01-02: fast 4; Sharpe ratio promised 2.50, came -; return 0.00% (holding -3.28%), 0 trades',
    '2. 1970-01-01 to 1970-01-02: as before; Sharpe ratio promised -, came 0.50; return 1.00% (holding 2.00%), 3 trades',
    'Together: return 7.75% (holding -4.79%), worst drawdown 14.10%, 29 trades',
    '95% interval of the return -20.10 to 46.60%: may be luck',
    'Mean Sharpe ratio 0.50 of 2.50 promised: 20% was left; other settings in 1 of 1 folds',
    '2 candles from 1970-01-03 on stay unseen',
  ])
})
