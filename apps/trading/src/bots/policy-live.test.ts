import { postedOf } from '@shapecast/engine/post-only'
import { readCandles, sharedFile } from '@shapecast/venues/testing/shared-data'
import { afterAll, expect, it } from 'vitest'
import { createBotsBench, scriptedMarket } from '../../test/support/bots-bench.ts'
import { createServiceBench } from '../../test/support/service-bench.ts'
import { backtestOfBot } from '../../test/support/soak-bots.ts'

const HOUR = 3_600_000
const HOURS = 5 * 24
const FROM = Date.parse('2024-02-20T07:00:00Z')

const [btc, eth] = [sharedFile('BTCUSDT-1h-2017-2024.csv'), sharedFile('ETHUSDT-1h.csv')]
const bench = await createServiceBench()
afterAll(() => bench.close())

it.skipIf(btc.missing || eth.missing)(
  'the recommended start, with and without post-only orders, lives through real hours as its backtest, which has all years since 2017 before it, to the bit',
  async () => {
    const series = new Map([
      ['BTCUSDT', readCandles(btc.path)],
      ['ETHUSDT', readCandles(eth.path)],
    ])
    const market = scriptedMarket(series)
    let most = 0
    const load = market.load
    market.load = (symbol, timeframe, range) => {
      most = Math.max(most, range.limit)
      return load(symbol, timeframe, range)
    }
    market.nowMs = FROM + 60_000
    const room = createBotsBench(bench.db, market)
    const costs = { feeRate: 0.001, slippageBps: 4, postOnly: { makerFeeRate: 0.0002 } }
    const ids: string[] = []
    for (const parameters of [{}, { costs }])
      ids.push(
        await room.started({
          tradingPairs: ['BTCUSDT', 'ETHUSDT'],
          initialBalance: 1000,
          maxDrawdown: 30,
          parameters: { policy: 'trend_ensemble', ...parameters },
        }),
      )
    for (let hour = 0; hour < HOURS; hour++) {
      market.nowMs += HOUR
      await room.runtime.catchUp()
    }
    for (const [k, id] of ids.entries()) {
      const bot = (await room.store.find(id))!
      const state = (await room.trading.state(id))!
      const tested = backtestOfBot(bot, series, FROM, state.decidedTs)
      expect(state.decidedTs).toBe(FROM + (HOURS - 1) * HOUR)
      // A bot keeps the day that it has decided; a backtest has it in its column.
      const withoutDay = ({ pairs, ...rest }: typeof tested.portfolio) => ({
        ...rest,
        pairs: pairs.map(({ decidedDay: _, ...pair }) => pair),
      })
      expect(withoutDay(state.portfolio)).toEqual(withoutDay(tested.portfolio))
      const lived = await room.reads.trades(id, { limit: 1000 }, room.owner)
      expect(
        lived.toReversed().map(({ symbol, exitTime, quantity, netPnL }) => [symbol, exitTime, quantity, netPnL]),
      ).toEqual(tested.trades.map(({ symbol, exitTime, quantity, netPnL }) => [symbol, exitTime, quantity, netPnL]))
      expect(tested.trades.length).toBeGreaterThan(1)
      const { posted } = postedOf(state.portfolio.pairs.map(({ account }) => account))
      if (k === 0) expect(posted).toBeUndefined()
      else expect(posted!.filled).toBeGreaterThan(1)
    }
    // 720 daily closes and the candle before them, not the seven years that are there.
    expect(most).toBeGreaterThan(720 * 24)
    expect(most).toBeLessThan(730 * 24)
  },
  120_000,
)
