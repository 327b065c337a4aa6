import { expect, it } from 'vitest'
import { sampleMetrics, sampleRun } from '../../../testing/sample-run.ts'
import { runChips } from './run-summary.ts'

it('a run in chips; a drawdown is a fall', () => {
  expect(runChips(sampleRun())).toEqual([
    sampleRun().params.botName,
    'BTCUSDT',
    '1 Jan – 5 Jan 1970 · 1h',
    '100 candles',
    '66 trades',
    'Win rate 50.0%',
    'Profit factor 1.38',
    'Max drawdown −6.9%',
  ])
})

it('without a trade there is no win rate and no profit factor, and no fall has no sign', () => {
  const metrics = sampleMetrics({ trades: 0, winRate: null, profitFactor: null, maxDrawdownPct: 0 })
  expect(runChips(sampleRun({ metrics })).slice(4)).toEqual([
    '0 trades',
    'Win rate —',
    'Profit factor —',
    'Max drawdown 0.0%',
  ])
})
