import { candlesFromRows } from '@shapecast/engine/candles'
import { connect } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { openTrading } from '@shapecast/venues/ccxt/ccxt-trading'
import type { LiveTrading, OrderRequest } from '@shapecast/venues/live-trading'
import { assembleRealBots } from './assemble-real-bots.ts'
import { meetFate, withPoints } from './deadly-points.ts'
import { liveMarketAt, SECRET_KEY } from './live-market.ts'
import { openAccounts } from './open-accounts.ts'
import { MINUTE_MS, readSoakClock, SOAK_LOCK, type SoakProcess, soakScript, transactionOf } from './real-soak-script.ts'

// A process to be killed: it takes bots with real money on, on the exchange of its parent, until its end. The market's
// clock is in the database, and stands while a round of anybody is under way: as in the world, no minute passes between
// the two halves of a request.
const { url, urls, venue, seed, startMs } = JSON.parse(process.argv[2]!) as SoakProcess
const reach = meetFate()
const db = await connect(url, silentLogger(), { max: 8 })
const script = soakScript(seed)
let clock = await readSoakClock(db.pool)

const legOf = ({ type, side }: OrderRequest) =>
  type === 'stop' ? 'a stop-loss' : type === 'take_profit' ? 'a take profit' : side === 'buy' ? 'a purchase' : 'a sale'
const mortalTrading = (trading: LiveTrading): LiveTrading => ({
  ...trading,
  async createOrder(request) {
    reach(`${legOf(request)}, before it is sent`)
    const said = await trading.createOrder(request)
    reach(`${legOf(request)}, acknowledged`)
    return said
  },
  async createPair(...asked) {
    reach('a stop-loss with its take profit, before it is sent')
    const said = await trading.createPair(...asked)
    reach('a stop-loss with its take profit, acknowledged')
    return said
  },
  async cancelOrder(...asked) {
    reach('a cancellation, before it is sent')
    const said = await trading.cancelOrder(...asked)
    reach('a cancellation, acknowledged')
    return said
  },
})

const now = () => Date.now() + clock.aheadMs
const mortalDb = withPoints(db, (point, written) => {
  const what = transactionOf(written)
  if (what !== null) reach(`${what}, ${point}`)
})
const room = openAccounts({
  db: mortalDb,
  market: liveMarketAt(() => clock.price, venue),
  predict: () => Promise.reject(new Error('not of this soak')),
  log: silentLogger(),
  now,
  real: {
    secretKey: SECRET_KEY,
    testnet: true,
    open: async (keys, marketType) =>
      mortalTrading(await openTrading(venue, { keys, marketType, urls, timeoutMs: 1_000, unlimited: true })),
  },
})
const { rooms } = assembleRealBots({
  db: mortalDb,
  venue,
  room,
  market: {
    now: async () => startMs + clock.closes * MINUTE_MS,
    load: async (_symbol, _timeframe, { toMs, limit }) =>
      candlesFromRows(
        script
          .candles(startMs, clock.closes)
          .filter(([ts]) => ts <= toMs)
          .slice(-limit),
      ),
    rules: async () => ({ lotSize: 0.00001, minNotional: 5 }),
    price: async () => clock.price,
  },
  forecast: async ({ version }, _symbol, _timeframe, ts) => script.said(version, ts),
  now,
})

const turns = await db.pool.connect()
for (;;) {
  await turns.query('select pg_advisory_lock_shared($1)', [SOAK_LOCK])
  clock = await readSoakClock(db.pool)
  await rooms.advance()
  await room.reconcileOrders()
  await turns.query('select pg_advisory_unlock_shared($1)', [SOAK_LOCK])
  await new Promise((resolve) => setTimeout(resolve, 2))
}
