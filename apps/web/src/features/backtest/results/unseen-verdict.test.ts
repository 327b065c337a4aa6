import { expect, it } from 'vitest'
import { sampleMetrics } from '../../../testing/sample-run.ts'
import { unseenVerdict } from './unseen-verdict.ts'

const HOUR = 3_600_000
const run = (totalReturnPct: [number, number], trades: number, haltedAt: number | null = null) => ({
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
      uncertainty: {
        totalReturnPct,
        profitFactor: null,
        sharpeLike: null,
        tooFewToTell: trades < 30 || (totalReturnPct[0] <= 0 && totalReturnPct[1] >= 0),
      },
    },
  },
})

it('says where chance alone explains the unseen return, and where it does not', () => {
  expect(unseenVerdict(run([-64.2, 150], 16))).toEqual({
    isTooFew: true,
    text: 'The unseen return of −5.34% has a 95% interval of −64.2 to +150.0%: it may be luck either way.',
  })
  expect(unseenVerdict(run([-9, -1], 16))?.isTooFew).toBe(true)
  expect(unseenVerdict(run([-9, -1], 40))?.isTooFew).toBe(false)
})

it('says where a halt left nothing unseen to judge', () =>
  expect(unseenVerdict(run([0, 0], 0, 70 * HOUR))?.text).toBe(
    'The drawdown limit ended it on 3 Jan; 0 of 400 unseen candles were traded. Choose a smaller size, or turn on ‘Unseen candles only’, and run again.',
  ))
