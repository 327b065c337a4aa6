import { type Candles, indexAtOrAfter } from './candles.ts'
import { drawdownPct } from './indicators/drawdown.ts'
import type { Journal } from './journal.ts'
import { createPortfolio, openBars } from './portfolio.ts'
import type { Rules } from './rules.ts'
import { watchDrawdown } from './step.ts'

/** One pair of a policy: the share of the equity to hold, decided at the close of each candle, NaN for none. */
export interface SharePair {
  readonly symbol: string
  readonly candles: Candles
  readonly targets: Float64Array
  /** Of spot, with a band, without stops and take profit. */
  readonly rules: Rules
}

/** What came of one run. Money in quote. */
export interface ShareRun {
  readonly finalEquity: number
  /** Deepest fall from a peak of the equity at closes, percent, 0 or positive. */
  readonly maxDrawdownPct: number
  /** Open time of the candle at whose close the drawdown limit was reached; null where it was not. */
  readonly haltedAt: number | null
  readonly orders: number
  /** Orders that were wanted and lay below the market's smallest one. */
  readonly tooSmall: number
  /** Fees, and what slippage cost. */
  readonly costs: number
  /** Notional traded, each order over the equity at the close before it. */
  readonly turnover: number
  /** Mean over the closes of what was held, as a share of the equity. */
  readonly heldShare: number
}

/** The open time of the candle (ms), the equity at its close (quote) and what was held then as a share of it. */
export type OnClose = (time: number, equity: number, heldShare: number) => void

export interface ShareRuns {
  /** Open times at which a pair has a candle, ms. */
  readonly times: Float64Array
  /**
   * From the decisions at the closes of time `from` to the close of time `to` − 1. The same orders and equity, to the bit,
   * as `runPortfolio`: candles at whose open nothing is asked for are only marked. `onClose` hears of each close.
   */
  run(from: number, to: number, balance: number, onClose?: OnClose): ShareRun
}

/** Runs of one bot from many days on over the same candles. `hold` buys equal parts once instead, and keeps them. */
export function createShareRuns(pairs: readonly SharePair[], hold = false): ShareRuns {
  const times = Float64Array.from(new Set(pairs.flatMap(({ candles }) => Array.from(candles.ts)))).sort()
  const columns = pairs.map(({ candles }) => onTimes(candles, times))
  const rules = pairs.map((pair) => pair.rules)

  const run: ShareRuns['run'] = (from, to, balance, onClose) => {
    const portfolio = createPortfolio(
      balance,
      pairs.map(({ symbol }) => symbol),
    )
    let orders = 0
    let tooSmall = 0
    let costs = 0
    let turnover = 0
    const journal: Journal = {
      fill({ price, rawPrice, quantity, fee }) {
        orders++
        costs += fee + Math.abs(price - rawPrice) * quantity
        turnover += (quantity * rawPrice) / portfolio.equity
      },
      skip(reason) {
        if (reason === 'below_min_notional' || reason === 'below_lot_size') tooSmall++
      },
      trade() {},
      reduced() {},
      gap() {},
      funding() {},
    }
    const journals = pairs.map(() => journal)
    const accounts = portfolio.pairs.map(({ account }) => account)
    let asks = false
    let deepest = 0
    let held = 0
    for (let t = from; t < to; t++) {
      const halted = portfolio.haltedAt >= 0
      const acts =
        (asks || halted) &&
        portfolio.pairs.some(
          ({ account, pending }, k) => columns[k]!.at[t]! >= 0 && (pending !== null || (halted && account.side !== 0)),
        )
      if (acts) {
        for (const [k, pair] of portfolio.pairs.entries()) pair.lastPrice = columns[k]!.close[t - 1]!
        const bars = pairs.map(({ candles }, k) => {
          const i = columns[k]!.at[t]!
          return i < 0 ? null : { candles, i }
        })
        openBars(portfolio, rules, bars, journals)
        asks = portfolio.pairs.some(({ pending }) => pending !== null)
      }
      let profit = 0
      let worth = 0
      for (let k = 0; k < pairs.length; k++) {
        const account = accounts[k]!
        if (account.size === 0) continue
        const close = columns[k]!.close[t]!
        profit += account.size * (close - account.entryPrice)
        worth += account.size * close
      }
      const equity = watchDrawdown(portfolio, rules[0]!, portfolio.balance + profit, times[t]!)
      if (equity < portfolio.peak) deepest = Math.max(deepest, drawdownPct(equity, portfolio.peak))
      held += worth / equity
      onClose?.(times[t]!, equity, worth / equity)
      if (hold && t > from) continue
      for (let k = 0; k < pairs.length; k++) {
        const i = columns[k]!.at[t]!
        const target = i < 0 ? Number.NaN : hold ? 1 / pairs.length : pairs[k]!.targets[i]!
        if (Number.isNaN(target)) continue
        portfolio.pairs[k]!.pending = target
        asks = true
      }
    }
    return {
      finalEquity: portfolio.equity,
      maxDrawdownPct: deepest,
      haltedAt: portfolio.haltedAt < 0 ? null : portfolio.haltedAt,
      orders,
      tooSmall,
      costs,
      turnover,
      heldShare: held / (to - from),
    }
  }
  return { times, run }
}

/** A pair's candle at each time, −1 without one, and its last close until then. */
function onTimes({ ts, close, length }: Candles, times: Float64Array): { at: Int32Array; close: Float64Array } {
  const at = new Int32Array(times.length).fill(-1)
  const closes = new Float64Array(times.length)
  let next = 0
  let last = 0
  for (let t = 0; t < times.length; t++) {
    if (next < length && ts[next] === times[t]) {
      last = close[next]!
      at[t] = next++
    }
    closes[t] = last
  }
  return { at, close: closes }
}

/** The index of the first of `times` at or after a moment. */
export const timeAtOrAfter = (times: Float64Array, ts: number): number =>
  indexAtOrAfter({ length: times.length, ts: times }, ts)
