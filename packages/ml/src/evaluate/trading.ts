import type { Evaluation } from '@shapecast/contracts/evaluation'
import { DECISION } from '@shapecast/engine/decisions'

type Pnl = Evaluation['trading']['signal']
type Counts = [up: number, down: number, flat: number]

/** Signals by what came at the signal horizon. */
export function confusionOf(signal: Int8Array, returns: Float64Array): Evaluation['confusion'] {
  const counts: { buy: Counts; sell: Counts; hold: Counts } = { buy: [0, 0, 0], sell: [0, 0, 0], hold: [0, 0, 0] }
  signal.forEach((code, i) => {
    const r = returns[i]!
    if (Number.isNaN(r)) return
    const row = code === DECISION.BUY ? counts.buy : code === DECISION.SELL ? counts.sell : counts.hold
    row[r > 0 ? 0 : r < 0 ? 1 : 2]++
  })
  return counts
}

/** What a signal earned and cost candle by candle, ratios of the first close. */
export interface SignalReturns {
  readonly gross: Float64Array
  readonly costs: Float64Array
  /** Units of base bought and sold. */
  readonly turnover: number
}

/**
 * One unit of base held long after BUY, short after SELL, kept on HOLD, filled at closes, and closed at the end. Each
 * change of position costs half a round trip a unit. `signal` may be one candle longer than needed: the last close only
 * ends the run.
 */
export function signalReturns(signal: Int8Array, close: Float64Array, roundTripCostBps: number): SignalReturns {
  const first = close[0]!
  const costRatio = roundTripCostBps / 2 / 10_000
  const [gross, costs] = [new Float64Array(close.length), new Float64Array(close.length)]
  let [position, turnover] = [0, 0]
  const moveTo = (target: number, i: number): void => {
    turnover += Math.abs(target - position)
    costs[i]! += (Math.abs(target - position) * close[i]! * costRatio) / first
    position = target
  }
  for (let i = 0; i + 1 < close.length; i++) {
    const code = signal[i]!
    if (code === DECISION.BUY || code === DECISION.SELL) moveTo(code, i)
    gross[i] = (position * (close[i + 1]! - close[i]!)) / first
  }
  moveTo(0, close.length - 1)
  return { gross, costs, turnover }
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0)

/** What the signal earned in all, in percent of the first close. */
export function signalPnl(signal: Int8Array, close: Float64Array, roundTripCostBps: number): Pnl {
  const returns = signalReturns(signal, close, roundTripCostBps)
  const [gross, costs] = [sum(returns.gross), sum(returns.costs)]
  return { grossPct: 100 * gross, costsPct: 100 * costs, netPct: 100 * (gross - costs), turnover: returns.turnover }
}

/** The plain signal beside doing nothing and beside buying at the start and selling at the end. */
export function tradingReport(signal: Int8Array, close: Float64Array, roundTripCostBps: number): Evaluation['trading'] {
  const buyOnce = new Int8Array(close.length)
  buyOnce[0] = DECISION.BUY
  return {
    candles: Math.max(0, close.length - 1),
    roundTripCostBps,
    signal: signalPnl(signal, close, roundTripCostBps),
    buyAndHold: signalPnl(buyOnce, close, roundTripCostBps),
    flat: { grossPct: 0, costsPct: 0, netPct: 0, turnover: 0 },
  }
}
