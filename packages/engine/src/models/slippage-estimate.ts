import { FILLS_NEEDED } from '@shapecast/contracts/own-slippage'
import type { Bps, Ratio } from '@shapecast/contracts/units'

/** How hard an order was for its market: both over the same stretch of time, before the order. */
export interface OrderLoad {
  /** Standard deviation of returns over the stretch. */
  readonly volatilityBps: Bps
  /** The quantity of the order by what was traded in the stretch. */
  readonly volumeRatio: Ratio
}

/** A fill of one's own; `slippageBps` above 0 is worse than the price at which it was triggered. */
export interface SlippedFill extends OrderLoad {
  readonly slippageBps: Bps
}

export interface SlippageEstimate {
  readonly fills: number
  readonly expectedBps: Bps
  /** 95 %, of the mean of such orders, not of a single one. */
  readonly intervalBps: readonly [low: Bps, high: Bps]
  /** The order is harder than every fill that it is judged by. */
  readonly isBeyondSeen: boolean
}

/** Candles of the stretch before an order. */
const STRETCH = 24
const NORMAL_95 = 1.96

/** As `Candles` have them. */
interface CandleColumns {
  readonly ts: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
}

/**
 * How hard an order of a quantity (base) is after the 24 candles before `end`: their volume, and the standard deviation of
 * their returns times √24. Null where there are fewer in a row, or nothing was traded.
 */
export function loadBefore({ ts, close, volume }: CandleColumns, end: number, quantity: number): OrderLoad | null {
  const from = end - STRETCH
  if (from < 1) return null
  const step = ts[end - 1]! - ts[end - 2]!
  if (ts[end - 1]! - ts[from - 1]! !== STRETCH * step) return null
  const returns = Array.from({ length: STRETCH }, (_, k) => close[from + k]! / close[from + k - 1]! - 1)
  const traded = volume.subarray(from, end).reduce((sum, one) => sum + one, 0)
  if (!(traded > 0)) return null
  const squares = returns.reduce((sum, one) => sum + (one - mean(returns)) ** 2, 0)
  return { volatilityBps: 10_000 * Math.sqrt((STRETCH * squares) / (STRETCH - 1)), volumeRatio: quantity / traded }
}

const loadOf = ({ volatilityBps, volumeRatio }: OrderLoad): number => volatilityBps * Math.sqrt(volumeRatio)

/**
 * What slippage to expect of an order, from one's own fills; null below 30 of them. Least squares of
 *
 *     slippage = base + impact · σ · √(quantity / volume)
 *
 * the square root law of market impact (Tóth et al., Anomalous price impact and the critical nature of liquidity, Phys. Rev.
 * X 1, 2011), with an interval by HC3, which asks for no equal variances (MacKinnon and White, J. Econometrics 29, 1985).
 * Fills that were all as hard give their mean.
 */
export function estimateSlippage(fills: readonly SlippedFill[], order: OrderLoad): SlippageEstimate | null {
  const n = fills.length
  if (n < FILLS_NEEDED) return null
  const loads = fills.map(loadOf)
  const meanLoad = mean(loads)
  const meanSlippage = mean(fills.map(({ slippageBps }) => slippageBps))
  const spread = loads.reduce((sum, load) => sum + (load - meanLoad) ** 2, 0)
  const varies = spread > 1e-12 * n * meanLoad ** 2
  /** What a load adds to the mean of the slippages, by unit of it. */
  const slopeOf = (load: number): number => (varies ? (load - meanLoad) / spread : 0)
  const impact = fills.reduce((sum, fill, k) => sum + slopeOf(loads[k]!) * (fill.slippageBps - meanSlippage), 0)
  const asked = loadOf(order) - meanLoad
  let variance = 0
  fills.forEach(({ slippageBps }, k) => {
    const load = loads[k]! - meanLoad
    const leverage = 1 / n + slopeOf(loads[k]!) * load
    // A fill that alone decides the slope says nothing of how far such fills vary.
    const error = (slippageBps - meanSlippage - impact * load) / Math.max(1e-6, 1 - leverage)
    variance += ((1 / n + slopeOf(loads[k]!) * asked) * error) ** 2
  })
  const expectedBps = meanSlippage + impact * asked
  const reach = NORMAL_95 * Math.sqrt(variance)
  return {
    fills: n,
    expectedBps,
    intervalBps: [expectedBps - reach, expectedBps + reach],
    isBeyondSeen: loadOf(order) > Math.max(...loads),
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
