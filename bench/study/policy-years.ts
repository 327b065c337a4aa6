import type { RISK_PCT_A_YEAR, TargetPolicy } from '@shapecast/contracts/policies'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, indexAtOrAfter } from '@shapecast/engine/candles'
import { targetColumn, targetPlanOf } from '@shapecast/engine/policies/targets'
import { studySettings, walk } from './policy-study.ts'

const DAY_MS = 86_400_000
const YEAR_DAYS = 365
const YEARS_FROM = Date.parse('2018-01-01')
const DAYS_BETWEEN_STARTS = 7
/** The largest limit that a bot may have, percent. */
const LARGEST_LIMIT = 90

type Risk = keyof typeof RISK_PCT_A_YEAR

/** What a year did that began at one of many midnights. */
export interface YearStarts {
  policy: TargetPolicy
  riskLevel: Risk
  /** Deepest fall from a peak within each year, percent, smallest first. */
  depths: number[]
}

/**
 * The deepest fall of a policy within a year of 8,760 hourly candles, from every seventh midnight from 2018 on. The years
 * overlap, so they count as far fewer than there are.
 */
export function yearStarts(candles: Candles, timeframe: Timeframe, policy: TargetPolicy, riskLevel: Risk): YearStarts {
  const plan = targetPlanOf({ policy, riskLevel, pairs: 1 })!
  const first = indexAtOrAfter(candles, YEARS_FROM)
  const targets = targetColumn(plan, candles, first - 1, timeframe, [])
  const settings = { ...studySettings(timeframe), targetBand: plan.band }
  const length = 24 * YEAR_DAYS
  const depths: number[] = []
  for (let start = YEARS_FROM; ; start += DAYS_BETWEEN_STARTS * DAY_MS) {
    const from = indexAtOrAfter(candles, start)
    if (from + length > candles.length) break
    const { maxDrawdownPct } = walk(candles, from, from + length, targets.subarray(from - first), settings)
    depths.push(-maxDrawdownPct)
  }
  return { policy, riskLevel, depths: depths.sort((a, b) => a - b) }
}

/** How many of the years each limit of 1, 2 … percent would have ended early, to the last that ended any. */
export function haltedByLimit({ depths }: YearStarts): number[] {
  const counts = Array.from({ length: LARGEST_LIMIT }, (_, k) => depths.filter((depth) => depth >= k + 1).length)
  return counts.slice(0, counts.findLastIndex((count) => count > 0) + 1)
}

/** The limit that a share of the years reached, by linear interpolation of the sorted depths. */
export function limitReachedBy({ depths }: YearStarts, share: number): number {
  const at = (1 - share) * (depths.length - 1)
  const below = Math.floor(at)
  return depths[below]! + (at - below) * ((depths[below + 1] ?? depths[below]!) - depths[below]!)
}
