import type { BotPreview } from '@shapecast/contracts/bot-preview'
import type { PostedOrders } from '@shapecast/contracts/costs'
import { type Candles, indexAtOrAfter } from './candles.ts'
import { maxDrawdownPct } from './indicators/drawdown.ts'
import { type Journal, SILENT } from './journal.ts'
import { createPortfolio, fillRests, type GoneAt, openBars, type Portfolio, sellGone } from './portfolio.ts'
import { postedOf } from './post-only.ts'
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

type PreviewRun = BotPreview['policyRun']
/** What came of one run. Money in quote. */
export interface ShareRun
  extends Omit<PreviewRun, 'finalBalance' | 'totalReturnPct' | 'turnoverPerYear' | 'heldPct' | 'posted'> {
  readonly finalEquity: number
  /** Notional traded, each order over the equity at the close before it. */
  readonly turnover: number
  /** Left out where none has rested. */
  readonly posted?: PostedOrders
}

/** By time: the equity and what is held, quote. A run writes those of its closes. */
export interface RunCloses {
  readonly equity: Float64Array
  readonly worth: Float64Array
}

export interface ShareRuns {
  /** Open times at which a pair has a candle, ms. */
  readonly times: Float64Array
  /**
   * From the decisions at the closes of time `from` to the close of time `to` − 1. The same orders and equity, to the bit,
   * as `runPortfolio`: candles at whose open nothing is asked for, and in which nothing rests, are only marked.
   */
  run(from: number, to: number, balance: number, closes: RunCloses): ShareRun
  /** The same, but buys equal parts once and keeps them. */
  hold(from: number, to: number, balance: number, closes: RunCloses): ShareRun
}

/** What is held: of each pair its size in base and its entry price. */
interface Held {
  readonly sizes: Float64Array
  readonly entries: Float64Array
}

/** What all runs read: open times, and after each other the last closes of all pairs at each of them. */
interface Marks {
  readonly times: Float64Array
  readonly prices: Float64Array
}

/**
 * Runs of one bot from many days on over the same candles; `holdRules` are those of each pair when it is only held, and
 * `goneAt` is that of a universe, of which those pairs are held that have a candle when it begins.
 */
export function createShareRuns(pairs: readonly SharePair[], holdRules: readonly Rules[], goneAt?: GoneAt): ShareRuns {
  const count = pairs.length
  const times = pairs.map(({ candles }) => candles.ts).reduce(timesOfBoth)
  const indices = pairs.map(({ candles }) => indicesAt(candles, times))
  const marks = { times, prices: new Float64Array(count * times.length) }
  const decided = new Uint8Array(times.length)
  for (const [k, { candles, targets }] of pairs.entries())
    for (let t = 0; t < times.length; t++) {
      const i = indices[k]![t]!
      marks.prices[t * count + k] = i < 0 ? (marks.prices[(t - 1) * count + k] ?? 0) : candles.close[i]!
      if (i >= 0 && !Number.isNaN(targets[i]!)) decided[t] = 1
    }
  const gone = new Map<number, readonly boolean[]>()
  for (let t = 0; goneAt !== undefined && t < times.length; t++) {
    const pairsGone = goneAt(times[t]! + pairs[0]!.rules.timeframeMs)
    if (!pairsGone?.includes(true)) continue
    gone.set(t, pairsGone)
    decided[t] = 1
  }

  function follow(isHold: boolean, from: number, to: number, balance: number, closes: RunCloses): ShareRun {
    const rules = isHold ? holdRules : pairs.map((pair) => pair.rules)
    const portfolio = createPortfolio(
      balance,
      pairs.map(({ symbol }) => symbol),
    )
    const sums = { orders: 0, tooSmall: 0, costs: 0, turnover: 0 }
    const journal: Journal = {
      ...SILENT,
      fill({ price, rawPrice, quantity, fee }) {
        sums.orders++
        sums.costs += fee + Math.abs(price - rawPrice) * quantity
        sums.turnover += (quantity * rawPrice) / portfolio.equity
      },
      skip(reason) {
        if (reason === 'below_min_notional' || reason === 'below_lot_size') sums.tooSmall++
      },
    }
    const desk = { portfolio, rules, journals: pairs.map(() => journal) }
    const held: Held = { sizes: new Float64Array(count), entries: new Float64Array(count) }

    const priceAt = (time: number) => {
      for (const [k, pair] of portfolio.pairs.entries()) pair.lastPrice = marks.prices[time * count + k]!
    }
    function moveAt(t: number): void {
      priceAt(t - 1)
      const bars = pairs.map(({ candles }, k) => {
        const i = indices[k]![t]!
        return i < 0 ? null : { candles, i }
      })
      for (const [k, bar] of bars.entries())
        if (bar !== null && rules[k]!.postOnly !== null)
          portfolio.pairs[k]!.account.lastClose = closeBefore(bar.candles, bar.i, rules[k]!.timeframeMs)
      openBars(desk, bars)
      if (rests()) {
        priceAt(t)
        fillRests(desk, bars)
      }
      keepHeld()
    }
    function keepHeld(): void {
      for (const [k, { account }] of portfolio.pairs.entries()) {
        held.sizes[k] = account.size
        held.entries[k] = account.entryPrice
      }
    }
    function sellGoneAt(t: number): void {
      priceAt(t)
      sellGone(desk, gone.get(t)!, times[t]!)
      keepHeld()
    }
    const heldFrom = goneAt === undefined ? count : indices.filter((index) => index[from]! >= 0).length
    function decideAt(t: number): void {
      for (const [k, pair] of portfolio.pairs.entries()) {
        const i = indices[k]![t]!
        const target = i < 0 ? Number.NaN : isHold ? 1 / heldFrom : pairs[k]!.targets[i]!
        if (!Number.isNaN(target)) pair.pending = target
      }
    }
    /** The next time at whose close something is decided. */
    const decidesFrom = (t: number): number => {
      const next = isHold ? (t === from ? t : -1) : decided.indexOf(1, t)
      return next < 0 ? to : next
    }

    const rests = () => portfolio.pairs.some(({ account }) => account.resting !== undefined)
    const asks = () => portfolio.haltedAt >= 0 || portfolio.pairs.some(({ pending }) => pending !== null) || rests()
    let t = from
    while (t < to) {
      if (portfolio.haltedAt >= 0 && held.sizes.every((size) => size === 0)) {
        closes.equity.fill(portfolio.equity, t, to)
        closes.worth.fill(0, t, to)
        break
      }
      if (asks()) moveAt(t)
      const decides = decidesFrom(t)
      const end = asks() ? t + 1 : Math.min(to, decides + 1)
      if (!isHold && gone.has(end - 1)) {
        const begun = t
        t = mark(portfolio, rules[0]!, held, marks, t, end - 1, closes)
        if (t > begun && portfolio.haltedAt >= 0) continue
        sellGoneAt(end - 1)
      }
      t = mark(portfolio, rules[0]!, held, marks, t, end, closes)
      if (t - 1 === decides) decideAt(decides)
    }
    return {
      ...sums,
      ...postedOf(portfolio.pairs.map(({ account }) => account)),
      finalEquity: portfolio.equity,
      maxDrawdownPct: maxDrawdownPct(closes.equity, balance, from, to),
      haltedAt: portfolio.haltedAt < 0 ? null : portfolio.haltedAt,
    }
  }
  return { times, run: (...run) => follow(false, ...run), hold: (...run) => follow(true, ...run) }
}

/** Marks the closes from time `t` to before `end`, or to the one that reaches the limit; returns the time after the last. */
function mark(
  portfolio: Portfolio,
  rules: Rules,
  { sizes, entries }: Held,
  { times, prices }: Marks,
  t: number,
  end: number,
  closes: RunCloses,
): number {
  const wasHalted = portfolio.haltedAt >= 0
  const count = sizes.length
  for (let next = t; next < end; next++) {
    let profit = 0
    let worth = 0
    for (let k = 0; k < count; k++) {
      const price = prices[next * count + k]!
      profit += sizes[k]! * (price - entries[k]!)
      worth += sizes[k]! * price
    }
    closes.equity[next] = watchDrawdown(portfolio, rules, portfolio.balance + profit, times[next]!)
    closes.worth[next] = worth
    if (portfolio.haltedAt >= 0 && !wasHalted) return next + 1
  }
  return end
}

/** 0 for the first candle and behind a gap. */
const closeBefore = ({ ts, close }: Candles, i: number, stepMs: number): number =>
  ts[i]! - (ts[i - 1] ?? 0) === stepMs ? (close[i - 1] ?? 0) : 0

/** Times of either, each once, in their order. */
function timesOfBoth(a: Float64Array, b: Float64Array): Float64Array {
  const times = new Float64Array(a.length + b.length)
  let count = 0
  for (let i = 0, j = 0; i < a.length || j < b.length; count++) {
    const time = Math.min(a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY)
    if (a[i] === time) i++
    if (b[j] === time) j++
    times[count] = time
  }
  return times.subarray(0, count)
}

/** A pair's candle at each time, −1 without one. */
function indicesAt({ ts }: Candles, times: Float64Array): Int32Array {
  let next = 0
  return Int32Array.from(times, (time) => (ts[next] === time ? next++ : -1))
}

/** The index of the first of `times` at or after a moment. */
export const timeAtOrAfter = (times: Float64Array, ts: number): number =>
  indexAtOrAfter({ length: times.length, ts: times }, ts)
