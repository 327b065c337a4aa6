import type { TargetPolicy } from '@shapecast/contracts/policies'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, indexAtOrAfter, sliceCandles } from '@shapecast/engine/candles'
import { type Journal, SILENT } from '@shapecast/engine/journal'
import { targetColumn, targetPlanOf } from '@shapecast/engine/policies/targets'
import { runPortfolio } from '@shapecast/engine/portfolio'
import { createRules } from '@shapecast/engine/rules'
import { type StudiedRule, sharpeOf, studySettings } from './policy-study.ts'

const DAY_MS = 86_400_000
const YEAR_DAYS = 365
const DRAWS = 1000
const BLOCK_DAYS = 20

/**
 * Several coins on one balance at medium risk, followed by a policy or held from the first open on in equal parts: what
 * `studyPolicies` tells of one.
 */
export function studyPairs(
  coins: ReadonlyMap<string, Candles>,
  timeframe: Timeframe,
  fromMs: number,
  toMs: number,
  policy: TargetPolicy | 'hold',
): StudiedRule & { readonly daily: readonly number[] } {
  const step = TIMEFRAME_MS[timeframe]
  const plan = policy === 'hold' ? null : targetPlanOf({ policy, riskLevel: 'medium', pairs: coins.size })!
  const rules = createRules({ ...studySettings(timeframe), targetBand: plan?.band ?? 0 })
  let trades = 0
  let turnover = 0
  let equity = 1
  const journal: Journal = {
    ...SILENT,
    fill({ quantity, rawPrice }) {
      trades++
      turnover += (quantity * rawPrice) / equity
    },
  }
  const runs = new Map(
    [...coins].map(([symbol, candles]) => {
      const from = indexAtOrAfter(candles, fromMs) - 1
      const known = sliceCandles(candles, 0, indexAtOrAfter(candles, toMs))
      const run = sliceCandles(known, from)
      const held = Float64Array.from(run.ts, (_, k) => (k === 0 ? 1 / coins.size : Number.NaN))
      const decisions = plan === null ? held : targetColumn(plan, known, from, timeframe, [])
      return [symbol, { candles: run, decisions, rules, journal }]
    }),
  )
  const times = [...new Set([...runs.values()].flatMap(({ candles }) => [...candles.ts]))].sort((a, b) => a - b)
  const daily: number[] = []
  let peak = 1
  let deepest = 0
  let at = 0
  let day = Number.NEGATIVE_INFINITY
  runPortfolio(1, runs, (closed) => {
    equity = closed
    peak = Math.max(peak, closed)
    deepest = Math.min(deepest, closed / peak - 1)
    const closedOn = Math.floor((times[at++]! + step) / DAY_MS)
    if (closedOn > day) daily.push(closed)
    day = closedOn
  })
  return {
    rule: plan === null ? 'hold' : `${policy}`,
    finalEquity: equity,
    sharpe: sharpeOf(daily),
    maxDrawdownPct: 100 * deepest,
    turnoverPerYear: turnover / ((toMs - fromMs) / (365.25 * DAY_MS)),
    trades,
    daily,
  }
}

/** The worst 365 days in a row, percent, of the equity at the first close of each UTC day. */
export const worstYearPct = (daily: readonly number[]): number =>
  100 * Math.min(...daily.slice(YEAR_DAYS).map((end, i) => end / daily[i]! - 1))

/**
 * How many points less deep the worst fall of `held` would have been with `followed`, by days: its 95 % interval over
 * `DRAWS` histories that are put together from blocks of 20 days on average, the same days of both (Politis and Romano, The
 * stationary bootstrap, JASA 89, 1994).
 */
export function drawdownGain(
  followed: readonly number[],
  held: readonly number[],
  next: () => number,
): readonly [number, number] {
  const returns = [followed, held].map((daily) => daily.slice(1).map((end, i) => end / daily[i]!))
  const days = returns[0]!.length
  const gains = Array.from({ length: DRAWS }, () => {
    const worth = [1, 1]
    const peak = [1, 1]
    const deepest = [0, 0]
    let day = 0
    for (let i = 0; i < days; i++) {
      day = i === 0 || next() < 1 / BLOCK_DAYS ? Math.floor(next() * days) : (day + 1) % days
      for (const k of [0, 1]) {
        worth[k]! *= returns[k]![day]!
        peak[k] = Math.max(peak[k]!, worth[k]!)
        deepest[k] = Math.max(deepest[k]!, 1 - worth[k]! / peak[k]!)
      }
    }
    return 100 * (deepest[1]! - deepest[0]!)
  }).sort((a, b) => a - b)
  return [gains[Math.floor(0.025 * DRAWS)]!, gains[Math.ceil(0.975 * DRAWS) - 1]!]
}
