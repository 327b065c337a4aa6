import type { Evaluation } from '@shapecast/contracts/evaluation'
import { createRandom } from '@shapecast/engine/random'
import { resultIntervals, sharpeOf } from '@shapecast/engine/result-intervals'
import { type Statistic, studentisedIntervals } from '@shapecast/engine/studentised-intervals'
import { logLoss } from '../recipe/shrinkage.ts'
import { type FanBaselines, fanLoss } from './fan.ts'
import type { SignalReturns } from './trading.ts'

type Interval = [low: number, high: number]

const SEED = 1
const YEAR_MS = 365 * 24 * 3_600_000

/** A day of hourly candles: what happens within one hangs together, and outcomes of several horizons overlap. */
const BLOCK = 24

const intervalOf = (columns: readonly Float64Array[], statistic: Statistic): Interval | null =>
  studentisedIntervals(columns, [statistic], createRandom(SEED).next, { block: BLOCK })[0]!

/** The share of a baseline's loss that a model saves, as a mean over `pairs` of columns (model, baseline); 0 where it loses nothing. */
const meanSkill = (pairs: number): Statistic => ({
  value(means) {
    let sum = 0
    for (let k = 0; k < pairs; k++) sum += means[2 * k + 1]! > 0 ? 1 - means[2 * k]! / means[2 * k + 1]! : 0
    return sum / pairs
  },
  slopes: (means) =>
    means.map((mean, c) => {
      const baseline = c % 2 === 0 ? means[c + 1]! : mean
      if (!(baseline > 0)) return 0
      return (c % 2 === 0 ? -1 / baseline : means[c - 1]! / baseline ** 2) / pairs
    }),
})

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
  return intervalOf(columns, meanSkill(returns.length))
}

/** 95 % interval of the share of climatology's log loss that the probabilities save. */
function logLossSkillInterval(p: Float64Array, labels: Float32Array, climatology: number): Interval | null {
  const lossOf = (at: (k: number) => number) => Float64Array.from(labels, (label, k) => logLoss([at(k)], [label]))
  return intervalOf([lossOf((k) => p[k]!), lossOf(() => climatology)], meanSkill(1))
}

/** Net result of the plain signal in percent and its yearly Sharpe ratio, with their 95 % intervals, by candle. */
function tradingIntervals({ gross, costs }: SignalReturns, stepMs: number) {
  const net = gross.map((earned, i) => 100 * (earned - costs[i]!))
  const { mean, sharpe } = resultIntervals(net, createRandom(SEED).next)
  const times = (interval: Interval, scale: number): Interval => [scale * interval[0], scale * interval[1]]
  const yearly = Math.sqrt(YEAR_MS / stepMs)
  return {
    tradedNetPct: mean === null ? null : times(mean, net.length),
    tradedSharpe: sharpe === null ? null : { value: yearly * sharpeOf(net), interval: times(sharpe, yearly) },
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
  trading: { returns: SignalReturns; stepMs: number },
): NonNullable<Evaluation['uncertainty']> {
  return {
    pinballSkillOverEwma: fanSkillInterval(range.fan, range.rows, range.returns, range.quantiles, range.baselines),
    logLossSkill: logLossSkillInterval(direction.p, direction.labels, direction.climatology),
    ...tradingIntervals(trading.returns, trading.stepMs),
  }
}
