import type { BatchResult } from '@shapecast/contracts/batch'
import { expect, it } from 'vitest'
import { textOfBatch } from './batch.ts'

it('the text of a batch says what luck gives before it lists the series, and what could not be run', () => {
  const run = {
    metrics: { trades: 108, sharpeLike: 1.24, totalReturnPct: 9.5, maxDrawdownPct: 3, buyAndHoldReturnPct: -4 },
    sharpeOverHolding: 0.9,
    intervals: { sharpe: { value: 0.42, interval: [-0.41, 1.18] } },
  }
  const text = textOfBatch({
    cells: [
      { symbol: 'BTCUSDT', timeframe: '4h', missing: null, run },
      { symbol: 'ADAUSDT', timeframe: '4h', missing: { code: 'no_candles', text: 'Import some first.' }, run: null },
    ],
    verdict: { code: 'what_luck_gives', runs: 1, clear: 0, best: 0, luckSharpe: 0.63, p: 0.143 },
    tries: 2,
  } as unknown as BatchResult)
  expect(text.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
    '0 of 1 gain beyond chance alone. Over holding as much, BTCUSDT 4h is the best: a Sharpe ratio of 0.90. The best of 2 tries without any skill shows about 0.63 (p = 0.143): what luck gives.',
    'series | Sharpe | 95% interval | over holding | return | holding | trades',
    'BTCUSDT 4h | 0.42 | -0.41 to 1.18 | 0.90 | 9.50% | -4.00% | 108',
    'ADAUSDT 4h: Import some first.',
  ])
})
