import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runBacktest } from './backtest.ts'
import type { BacktestSettings } from './backtest-settings.ts'
import { candlesFromRows } from './candles.ts'
import { DECISION } from './decisions.ts'
import { metricsOf } from './metrics.ts'
import { decided, futures, hourly, spot } from './testing/small-runs.ts'

/** Results of kernc/backtesting.py, which fills at the next open and charges its spread on entries only. */
const shared = process.env.SHAPECAST_DATA ?? resolve(import.meta.dirname, '../../../../shared/data')
const folder = resolve(shared, '../reference')
const read = (name: string) => readFileSync(resolve(folder, name), 'utf8')

interface Reference {
  readonly params: { cash: number; commission: number; spread: number }
  readonly trades: {
    size: number
    entryTime: number
    exitTime: number
    entryPrice: number
    exitPrice: number
    pnl: number
    commission: number
  }[]
  readonly finalEquity: number
  readonly maxDrawdownPct: number
  readonly winRatePct: number
  readonly returnPct: number
  readonly commissionsTotal: number
}

const cases: [name: string, how: Partial<BacktestSettings>][] = [
  ['A_btc1h_ema_ls_fixed', { sizing: { kind: 'fixed', quantity: 10 } }],
  ['B_btc1h_ema_long_allin', { market: 'spot', sizing: { kind: 'percent_of_equity', pct: 99.99 }, lotSize: 1e-6 }],
  ['E_btc1h_zero_cost', { sizing: { kind: 'fixed', quantity: 10 } }],
]

describe('agrees with backtesting.py trade by trade to 1e-9', () => {
  it.skipIf(!existsSync(folder)).each(cases)('%s', (name, how) => {
    const reference = JSON.parse(read(`${name}.json`)) as Reference
    const equity = JSON.parse(read(`${name}.equity.json`)) as number[]
    const { targetPosition } = JSON.parse(read(`${name}.signals.json`)) as { targetPosition: number[] }
    const lines = read(`${name}.candles.csv`).trim().split('\n').slice(1)
    const candles = candlesFromRows(lines.map((line) => line.split(',').map(Number)))
    const { cash, commission, spread } = reference.params
    const result = runBacktest(
      candles,
      Int8Array.from(targetPosition, (target) => target || DECISION.CLOSE),
      futures({
        initialBalance: cash,
        feeRate: commission,
        slippageBps: spread * 10_000,
        slippageSides: 'entry_only',
        ...how,
      }),
    )

    const close = (actual: number, expected: number, what: string, scale = Math.abs(expected)) =>
      expect(Math.abs(actual - expected), `${what}: ${actual} for ${expected}`).toBeLessThanOrEqual(1e-9 * scale)
    expect(result.trades.length).toBe(reference.trades.length)
    for (const [k, expected] of reference.trades.entries()) {
      const trade = result.trades[k]!
      const notional = trade.quantity * trade.entryPrice
      expect([trade.entryTime, trade.exitTime]).toEqual([expected.entryTime, expected.exitTime])
      expect(trade.side).toBe(expected.size > 0 ? 'long' : 'short')
      close(trade.quantity, Math.abs(expected.size), `quantity of trade ${k}`)
      close(trade.entryPrice, expected.entryPrice, `entry of trade ${k}`)
      close(trade.exitPrice, expected.exitPrice, `exit of trade ${k}`)
      close(trade.fees, expected.commission, `fees of trade ${k}`)
      close(trade.netPnL, expected.pnl, `net of trade ${k}`, notional)
    }
    for (const [i, expected] of equity.entries()) close(result.equity[i]!, expected, `equity of candle ${i}`)
    close(result.finalEquity, reference.finalEquity, 'final equity')

    const metrics = metricsOf(result, candles)
    close(metrics.maxDrawdownPct, -reference.maxDrawdownPct, 'drawdown')
    close(metrics.winRate!, reference.winRatePct, 'win rate')
    close(metrics.totalReturnPct, reference.returnPct, 'return', 1)
    close(metrics.fees, reference.commissionsTotal, 'fees')
    const won = reference.trades.reduce((sum, trade) => sum + Math.max(0, trade.pnl), 0)
    const lost = reference.trades.reduce((sum, trade) => sum - Math.min(0, trade.pnl), 0)
    close(metrics.profitFactor!, won / lost, 'profit factor')
  })
})

describe('the same rules on four candles, worked by hand', () => {
  const candles = hourly([100, 100, 100, 100], [100, 130, 90, 120], [120, 125, 75, 80], [80, 90, 70, 75])

  it('fixed 10, spread 1 %, fee 0.1 %: long 101 → 120, short 118.8 → 80', () => {
    const settings = { initialBalance: 10_000, feeRate: 0.001, slippageBps: 100, slippageSides: 'entry_only' } as const
    const { trades, equity } = runBacktest(
      candles,
      decided('BSC.'),
      futures({ ...settings, sizing: { kind: 'fixed', quantity: 10 } }),
    )
    // 190 − 1.01 − 1.2 and 388 − 1.188 − 0.8.
    expect(trades.map((t) => Number(t.netPnL.toFixed(9)))).toEqual([187.79, 386.012])
    // Marks: 10000 − 1.01 + 10 × 19, then 10187.79 − 1.188 + 10 × 38.8, then flat.
    expect([...equity].map((e) => Number(e.toFixed(9)))).toEqual([10_000, 10_188.99, 10_574.602, 10_573.802])
  })

  it('all in at 99.99 % of 1000 in lots of 0.001: 999.9 / (101 + 0.1) is 9.890 a trade', () => {
    const { trades, finalEquity } = runBacktest(
      candles,
      decided('BC..'),
      spot({
        feeRate: 0.001,
        slippageBps: 100,
        slippageSides: 'entry_only',
        lotSize: 0.001,
        sizing: { kind: 'percent_of_equity', pct: 99.99 },
      }),
    )
    expect(trades[0]!.quantity).toBeCloseTo(9.89, 12)
    // 9.89 × 19 − 9.89 × 0.101 − 9.89 × 0.12 = 187.91 − 0.99889 − 1.1868.
    expect(finalEquity).toBeCloseTo(1185.72431, 9)
  })
})
