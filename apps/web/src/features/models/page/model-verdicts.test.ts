import type { Evaluation } from '@shapecast/contracts/evaluation'
import { expect, it } from 'vitest'
import { modelVerdicts, whatFollows } from './model-verdicts.ts'

const evaluation = (coverage90: number, verdict: string, netPct: number) =>
  ({
    fan: [{ horizon: 1, outcomes: 400, coverage90, coverage90Interval: [0.843, 0.924] }],
    accuracy: { accuracy: 0.535, interval: [0.471, 0.598], majorityBaseline: 0.51, reversalBaseline: 0.545, verdict },
    trading: { candles: 400, signal: { netPct }, buyAndHold: { netPct: -4.7 } },
  }) as unknown as Evaluation

it('says in three rows what a model is worth, and what follows', () => {
  const rows = modelVerdicts(evaluation(0.89, 'indistinguishable from the reversal baseline', -11.27))
  expect(rows.map(({ name, chip, figure, isCaution }) => [name, chip, figure, isCaution])).toEqual([
    ['Range', 'Kept its promise', '89.0%', false],
    ['Direction', 'No better than betting on a reversal', '53.5%', true],
    ['Traded plainly', 'Lost money', '−11.27%', true],
  ])
  expect(rows[0]?.sentence).toBe('Nine of ten closes should land inside its 90% range: 356 of 400 did.')
  expect(rows[2]?.basis).toBe('net · 6.57 points less')
  expect(whatFollows(rows)).toBe('Let it set the size, not the side: a bot with Model as brake does that.')
})

it('warns of a range that is too narrow, and trusts what held up no further than to a backtest', () => {
  expect(modelVerdicts(evaluation(0.8, 'worse than the reversal baseline', 1))[0]?.chip).toBe('Too narrow')
  expect(whatFollows(modelVerdicts(evaluation(0.8, 'worse than the reversal baseline', -9)))).toBe(
    'Train it again on more candles, or do not trade on it.',
  )
  expect(whatFollows(modelVerdicts(evaluation(0.9, 'better than the reversal baseline', 9)))).toBe(
    'Backtest it over other months before a bot trades on it.',
  )
})

it('says how sure the traded return is, and that it is apart from holding where the interval leaves that out', () => {
  const judged = {
    ...evaluation(0.9, 'better than the reversal baseline', 9),
    uncertainty: { tradedNetPct: [-3.1, 21.4] },
  }
  const row = (hold: number) =>
    modelVerdicts({
      ...judged,
      trading: { ...judged.trading, buyAndHold: { netPct: hold } },
    } as unknown as Evaluation)[2]
  expect(row(-2)).toMatchObject({ chip: 'May be luck', isCaution: true, basis: 'net · 95% CI −3.1 to +21.4' })
  expect(row(-2)?.sentence).toMatch(/Too few to tell them apart\.$/)
  expect(row(-4.7)?.sentence).toMatch(/−4\.70%\.$/)
})
