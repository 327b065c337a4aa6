import type { TargetPolicy } from '@shapecast/contracts/policies'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, indexAtOrAfter, sliceCandles } from '@shapecast/engine/candles'
import type { Journal } from '@shapecast/engine/journal'
import { targetColumn, targetPlanOf } from '@shapecast/engine/policies/targets'
import { runPortfolio } from '@shapecast/engine/portfolio'
import { createRules } from '@shapecast/engine/rules'
import { type StudiedRule, sharpeOf, studySettings } from './policy-study.ts'

const DAY_MS = 86_400_000

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
): StudiedRule {
  const step = TIMEFRAME_MS[timeframe]
  const plan = policy === 'hold' ? null : targetPlanOf({ policy, riskLevel: 'medium', pairs: coins.size })!
  const rules = createRules({ ...studySettings(timeframe), targetBand: plan?.band ?? 0 })
  let trades = 0
  let turnover = 0
  let equity = 1
  const journal: Journal = {
    fill({ quantity, rawPrice }) {
      trades++
      turnover += (quantity * rawPrice) / equity
    },
    trade() {},
    skip() {},
    reduced() {},
    gap() {},
    funding() {},
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
  }
}
