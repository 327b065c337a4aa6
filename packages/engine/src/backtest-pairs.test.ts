import { describe, expect, it } from 'vitest'
import { runBacktest } from './backtest.ts'
import { runPairs } from './backtest-pairs.ts'
import type { BacktestSettings } from './backtest-settings.ts'
import type { Candles } from './candles.ts'
import { metricsOf } from './metrics.ts'
import { decided, futures, HOUR, hourly, spot } from './testing/small-runs.ts'

const pair = (symbol: string, candles: Candles, letters: string, settings: BacktestSettings) => ({
  symbol,
  candles,
  decisions: decided(letters),
  settings,
})

/** 100 → 110 → 120, and 50 → 50 → 40. */
const up = hourly([100, 100, 100, 100], [100, 110, 100, 110], [110, 120, 110, 120])
const down = hourly([50, 50, 50, 50], [50, 50, 50, 50], [50, 50, 40, 40])

describe('several pairs on one balance', () => {
  it('hold 1 of each: +20 and −10 of 1000; the basket of both stands at 1.2 and 0.8', () => {
    const result = runPairs([pair('UP', up, 'B..', futures()), pair('DOWN', down, 'B..', futures())])
    expect([...result.equity]).toEqual([1000, 1010, 1010])
    expect(result.openPositions.map(({ symbol, unrealizedPnL }) => [symbol, unrealizedPnL])).toEqual([
      ['UP', 20],
      ['DOWN', -10],
    ])
    expect([...result.basket.close]).toEqual([1, 1.05, 1])
    const { netPnL, totalReturnPct, buyAndHoldReturnPct } = metricsOf(result, result.basket)
    expect(netPnL).toBe(10)
    expect(totalReturnPct).toBeCloseTo(1, 12)
    expect(buyAndHoldReturnPct).toBe(0)
    expect(result.signals).toEqual({ buy: 2, sell: 0, hold: 4, close: 0 })
  })

  it('cannot spend the same money twice: 1000 buy 10 at 100, and nothing is left for the second', () => {
    const all = spot({ sizing: { kind: 'fixed', quantity: 10 } })
    const result = runPairs([pair('UP', up, 'B..', all), pair('DOWN', down, 'B..', all)])
    expect(result.entries).toBe(1)
    expect(result.skipped).toEqual([{ reason: 'no_balance', count: 1 }])
    expect(result.finalEquity).toBe(1200)
  })

  it('keep targets of the whole equity: a quarter each of 1000 at 100 and 50, then of 1025', () => {
    const settings = spot({ targetBand: 0 })
    const targets = Float64Array.of(0.25, 0.25, Number.NaN)
    const { openPositions } = runPairs([
      { symbol: 'UP', candles: up, decisions: targets, settings },
      { symbol: 'DOWN', candles: down, decisions: targets, settings },
    ])
    // 2.5 × 110 + 5 × 50 + 500 = 1025; a quarter is 256.25: 2.3295 at 110 and 5.125 at 50.
    expect(openPositions[0]!.quantity).toBeCloseTo(256.25 / 110, 12)
    expect(openPositions[1]!.quantity).toBeCloseTo(5.125, 12)
  })

  it('halt together at a drawdown of their equity; trades name their pair, in the order of their exits', () => {
    const settings = futures({ maxDrawdownPct: 10, sizing: { kind: 'fixed', quantity: 12 } })
    const fall = hourly([50, 50, 50, 50], [50, 50, 40, 40], [40, 40, 40, 40])
    const flat = hourly([10, 10, 10, 10], [10, 10, 10, 10], [10, 10, 10, 10])
    const result = runPairs([pair('FLAT', flat, 'B..', settings), pair('FALL', fall, 'B..', settings)])
    expect(result.haltedAt).toBe(HOUR)
    expect(result.trades.map(({ symbol, exitReason }) => [symbol, exitReason])).toEqual([
      ['FLAT', 'max_drawdown'],
      ['FALL', 'max_drawdown'],
    ])
  })

  it('with one pair are the same, to the bit, as a backtest of it', () => {
    const settings = futures({ feeRate: 0.001, slippageBps: 7, takeProfitPct: 5 })
    const { basket: _basket, ...alone } = runPairs([pair('UP', up, 'BS.', settings)])
    const unnamed = <T extends { symbol: string }>(all: readonly T[]) => all.map(({ symbol: _symbol, ...one }) => one)
    const openPositions = unnamed(alone.openPositions)
    expect({
      ...alone,
      trades: unnamed(alone.trades),
      openPosition: openPositions[0],
      openPositions,
    }).toEqual(runBacktest(up, decided('BS.'), settings))
  })
})
