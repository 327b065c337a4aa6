import type { EqualRisk as ShownEqualRisk } from '@shapecast/contracts/batch'
import { maxDrawdownPct } from '../indicators/drawdown.ts'
import { createRandom } from '../random.ts'
import { resultIntervals } from '../result-intervals.ts'

/** A run at its daily closes. */
export interface DailyCourse {
  /** Open times of the candles that end its days, ms, rising. */
  readonly t: readonly number[]
  /** Its equity, and the price of its coin, quote. */
  readonly equity: readonly number[]
  readonly close: readonly number[]
}

export type DayFigures = ShownEqualRisk['figures']

export interface EqualRisk {
  readonly t: readonly number[]
  /** In percent over the beginning. */
  readonly own: readonly number[]
  readonly hold: readonly number[]
  readonly figures: DayFigures
  readonly holdFigures: DayFigures
}

/** The volatility a year that each run is scaled to. */
export const RISK = 0.2
const DAYS_A_YEAR = 365.25
const FIRST_DAYS = 30
const DECAY = 0.5 ** (1 / 30)
/** A part is changed where it is so far from its target, of an even share. */
const BAND = 0.1
const SEED = 1
const DAY_MS = 86_400_000

interface Part {
  readonly days: ReadonlyMap<number, { readonly change: number; readonly held: number }>
  sum: number
  count: number
  variance: number
  weight: number
}

/** Day by day what a run and its coin gained over the day before; a day after a hole has none. */
function changesOf({ t, equity, close }: DailyCourse): Part['days'] {
  const days = new Map<number, { change: number; held: number }>()
  for (let i = 1; i < t.length; i++)
    if (t[i]! - t[i - 1]! <= DAY_MS && equity[i - 1]! > 0)
      days.set(t[i]!, { change: equity[i]! / equity[i - 1]! - 1, held: close[i]! / close[i - 1]! - 1 })
  return days
}

/**
 * Several runs as one, all scaled to the same volatility: each day each has a part of RISK over its own volatility, at most 1,
 * divided by how many there are that day; the rest is cash. A volatility is that of the daily returns up to the day before
 * (exponentially weighted, half-life 30 days, begun with the mean of the first 30), so that nothing is known beforehand; until
 * then a run has no part. A part is changed where it is a tenth of an even share from its target, and pays `costRatio` of what
 * is moved, as if all of it were invested. Beside it the same coins in equal parts each day, without costs. Null where no two
 * runs have a part on the same day.
 */
export function equalRisk(courses: readonly DailyCourse[], costRatio: number): EqualRisk | null {
  const parts = courses.map(
    (course): Part => ({ days: changesOf(course), sum: 0, count: 0, variance: Number.NaN, weight: 0 }),
  )
  const days = [...new Set(parts.flatMap((part) => [...part.days.keys()]))].sort((a, b) => a - b)
  const t: number[] = []
  const own: number[] = []
  const hold: number[] = []
  for (const day of days) {
    const there = parts.filter((part) => part.days.has(day) && part.count >= FIRST_DAYS)
    if (t.length > 0 || there.length > 1) {
      t.push(day)
      own.push(dayOf(parts, there, day, costRatio))
      hold.push(there.length === 0 ? 0 : there.reduce((sum, { days: of }) => sum + of.get(day)!.held, 0) / there.length)
    }
    for (const part of parts) learn(part, part.days.get(day)?.change)
  }
  if (t.length === 0) return null
  return { t, own: curveOf(own), hold: curveOf(hold), figures: figuresOf(own), holdFigures: figuresOf(hold) }
}

/** Sets the parts before a day and answers what all together gained on it, less what that cost. */
function dayOf(parts: readonly Part[], there: readonly Part[], day: number, costRatio: number): number {
  let cost = 0
  for (const part of parts) {
    const target = there.includes(part) ? Math.min(1, RISK / Math.sqrt(part.variance * DAYS_A_YEAR)) / there.length : 0
    if (target !== 0 && Math.abs(target - part.weight) < BAND / there.length) continue
    cost += Math.abs(target - part.weight) * costRatio
    part.weight = target
  }
  const gain = there.reduce((sum, { weight, days }) => sum + weight * days.get(day)!.change, 0) - cost
  // What each is of the whole by the evening.
  for (const part of there) part.weight *= (1 + part.days.get(day)!.change) / (1 + gain)
  return gain
}

function learn(part: Part, change: number | undefined): void {
  if (change === undefined) return
  part.count++
  part.sum += change * change
  part.variance =
    part.count <= FIRST_DAYS ? part.sum / part.count : DECAY * part.variance + (1 - DECAY) * change * change
}

function curveOf(changes: readonly number[]): number[] {
  let worth = 1
  return changes.map((change) => {
    worth *= 1 + change
    return 100 * (worth - 1)
  })
}

function figuresOf(changes: readonly number[]): DayFigures {
  const curve = curveOf(changes)
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length
  const deviation = Math.sqrt(
    changes.reduce((sum, change) => sum + (change - mean) ** 2, 0) / Math.max(1, changes.length - 1),
  )
  const yearly = Math.sqrt(DAYS_A_YEAR)
  const found = resultIntervals(Float64Array.from(changes), createRandom(SEED).next).sharpe
  return {
    totalReturnPct: curve.at(-1)!,
    sharpe: deviation > 0 ? (mean / deviation) * yearly : null,
    interval: found && [found[0] * yearly, found[1] * yearly],
    maxDrawdownPct: maxDrawdownPct(
      curve.map((pct) => 100 + pct),
      100,
    ),
    volatilityPct: 100 * deviation * yearly,
  }
}
