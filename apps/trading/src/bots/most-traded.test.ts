import { type Candles, candlesFromRows } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'
import { afterAll, expect, it } from 'vitest'
import { createBotsBench, scriptedMarket } from '../../test/support/bots-bench.ts'
import { createServiceBench } from '../../test/support/service-bench.ts'
import { backtestOfBot } from '../../test/support/soak-bots.ts'

const HOUR = 3_600_000
const BEGAN = Date.UTC(2023, 11, 1)
const FEBRUARY = Date.UTC(2024, 1, 1)

const bench = await createServiceBench()
afterAll(() => bench.close())

/** Hours of a coin until `until`; `traded` says how much quote is traded in each. */
function coin(seed: number, until: number, traded: (ts: number) => number) {
  const random = createRandom(seed)
  let close = 100
  return candlesFromRows(
    Array.from({ length: (until - BEGAN) / HOUR }, (_, hour) => {
      const open = close
      close *= Math.exp(0.01 * random.normal())
      const ts = BEGAN + hour * HOUR
      return [ts, open, Math.max(open, close), Math.min(open, close), close, traded(ts) / close]
    }),
  )
}

/** A bot that holds the two most traded of these coins in half shares, from `from` to `until`; the same as its backtest, to the bit. */
async function lived(name: string, series: ReadonlyMap<string, Candles>, from: number, until: number) {
  const market = scriptedMarket(series)
  market.nowMs = from + 60_000
  const room = createBotsBench(bench.db, market)
  const id = await room.started({
    name,
    tradingPairs: [...series.keys()],
    initialBalance: 1000,
    maxDrawdown: 80,
    parameters: { policy: 'fixed_share', mostTraded: 2 },
  })
  while (market.nowMs < until) {
    market.nowMs += HOUR
    await room.runtime.catchUp()
  }
  const { portfolio, decidedTs } = (await room.trading.state(id))!
  const tested = backtestOfBot((await room.store.find(id))!, series, from, decidedTs)
  const kept = ({ pairs, ...rest }: typeof portfolio) => ({
    ...rest,
    pairs: pairs.map(({ decidedDay: _, ...pair }) => pair),
  })
  expect(kept(portfolio)).toEqual(kept(tested.portfolio))
  expect((await room.parityOf(id)).differences).toEqual([])
  const trades = await room.reads.trades(id, { limit: 10 }, room.owner)
  expect(trades).toHaveLength(tested.trades.length)
  return { room, id, trades, sides: portfolio.pairs.map(({ account }) => account.side) }
}

it('sells at its last price what has died while it was held, at the turn of the month, as its backtest does, to the bit', async () => {
  const until = FEBRUARY + 30 * HOUR
  const series = new Map([
    ['AAAUSDT', coin(1, until, () => 500)],
    ['DEDUSDT', coin(4, FEBRUARY - 60 * HOUR, () => 400)],
    ['NEXUSDT', coin(5, until, () => 300)],
  ])
  const { trades, sides } = await lived('Undertaker', series, FEBRUARY - 80 * HOUR, until)
  expect(sides).toEqual([1, 0, 1])
  const sold = trades.find(({ symbol }) => symbol === 'DEDUSDT')!
  expect([sold.exitTime, sold.exitReason]).toEqual([FEBRUARY - HOUR, 'no_candles'])
  expect(sold.exitPrice).toBeCloseTo(series.get('DEDUSDT')!.close.at(-1)! * 0.9995, 9)
})

it('holds the two most traded of four coins through the change of a month as its backtest does, to the bit', async () => {
  const until = FEBRUARY + 40 * HOUR
  const series = new Map([
    ['AAAUSDT', coin(1, until, () => 500)],
    ['BBBUSDT', coin(2, until, (ts) => (ts < Date.UTC(2024, 0, 1) ? 900 : 100))],
    ['CCCUSDT', coin(3, until, (ts) => (ts < Date.UTC(2024, 0, 1) ? 100 : 900))],
    // It has died before it could be held.
    ['DEDUSDT', coin(4, FEBRUARY - 60 * HOUR, () => 400)],
  ])
  const { room, id, trades, sides } = await lived('Turn', series, FEBRUARY - 30 * HOUR, until)
  expect(sides).toEqual([1, 0, 1, 0])
  expect(trades.map(({ symbol, exitTime }) => [symbol, exitTime])).toEqual([['BBBUSDT', FEBRUARY]])
  const { decisions } = await room.reads.decisions(id, { limit: 100, show: 'orders' }, room.owner)
  const reasons = decisions.filter(({ symbol, candleTs }) => symbol === 'BBBUSDT' && candleTs === FEBRUARY - HOUR)
  expect(reasons.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(
      /^It is not among the 2 most traded of its pairs this month, so it wants none of the equity and holds 2\d\.\d%: it closes its position of /,
    ),
  ])
})
