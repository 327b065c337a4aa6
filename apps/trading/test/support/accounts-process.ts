import { connect } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { openAccounts } from './open-accounts.ts'
import { simulatedMarket } from './simulated-market.ts'

// A process to be killed: `orders` places one order after the other, each under a key of its own; `watch` fills what
// waits. It talks to the simulated market at the time that it is told.
const [what = '', url = '', nowMs = '', userId = '', count = ''] = process.argv.slice(2)
const db = await connect(url, silentLogger(), { max: 4 })
const room = openAccounts({
  db,
  market: simulatedMarket(() => Number(nowMs)),
  predict: () => Promise.reject(new Error('not of this test')),
  log: silentLogger(),
  now: Date.now,
})
if (what === 'watch') await room.watchOrders()
else
  for (let i = 0; i < Number(count); i++)
    await room.orders.place(
      { symbol: 'BTCUSDT', side: i % 3 === 2 ? 'sell' : 'buy', type: 'market', amount: 0.001, isVirtual: true },
      { member: { userId, role: 'user', address: 'process' }, request: { key: `key-${i}`, hash: `hash-${i}` } },
    )
await db.close()
