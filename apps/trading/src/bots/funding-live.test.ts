import { backtestSettings } from '@shapecast/engine/backtest-settings'
import { indexAtOrAfter, sliceCandles } from '@shapecast/engine/candles'
import type { FundingSeries } from '@shapecast/engine/models/funding'
import { createPortfolio, stepPortfolio } from '@shapecast/engine/portfolio'
import { createRules } from '@shapecast/engine/rules'
import { randomCandles } from '@shapecast/venues/testing/candle-files'
import { afterAll, expect, it } from 'vitest'
import { createBotsBench, scriptedMarket } from '../../test/support/bots-bench.ts'
import { createServiceBench } from '../../test/support/service-bench.ts'
import { backtestOfBot, decisionsOf } from '../../test/support/soak-bots.ts'
import { awaitsRate } from '../market/funding/follow-funding.ts'
import { moveBot } from './decide-bot.ts'
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
  for (let hour = 0; hour < 96; hour++) {
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
      states: room.trading,
      bots: room.store,
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

it('waits for a rate that is due for ten minutes at most, and only where those before it have come', () => {
  const until = START + 24 * HOUR
  const followed: FundingSeries = {
    ts: Float64Array.of(until - 8 * HOUR, until),
    rate: Float64Array.of(0, 0),
    mark: Float64Array.of(1, 1),
    known: [{ fromMs: START, untilMs: until }],
  }
  const due = until + 8 * HOUR
  const waits = (openMs: number, nowMs: number, of: FundingSeries | null = followed) => awaitsRate(of, openMs, nowMs)
  expect([waits(due, due + 5_000), waits(due, due + 11 * 60_000)]).toEqual([true, false])
  expect([waits(due - HOUR, due - HOUR), waits(due + HOUR, due + HOUR), waits(due, due, null)]).toEqual([
    false,
    false,
    false,
  ])
})

it('a futures position that is closed by hand at a settlement has paid for it', () => {
  const candles = randomCandles(2, START + 31 * HOUR, '1h')
  const settings = { market: 'futures', timeframe: '1h', initialBalance: 1e6, leverage: 1 } as const
  const sizing = { kind: 'fixed', quantity: 1 } as const
  const rules = createRules(backtestSettings({ ...settings, sizing }), { ...funding, known: [] })
  const portfolio = createPortfolio(1e6, ['BTCUSDT'])
  const journal = { fill() {}, trade() {}, skip() {}, reduced() {}, gap() {}, funding() {} }
  portfolio.pairs[0]!.pending = 1
  stepPortfolio({ portfolio, rules: [rules], journals: [journal] }, [{ candles, i: 0 }], candles.ts[0]!)
  const { trades } = moveBot({ rules: [rules] }, portfolio, [{ candles, i: 1 }], undefined, {
    pairs: [true],
    reason: 'closed_by_hand',
  })
  // 32 hours after the start is 08:00: not known, so one ten-thousandth of the open.
  expect(trades).toMatchObject([{ exitReason: 'closed_by_hand', funding: -candles.open[1]! * 0.0001 }])
})
