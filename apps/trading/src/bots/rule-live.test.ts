import { readFileSync } from 'node:fs'
import { type Candles, candlesFromRows, indexAtOrAfter } from '@shapecast/engine/candles'
import { sharedFile } from '@shapecast/venues/testing/shared-data'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createBotsBench, type ScriptedMarket, scriptedMarket } from '../../test/support/bots-bench.ts'
import { createServiceBench } from '../../test/support/service-bench.ts'
import { backtestOfBot } from '../../test/support/soak-bots.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)
const bench = await createServiceBench()
beforeEach(() => bench.db.pool.query('delete from trading.bots'))
afterAll(() => bench.close())

const flat = candlesFromRows(Array.from({ length: 60 }, (_, i) => [START + i * HOUR, 100, 101, 99, 100, 1]))
const openOf = (i: number) => START + i * HOUR

/** Lets the market come to the close of candle `i`. */
async function closeOf(market: ScriptedMarket, room: ReturnType<typeof createBotsBench>, i: number): Promise<void> {
  market.formingRows.clear()
  market.nowMs = openOf(i + 1) + 60_000
  await room.runtime.catchUp()
}
/** Lets candle `i` begin. */
async function beginOf(market: ScriptedMarket, room: ReturnType<typeof createBotsBench>, i: number): Promise<void> {
  market.formingRows.set('BTCUSDT', [openOf(i), 100, 100, 100, 100, 0])
  await room.runtime.between()
}

describe('a rule bot with a time of 2 candles', () => {
  const opened = async () => {
    const market = scriptedMarket(new Map([['BTCUSDT', flat]]))
    market.nowMs = openOf(30) + 60_000
    const room = createBotsBench(bench.db, market)
    const rule = 'enter: close > sma(5) - 1 time: 2'
    const id = await room.started({
      positionSize: 0.1,
      initialBalance: 1000,
      parameters: { policy: 'rule', rule },
    })
    await closeOf(market, room, 30)
    await beginOf(market, room, 31)
    await closeOf(market, room, 31)
    await closeOf(market, room, 32)
    const trades = () => room.reads.trades(id, { limit: 10 }, room.owner)
    return { market, room, id, trades }
  }

  it('leaves as soon as the candle opens that is two after the entry', async () => {
    const { market, room, id, trades } = await opened()
    expect(await trades()).toEqual([])
    await beginOf(market, room, 33)
    expect(await trades()).toMatchObject([{ entryTime: openOf(31), exitTime: openOf(33), exitReason: 'time' }])
    const { decisions } = await room.reads.decisions(id, { limit: 10, show: 'all' }, room.owner)
    expect(decisions.map(({ reason }) => reason).toReversed()).toEqual([
      'Its rule enters long: it buys 0.1 BTC at about 100.00.',
      'Its rule enters long: it keeps its position.',
      'Its time is over: it closes its position of 0.1 BTC at about 100.00.',
    ])
  })

  it('keeps what it holds where it is stopped to keep it', async () => {
    const { market, room, id, trades } = await opened()
    await room.control.stop(id, room.owner, undefined, 'keep')
    await beginOf(market, room, 33)
    await beginOf(market, room, 34)
    expect(await trades()).toEqual([])
    expect((await room.trading.state(id))!.portfolio.pairs[0]!.account.size).toBe(0.1)
  })
})

const btc = sharedFile('BTCUSDT-1h-2017-2024.csv')
const HOURS = 24 * 6
const FROM = Date.parse('2023-03-21T07:00:00Z')

it.skipIf(btc.missing)(
  'a rule bot lives through real hours with a gap as its backtest, which has all years since 2017 before it, to the bit',
  async () => {
    const lines = readFileSync(btc.path, 'utf8').trim().split('\n').slice(1)
    const hours: Candles = candlesFromRows(lines.map((line) => line.split(',').map(Number)))
    const series = new Map([['BTCUSDT', hours]])
    const market = scriptedMarket(series)
    let most = 0
    const { load } = market
    market.load = (symbol, timeframe, range) => {
      most = Math.max(most, range.limit)
      return load(symbol, timeframe, range)
    }
    market.nowMs = FROM + 60_000
    const room = createBotsBench(bench.db, market)
    const rule = 'enter: ema(5) > ema(20) and adx(14) > 20 exit: ema(5) < ema(20) or rsi(14) > 80 trail: 2% time: 30'
    const id = await room.started({
      positionSize: 0.01,
      initialBalance: 1000,
      maxDrawdown: 50,
      parameters: { policy: 'rule', rule },
    })
    for (let hour = 0; hour < HOURS; hour++) {
      market.nowMs += HOUR
      await room.runtime.catchUp()
    }
    const bot = (await room.store.find(id))!
    const state = (await room.trading.state(id))!
    const tested = backtestOfBot(bot, series, FROM, state.decidedTs)
    expect(state.portfolio.balance).toBe(tested.portfolio.balance)
    expect(state.portfolio.equity).toBe(tested.portfolio.equity)
    const lived = await room.reads.trades(id, { limit: 1000 }, room.owner)
    expect(
      lived.toReversed().map(({ exitTime, exitReason, quantity, netPnL }) => [exitTime, exitReason, quantity, netPnL]),
    ).toEqual(
      tested.trades.map(({ exitTime, exitReason, quantity, netPnL }) => [exitTime, exitReason, quantity, netPnL]),
    )
    expect(new Set(lived.map(({ exitReason }) => exitReason)).size).toBeGreaterThan(1)
    const gap = indexAtOrAfter(hours, Date.parse('2023-03-24T13:00:00Z'))
    expect(hours.ts[gap]).toBe(Date.parse('2023-03-24T14:00:00Z'))
    // 561 candles for the ADX and a block of 1,024, not the five years that are there.
    expect(most).toBeLessThan(1600)
  },
  120_000,
)
