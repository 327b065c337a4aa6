/**
 * Backtest with trades, equity and metrics over 783,000 one-minute candles, against a bare loop over Float64Arrays
 * that trades the same strategy with the same costs, stops, equity and metrics written straight down.
 *
 *   node bench/backtest.ts
 */
import { runBacktest } from '@shapecast/engine/backtest'
import { type BacktestSettings, backtestSettings } from '@shapecast/engine/backtest-settings'
import type { Candles } from '@shapecast/engine/candles'
import { DECISION } from '@shapecast/engine/decisions'
import { ema } from '@shapecast/engine/indicators/averages'
import { metricsOf } from '@shapecast/engine/metrics'
import { minuteCandles } from './lib/minute-candles.ts'
import { alternate } from './lib/rounds.ts'

const { candles, source } = minuteCandles()
const fast = ema(candles.close, 20)
const slow = ema(candles.close, 50)
const decisions = Int8Array.from(candles.close, (_, i) =>
  Number.isNaN(slow[i]!) ? DECISION.HOLD : fast[i]! > slow[i]! ? DECISION.BUY : DECISION.SELL,
)
const base = { timeframe: '1m', initialBalance: 100_000_000, leverage: 1, feeRate: 0.0006, slippageBps: 5 } as const
const fixed = { kind: 'fixed', quantity: 1 } as const
const plain = backtestSettings({ ...base, market: 'futures', sizing: fixed })
const stops = backtestSettings({ ...base, market: 'futures', sizing: fixed, takeProfitPct: 2, stopLossPct: 1 })

/** What `plain` and `stops` do, without models, journal, halts, gaps, sizing or liquidation. */
function bareLoop({ length, open, high, low, close, ts }: Candles, settings: BacktestSettings) {
  const slip = settings.slippageBps / 10_000
  const fee = settings.feeRate
  const stop = settings.stopLossPct / 100
  const target = settings.takeProfitPct / 100
  const equity = new Float64Array(length)
  const netOf: number[] = []
  const times: number[] = []
  let balance = settings.initialBalance
  let size = 0
  let entry = 0
  let entryFee = 0
  let lower = -Number.MAX_VALUE
  let upper = Number.MAX_VALUE
  const exit = (raw: number, i: number): void => {
    const price = raw * (1 - size * slip)
    const cost = price * fee
    balance += size * (price - entry) - cost
    netOf.push(size * (price - entry) - cost - entryFee)
    times.push(ts[i]!)
    size = 0
    lower = -Number.MAX_VALUE
    upper = Number.MAX_VALUE
  }
  equity[0] = balance
  for (let i = 1; i < length; i++) {
    const price = open[i]!
    let stopped = false
    if (price <= lower || price >= upper) {
      exit(price, i)
      stopped = true
    }
    const decision = decisions[i - 1]!
    if (decision !== 0 && decision !== size) {
      if (size !== 0) exit(price, i)
      if (!stopped) {
        size = decision
        entry = price * (1 + size * slip)
        entryFee = entry * fee
        balance -= entryFee
        if (stop > 0) {
          lower = size > 0 ? entry * (1 - stop) : entry * (1 - target)
          upper = size > 0 ? entry * (1 + target) : entry * (1 + stop)
        }
      }
    }
    if (low[i]! <= lower || high[i]! >= upper) {
      const first = size > 0 ? low[i]! <= lower : high[i]! < upper
      exit(first ? lower : upper, i)
    }
    equity[i] = balance + size * (close[i]! - entry)
  }
  let peak = equity[0]!
  let deepest = 0
  let sum = 0
  let squares = 0
  for (let i = 1; i < length; i++) {
    const change = equity[i]! / equity[i - 1]! - 1
    sum += change
    squares += change * change
    if (equity[i]! > peak) peak = equity[i]!
    else if (equity[i]! < peak * (1 - deepest)) deepest = 1 - equity[i]! / peak
  }
  const mean = sum / (length - 1)
  return { trades: netOf.length, final: equity[length - 1]!, deepest, ratio: mean / Math.sqrt(squares / length) }
}

console.log(`${candles.length} candles (${source})`)
for (const [name, settings] of Object.entries({ 'EMA cross': plain, 'EMA cross, stops': stops })) {
  const engine = () => {
    const result = runBacktest(candles, decisions, settings)
    return { result, metrics: metricsOf(result, candles) }
  }
  const { result, metrics } = engine()
  const bare = bareLoop(candles, settings)
  const times = alternate({ engine, bare: () => bareLoop(candles, settings) })
  const rate = candles.length / times.engine / 1000
  console.log(
    `${name}: ${metrics.trades} trades (bare loop ${bare.trades}), final ${result.finalEquity.toFixed(6)} ` +
      `(bare loop ${bare.final.toFixed(6)})\n  engine ${times.engine.toFixed(1)} ms = ${rate.toFixed(1)} million ` +
      `candles/s; bare loop ${times.bare.toFixed(1)} ms; ratio ${(times.engine / times.bare).toFixed(2)} (goal 1.4)`,
  )
}
