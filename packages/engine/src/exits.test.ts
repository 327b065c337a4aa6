import { describe, expect, it } from 'vitest'
import { createAccount } from './account.ts'
import { runBacktest } from './backtest.ts'
import { type BacktestSettings, backtestSettings } from './backtest-settings.ts'
import type { Candles } from './candles.ts'
import { type EngineTrade, SILENT } from './journal.ts'
import { createRules } from './rules.ts'
import { stepOpen, stepWithin } from './step.ts'
import { decided, futures, HOUR, hourly, type Ohlc } from './testing/small-runs.ts'

const flat: Ohlc = [100, 101, 99, 100]
const tradesOf = (candles: Candles, letters: string, settings: Partial<BacktestSettings>) =>
  runBacktest(candles, decided(letters), futures(settings)).trades.map(
    ({ exitReason, exitTime, exitPrice, netPnL }) => [exitReason, exitTime / HOUR, exitPrice, netPnL],
  )

describe('a trailing stop of 10%', () => {
  const trail = { trailingStopPct: 10 }
  it('stands at 90 on the candle of an entry at 100, whatever that candle reaches first', () => {
    expect(tradesOf(hourly(flat, [100, 140, 91, 100]), 'B.', trail)).toEqual([])
    expect(tradesOf(hourly(flat, [100, 140, 90, 100]), 'B.', trail)).toEqual([['trailing_stop', 1, 90, -10]])
  })
  it('follows a high of 120 to 108 and one of 130 to 117, each from the next candle on', () => {
    const candles = hourly(flat, [100, 120, 95, 110], [110, 130, 109, 125], [125, 126, 116, 118])
    expect(tradesOf(candles, 'B...', trail)).toEqual([['trailing_stop', 3, 117, 17]])
  })
  it('never falls back', () => {
    const candles = hourly(flat, [100, 120, 99, 110], [110, 111, 109, 110], [110, 111, 108, 109])
    expect(tradesOf(candles, 'B...', trail)).toEqual([['trailing_stop', 3, 108, 8]])
  })
  it('fills at the open that has gapped through it', () =>
    expect(tradesOf(hourly(flat, [100, 120, 99, 110], [105, 106, 104, 105, 5]), 'B..', trail)).toEqual([
      ['trailing_stop', 7, 105, 5],
    ]))
  it('follows a short’s low of 80 to 88', () =>
    expect(tradesOf(hourly(flat, [100, 104, 80, 85], [85, 89, 84, 86]), 'S..', trail)).toEqual([
      ['trailing_stop', 2, 88, 12],
    ]))
  it('gives way to a nearer stop of 3%, and passes it once the price has risen', () => {
    const both = { ...trail, stopLossPct: 3 }
    expect(tradesOf(hourly(flat, [100, 101, 96, 100]), 'B.', both)).toEqual([['stop_loss', 1, 97, -3]])
    expect(tradesOf(hourly(flat, [100, 120, 98, 110], [110, 111, 107, 108]), 'B..', both)).toEqual([
      ['trailing_stop', 2, 108, 8],
    ])
  })
  it('comes before a target that the same candle reaches', () =>
    expect(
      tradesOf(hourly(flat, [100, 110, 99, 109], [109, 125, 90, 100]), 'B..', { ...trail, takeProfitPct: 20 }),
    ).toEqual([['trailing_stop', 2, 99, -1]]))
  it('begins at the entry price in an account that was stored before best prices were', () => {
    const settings = backtestSettings({ ...futures(trail) })
    const rules = createRules(settings)
    const exits: string[] = []
    const account = createAccount(1000)
    const journal = { ...SILENT, trade: (t: EngineTrade) => void exits.push(t.exitReason) }
    stepOpen({ account, rules, journal }, hourly(flat), 0, 1)
    account.bestPrice = 0
    stepWithin({ account, rules, journal }, hourly([100, 101, 90, 95]), 0)
    expect(exits).toEqual(['trailing_stop'])
  })
})

describe('a time of 2 candles', () => {
  const time = { timeExitCandles: 2 }
  const quiet = hourly(flat, flat, flat, [103, 104, 102, 103], flat, flat)
  it('closes at the open two candles after the entry', () =>
    expect(tradesOf(quiet, 'B.....', time)).toEqual([['time', 3, 103, 3]]))
  it('closes also where the entry is asked for again, which counts from the next close on', () =>
    expect(tradesOf(quiet, 'BBBBBB', time)).toEqual([['time', 3, 103, 3]]))
  it('counts candles that are missing', () =>
    expect(tradesOf(hourly(flat, flat, [103, 104, 102, 103, 5]), 'B..', time)).toEqual([['time', 7, 103, 3]]))
  it('leaves a reversal at the same open what it is', () =>
    expect(tradesOf(quiet, 'B.S...', time)[0]).toEqual(['reversal', 3, 103, 3]))
  it('comes after a stop that the open has gapped through', () =>
    expect(tradesOf(hourly(flat, flat, flat, [80, 81, 79, 80]), 'B...', { ...time, stopLossPct: 5 })).toEqual([
      ['stop_loss', 3, 80, -20],
    ]))
})

it('CLOSE_LONG closes a long and leaves a short; CLOSE_SHORT closes a short and leaves a long', () => {
  const candles = hourly(flat, flat, [103, 104, 102, 103], flat)
  expect(tradesOf(candles, 'BL..', {})).toEqual([['signal', 2, 103, 3]])
  expect(tradesOf(candles, 'SL..', {})).toEqual([])
  expect(tradesOf(candles, 'SK..', {})).toEqual([['signal', 2, 103, -3]])
  expect(tradesOf(candles, 'BK..', {})).toEqual([])
  expect(runBacktest(candles, decided('LK.C'), futures()).signals).toEqual({ buy: 0, sell: 0, hold: 1, close: 3 })
})

it.each([
  [{ trailingStopPct: 100 }, 'trailingStopPct is from 0 to below 100'],
  [{ timeExitCandles: 0 }, 'timeExitCandles is a whole number'],
])('settings of %j are refused', (settings, words) => expect(() => futures(settings)).toThrow(words))
