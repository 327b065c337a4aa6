import type { RunIntervals, RunVerdict } from '@shapecast/contracts/backtest-results'
import { expect, it } from 'vitest'
import { sampleMetrics } from '../../../testing/sample-run.ts'
import {
  cautionOf,
  chanceSentence,
  factorInterval,
  returnInterval,
  sharpeInterval,
  unseenVerdict,
} from './run-summary.ts'

const found: RunIntervals = {
  unit: 'trade',
  units: 48,
  wins: 20,
  losses: 28,
  autocorrelation: 0.1,
  isTooNarrow: false,
  totalReturnPct: [-64.21, 150],
  profitFactor: [0.6, 1.42],
  sharpe: { value: -1.324, interval: [-11, 8.44] },
  verdict: 'may_be_luck',
}
const none = { ...found, totalReturnPct: null, profitFactor: null, sharpe: null }

it('writes intervals with signs, and a dash where there is none', () => {
  expect(returnInterval(found)).toBe('−64.2 to +150.0%')
  expect(sharpeInterval(found)).toBe('By trade −1.32, 95% interval −11.0 to +8.4')
  expect(factorInterval(found)).toBe('0.60 to 1.42')
  for (const nothing of [none, undefined])
    expect([returnInterval(nothing), sharpeInterval(nothing), factorInterval(nothing)]).toEqual(['—', null, null])
})

it('does not call −92.4 to 0.0% luck: that lost more than chance explains', () => {
  const lost: RunIntervals = { ...found, totalReturnPct: [-92.4, 0.02], verdict: 'lost_beyond_chance' }
  expect(chanceSentence('The return of −58.94%', lost)).toBe(
    'The return of −58.94% has a 95% interval of −92.4 to 0.0%: it lost more than chance explains.',
  )
  expect(cautionOf(lost)).toBeNull()
  expect(cautionOf(found)).toBe('may be luck')
})

it('says why there is no interval, and of one whose days resemble each other that it is too narrow', () => {
  const few: RunIntervals = { ...none, units: 12, verdict: 'too_few' }
  expect(chanceSentence('The return of +1.00%', few)).toBe(
    'The return of +1.00% has no interval: 12 trades are too few, at least 30 are needed.',
  )
  expect(cautionOf(few)).toBe('too few trades to tell')
  expect(chanceSentence('It', { ...none, wins: 46, losses: 2, verdict: 'too_few_wins_or_losses' })).toBe(
    'It has no interval: 46 wins and 2 losses; at least 5 of each are needed.',
  )
  const narrow: RunIntervals = { ...found, unit: 'day', autocorrelation: 0.52, isTooNarrow: true }
  expect(returnInterval(narrow)).toBe('−64.2 to +150.0%, too narrow')
  expect(chanceSentence('It', narrow)).toContain(
    'The interval is too narrow: each day resembles the one before (correlation 0.52).',
  )
})

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

it('an old run without intervals says to run it again', () => {
  const old = run([0, 0], 0, 'too_few')
  const { intervals: _, ...unseen } = old.seen.unseen
  expect(unseenVerdict({ ...old, verdict: 'no_intervals', seen: { ...old.seen, unseen } })?.text).toContain(
    'Run it again.',
  )
  expect(unseenVerdict({ ...old, verdict: null, seen: { ...old.seen, unseen: null } })).toBeNull()
})
