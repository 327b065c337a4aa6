import { indexAtOrAfter, sliceCandles } from '@shapecast/engine/candles'
import type { FundingSeries } from '@shapecast/engine/models/funding'
import { randomCandles } from '@shapecast/venues/testing/candle-files'
import { afterAll, expect, it } from 'vitest'
import { createBotsBench, scriptedMarket } from '../../test/support/bots-bench.ts'
import { createServiceBench } from '../../test/support/service-bench.ts'
import { backtestOfBot, decisionsOf } from '../../test/support/soak-bots.ts'
import { createParityCheck } from './parity.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)
const bench = await createServiceBench()
afterAll(() => bench.close())

/** Every 8 hours for two weeks, without the second and third day. */
const settled = Array.from({ length: 42 }, (_, k) => START + 8 * (k + 1) * HOUR).filter(
  (ts) => ts <= START + 24 * HOUR || ts > START + 72 * HOUR,
)
const funding: FundingSeries = {
  ts: Float64Array.from(settled),
  rate: Float64Array.from(settled, (_, k) => (k % 3 === 0 ? -1 : 1) * 0.0003),
  mark: Float64Array.from(settled, (_, k) => (k % 2 === 0 ? Number.NaN : 20_100)),
  known: [
    { fromMs: START, untilMs: START + 24 * HOUR },
    { fromMs: START + 72 * HOUR, untilMs: START + 336 * HOUR },
  ],
}

it('a virtual futures bot is charged funding as its backtest is, to the bit, and its ledger has it', async () => {
  const series = new Map([['BTCUSDT', randomCandles(300, START, '1h', 7)]])
  const market = scriptedMarket(series)
  market.rules = async () => ({ lotSize: 0.001, minNotional: 5, funding })
  market.nowMs = START + 8 * HOUR + 60_000
  const room = createBotsBench(bench.db, market)
  const id = await room.started({
    marketType: 'futures',
    leverage: 2,
    positionSize: 0.01,
    initialBalance: 1000,
    maxDrawdown: 50,
    parameters: {
      policy: 'rule',
      rule: 'enter: close > sma(5) exit: close < sma(5) short: close < sma(5) cover: close > sma(5)',
    },
  })
  for (let hour = 0; hour < 110; hour++) {
    market.nowMs += HOUR
    await room.runtime.catchUp()
  }
  const bot = (await room.store.find(id))!
  const state = (await room.trading.state(id))!
  const from = series.get('BTCUSDT')!.ts[indexAtOrAfter(series.get('BTCUSDT')!, START + 8 * HOUR)]!
  const tested = backtestOfBot(bot, series, from, state.decidedTs, funding)
  expect(state.portfolio.equity).toBe(tested.portfolio.equity)
  const lived = (await room.reads.trades(id, { limit: 1000 }, room.owner)).toReversed()
  const told = ({
    side,
    exitTime,
    funding: paid,
    netPnL,
  }: Pick<(typeof tested.trades)[number], 'side' | 'exitTime' | 'funding' | 'netPnL'>) => [side, exitTime, paid, netPnL]
  expect(lived.map(told)).toEqual(tested.trades.map(told))
  expect(lived.some((trade) => trade.funding > 0) && lived.some((trade) => trade.funding < 0)).toBe(true)
  expect(new Set(lived.map(({ side }) => side))).toEqual(new Set(['long', 'short']))

  const booked = await bench.db.pool.query(
    "select sum(amount)::float8 as sum from trading.ledger_entries where kind = 'funding'",
  )
  const open = state.portfolio.pairs[0]!.account.positionFunding
  expect(booked.rows[0].sum).toBeCloseTo(
    lived.reduce((sum, trade) => sum + trade.funding, open),
    6,
  )

  const check = (of: FundingSeries) =>
    createParityCheck({
      store: room.trading,
      find: room.store.find,
      rules: async () => ({ lotSize: 0.001, minNotional: 5, funding: of }),
      async decisions(_bot, plan, symbol, { fromMs, toMs }) {
        const all = sliceCandles(series.get(symbol)!, 0, indexAtOrAfter(series.get(symbol)!, toMs + 1))
        const first = indexAtOrAfter(all, fromMs)
        return { candles: sliceCandles(all, first), decisions: decisionsOf(bot, plan, symbol, all, first) }
      },
    })(id, room.owner)
  expect((await check(funding)).differences).toEqual([])
  // A rate that is corrected afterwards is the cause of what then differs.
  const corrected = await check({ ...funding, rate: funding.rate.map((rate) => rate * 1.001) })
  expect(new Set(corrected.differences.map(({ cause }) => cause))).toEqual(new Set(['funding']))
})
