import type { RunIntervals, RunVerdict } from '@shapecast/contracts/backtest'
import { expect, it } from 'vitest'
import { sampleMetrics } from '../../../testing/sample-run.ts'
import { unseenVerdict } from './unseen-verdict.ts'

const HOUR = 3_600_000
const run = (
  totalReturnPct: [number, number],
  trades: number,
  verdict: RunIntervals['verdict'],
  haltedAt: number | null = null,
) => ({
  verdict: (haltedAt === null ? verdict : 'halted_before') as RunVerdict | null,
  seenRatio: 0.5,
  meta: { haltedAt },
  seen: {
    ranges: [],
    seen: null,
    unseen: {
      from: 100 * HOUR,
      to: 499 * HOUR,
      candles: 400,
      metrics: sampleMetrics({ trades, totalReturnPct: -5.34 }),
      intervals: {
        unit: 'trade' as const,
        units: trades,
        wins: 10,
        losses: trades - 10,
        autocorrelation: null,
        isTooNarrow: false,
        totalReturnPct,
        profitFactor: null,
        sharpe: null,
        verdict,
      },
    },
  },
})

it('says where chance alone explains the unseen return, and where it does not', () => {
  expect(unseenVerdict(run([-64.2, 150], 46, 'may_be_luck'))).toEqual({
    caution: 'may be luck',
    text: 'The unseen return of −5.34% has a 95% interval of −64.2 to +150.0%: it may be luck either way.',
  })
  expect(unseenVerdict(run([-9, -1], 40, 'lost_beyond_chance'))).toEqual({
    caution: null,
    text: 'The unseen return of −5.34% has a 95% interval of −9.0 to −1.0%: it lost more than chance explains.',
  })
})

it('says where a halt left nothing unseen to judge', () =>
  expect(unseenVerdict(run([0, 0], 0, 'too_few', 70 * HOUR))?.text).toBe(
    'The drawdown limit ended it on 3 Jan; 0 of 400 unseen candles were traded. Choose a smaller size, or turn on ‘Unseen candles only’, and run again.',
  ))

it('of a run from before says that it has to be run again', () => {
  const old = run([0, 0], 0, 'too_few')
  const { intervals: _, ...unseen } = old.seen.unseen
  expect(unseenVerdict({ ...old, verdict: 'no_intervals', seen: { ...old.seen, unseen } })?.text).toContain(
    'Run it again.',
  )
  expect(unseenVerdict({ ...old, verdict: null, seen: { ...old.seen, unseen: null } })).toBeNull()
})
