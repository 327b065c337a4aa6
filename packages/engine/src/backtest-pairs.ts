import { AppError } from '@shapecast/contracts/errors'
import { BacktestJournal, resultOf } from './backtest.ts'
import type { BacktestResult, OpenPosition } from './backtest-result.ts'
import type { BacktestSettings } from './backtest-settings.ts'
import { type Candles, emptyCandles } from './candles.ts'
import type { DetailCandles } from './detail.ts'
import type { EngineTrade } from './journal.ts'
import type { FundingSeries } from './models/funding.ts'
import { type GoneAt, runPortfolio } from './portfolio.ts'
import { createRules } from './rules.ts'

/** One pair of a backtest of several. The settings differ from pair to pair in lot and smallest notional alone. */
export interface TestedPair {
  readonly symbol: string
  readonly candles: Candles
  /** As in `runBacktest`. */
  readonly decisions: Int8Array | Float64Array
  readonly settings: BacktestSettings
  /** As in `runBacktest`. */
  readonly funding?: FundingSeries | null
  readonly detail?: DetailCandles | null
}

export interface PairsResult extends BacktestResult {
  readonly trades: readonly (EngineTrade & { readonly symbol: string })[]
  readonly openPositions: readonly (OpenPosition & { readonly symbol: string })[]
  /**
   * What metrics are measured against: at each time at which a pair has a candle, the worth of 1 shared equally among the
   * pairs at the start and held; without volume.
   */
  readonly basket: Candles
}

/**
 * A backtest of several pairs on one balance: for one pair the same as `runBacktest`. Counts are those of all pairs; the
 * trades come in the order of their exits. `goneAt` is that of a universe. Throws as `runBacktest` does.
 */
export function runPairs(pairs: readonly TestedPair[], goneAt?: GoneAt): PairsResult {
  const [first] = pairs
  if (first === undefined || pairs.some(({ candles }) => candles.length === 0))
    throw new AppError('no_candles', 'There are no candles to test on: choose another range.')
  const { settings } = first
  const trades: (EngineTrade & { symbol: string })[] = []
  const journals = pairs.map(({ symbol }) => new BacktestJournal((trade) => trades.push({ ...trade, symbol })))
  const rules = pairs.map((pair) => createRules(pair.settings, pair.funding, pair.detail))
  const equity: number[] = []
  const portfolio = runPortfolio(
    settings.initialBalance,
    new Map(
      pairs.map(({ symbol, candles, decisions }, k) => [
        symbol,
        { candles, decisions, rules: rules[k]!, journal: journals[k]! },
      ]),
    ),
    (value) => equity.push(value),
    undefined,
    goneAt,
  )
  const ended = pairs.map(({ symbol, candles, decisions }, k) => {
    const { account } = portfolio.pairs[k]!
    return { symbol, candles, decisions, account, rules: rules[k]!, journal: journals[k]! }
  })
  const result = resultOf(settings, ended, trades, Float64Array.from(equity), portfolio)
  return { ...result, basket: basketOf(pairs.map(({ candles }) => candles)) } as PairsResult
}

/** Each pair counts by what its first open has grown to; one without a candle stands at its last close. */
function basketOf(pairs: readonly Candles[]): Candles {
  const times = Float64Array.from(new Set(pairs.flatMap(({ ts }) => Array.from(ts)))).sort()
  const basket = emptyCandles(times.length)
  basket.ts.set(times)
  for (const { ts, open, close, length } of pairs) {
    let next = 0
    let last = open[0]!
    for (let i = 0; i < times.length; i++) {
      const here = next < length && ts[next] === times[i]
      basket.open[i]! += (here ? open[next]! : last) / open[0]! / pairs.length
      if (here) last = close[next++]!
      basket.close[i]! += last / open[0]! / pairs.length
    }
  }
  for (let i = 0; i < times.length; i++) {
    basket.high[i] = Math.max(basket.open[i]!, basket.close[i]!)
    basket.low[i] = Math.min(basket.open[i]!, basket.close[i]!)
  }
  return basket
}
