import type { Evaluation } from '@shapecast/contracts/evaluation'
import { bootstrapSums } from '@shapecast/engine/robustness'
import { logLoss } from '../calibrate/shrinkage.ts'
import { type FanBaselines, fanLoss } from './fan.ts'
import type { SignalCourse } from './trading.ts'

type Interval = [low: number, high: number]

const SEED = 1
const YEAR_MS = 365 * 24 * 3_600_000

/** Share of the baseline's loss that is saved; 0 where the baseline loses nothing. */
const skill = (loss: number, baseline: number): number => (baseline > 0 ? 1 - loss / baseline : 0)

/** 95 % interval of the mean over all horizons of the fan's skill over EWMA. `fan` as in `fanReport`. */
function fanSkillInterval(
  fan: Float64Array,
  rows: Int32Array,
  returns: readonly Float64Array[],
  quantiles: readonly number[],
  baselines: FanBaselines,
): Interval | null {
  const width = quantiles.length
  const columns = returns.flatMap((column, h) => {
    const [model, ewma] = [new Float64Array(rows.length), new Float64Array(rows.length)]
    rows.forEach((i, k) => {
      const at = (k * returns.length + h) * width
      const y = column[i]!
      if (Number.isNaN(y) || Number.isNaN(fan[at]!)) return
      model[k] = fanLoss(fan.subarray(at, at + width), y, quantiles)
      ewma[k] = fanLoss(baselines.ewma(h, i), y, quantiles)
    })
    return [model, ewma]
  })
  const meanSkill = (sums: Float64Array) =>
    returns.reduce((total, _, h) => total + skill(sums[2 * h]!, sums[2 * h + 1]!), 0) / returns.length
  return bootstrapSums(columns, meanSkill, SEED)
}

/** 95 % interval of the share of climatology's log loss that the probabilities save. */
function logLossSkillInterval(p: Float64Array, labels: Float32Array, climatology: number): Interval | null {
  const lossOf = (at: (k: number) => number) => Float64Array.from(labels, (label, k) => logLoss([at(k)], [label]))
  return bootstrapSums(
    [lossOf((k) => p[k]!), lossOf(() => climatology)],
    ([model, constant]) => skill(model!, constant!),
    SEED,
  )
}

/** Net result of the plain signal in percent and its yearly Sharpe ratio, with their 95 % intervals. */
function tradingIntervals({ gross, costs }: SignalCourse, stepMs: number) {
  const net = gross.map((earned, i) => 100 * (earned - costs[i]!))
  const count = net.length
  const squares = net.map((change) => change * change)
  const sharpe = ([sum, square]: ArrayLike<number> & Iterable<number>) => {
    const variance = (square! - (sum! * sum!) / count) / (count - 1)
    return (sum! / count / Math.sqrt(variance)) * Math.sqrt(YEAR_MS / stepMs)
  }
  const total = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0)
  const interval = bootstrapSums([net, squares], sharpe, SEED)
  return {
    tradedNetPct: bootstrapSums([net], ([sum]) => sum!, SEED),
    tradedSharpe: interval === null ? null : { value: sharpe([total(net), total(squares)]), interval },
  }
}

/** How far the figures of an evaluation may reach by chance, by drawing the hold-out again in blocks of a day of hours. */
export function uncertaintyOf(
  range: {
    fan: Float64Array
    rows: Int32Array
    returns: readonly Float64Array[]
    quantiles: readonly number[]
    baselines: FanBaselines
  },
  direction: { p: Float64Array; labels: Float32Array; climatology: number },
  trading: { course: SignalCourse; stepMs: number },
): NonNullable<Evaluation['uncertainty']> {
  return {
    pinballSkillOverEwma: fanSkillInterval(range.fan, range.rows, range.returns, range.quantiles, range.baselines),
    logLossSkill: logLossSkillInterval(direction.p, direction.labels, direction.climatology),
    ...tradingIntervals(trading.course, trading.stepMs),
  }
}
