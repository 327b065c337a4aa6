import { connect } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { openTrading } from '@shapecast/venues/ccxt/ccxt-trading'
import { createAccountsRoom } from '../accounts-room.ts'
import { liveMarketAt, SECRET_KEY } from './real-bench.ts'

// A process to be killed while it places a real order: at `before` it has written it down and not sent it, at `after`
// it has sent it and not heard the reply's end. There it says so and waits for its death.
const [where = '', url = '', urls = '', price = '', userId = '', key = ''] = process.argv.slice(2)
const db = await connect(url, silentLogger(), { max: 4 })
const waitForDeath = (): Promise<never> => {
  process.stdout.write('there\n')
  return new Promise(() => setInterval(() => {}, 1_000))
}
const room = createAccountsRoom({
  db,
  market: liveMarketAt(() => Number(price)),
  predict: () => Promise.reject(new Error('not of this test')),
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
          if (where === 'after') await trading.createOrder(request)
          return waitForDeath()
        },
      }
    },
  },
})
await room.orderDesk.place(
  { symbol: 'BTCUSDT', side: 'buy', type: 'market', amount: 0.01, isVirtual: false },
  { member: { userId, role: 'admin' }, address: 'process', request: { key, hash: `hash of ${key}` } },
)
