import { connect } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { openTrading } from '@shapecast/venues/ccxt/ccxt-trading'
import { saying } from './accounts-bench.ts'
import { liveMarketAt, SECRET_KEY } from './live-market.ts'
import { openAccounts } from './open-accounts.ts'

// A process to be killed while it places a real order: at `before` it has written it down and not sent it, at `after`
// it has sent it and not heard the reply's end. There it says so and waits for its death. The order is a market order, or
// with `stop` the stop-loss of an auto-trade, whose purchase goes through.
const [what = '', where = '', url = '', urls = '', price = '', userId = '', key = ''] = process.argv.slice(2)
const db = await connect(url, silentLogger(), { max: 4 })
const waitForDeath = (): Promise<never> => {
  process.stdout.write('there\n')
  return new Promise(() => setInterval(() => {}, 1_000))
}
const room = openAccounts({
  db,
  market: liveMarketAt(() => Number(price)),
  predict: async () => saying(Date.now(), { signal: 'BUY', stopLoss: Math.floor(Number(price) * 0.97) }),
  log: silentLogger(),
  now: Date.now,
  real: {
    secretKey: SECRET_KEY,
    testnet: true,
    async open(keys) {
      const trading = await openTrading('binance', { keys, urls: JSON.parse(urls) as object, timeoutMs: 2_000 })
      return {
        ...trading,
        async createOrder(request) {
          if (request.type !== what) return trading.createOrder(request)
          if (where === 'after') await trading.createOrder(request)
          return waitForDeath()
        },
      }
    },
  },
})
const asked = {
  member: { userId, role: 'admin', address: 'process' },
  request: { key, hash: `hash of ${key}` },
} as const
const draft = { symbol: 'BTCUSDT', amount: 0.01, isVirtual: false } as const
if (what === 'stop') await room.autoTrades.trade({ ...draft, enableStopLoss: true, timeframe: '1h' }, asked)
else await room.orders.place({ ...draft, side: 'buy', type: 'market' }, asked)
