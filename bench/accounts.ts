/**
 * Virtual accounts: an order against a bare commit of one row to the same database, the balance of an account with
 * 1,000,000 entries against one with three, and a day of missed minutes held against 1,000 orders that wait, without and
 * with candles that fill them.
 *
 *   node bench/accounts.ts
 */
import { silentLogger } from '@shapecast/platform/logging'
import { createAccountStore } from '@shapecast/trading/ledger/account-store'
import { createAccountsRoom } from '@shapecast/trading/orders/accounts-room'
import { simulatedMarket } from '@shapecast/trading/test/support/simulated-market'
import { withBenchDatabase } from './lib/bench-database.ts'
import { median } from './lib/rounds.ts'

const NOW = Date.UTC(2025, 5, 1, 12)
const DAY_MS = 86_400_000
const ORDERS = 100
const WAITING = 1_000
const ENTRIES = 1_000_000

await withBenchDatabase(async ({ db }) => {
  const roomAt = (nowMs: number) =>
    createAccountsRoom({
      db,
      market: simulatedMarket(() => nowMs),
      predict: () => Promise.reject(new Error('not used')),
      log: silentLogger(),
      now: Date.now,
    })
  const room = roomAt(NOW)
  const asked = (userId: string) => ({ member: { userId, role: 'user' }, address: 'bench', request: null }) as const
  const place = (userId: string, price?: number) =>
    room.orders.place(
      {
        symbol: 'BTCUSDT',
        side: 'buy',
        type: price === undefined ? 'market' : 'limit',
        amount: 0.001,
        price,
        isVirtual: true,
      },
      asked(userId),
    )
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }

  const trader = crypto.randomUUID()
  await db.pool.query('create table bare (id int, at timestamptz default now())')
  const [bare, order]: [number[], number[]] = [[], []]
  for (let i = 0; i < ORDERS; i++) {
    bare.push(await timed(() => db.pool.query('insert into bare values ($1)', [i])))
    order.push(await timed(() => place(trader)))
  }
  const line = (what: string, ms: number, than: number) =>
    console.log(`${what.padEnd(58)} ${ms.toFixed(2).padStart(9)} ms  ${(ms / than).toFixed(1).padStart(7)} ×`)
  line('a bare insert, committed', median(bare), median(bare))
  line('a market order', median(order), median(bare))

  const poor = crypto.randomUUID()
  await place(poor)
  await db.pool.query(
    `insert into trading.ledger_entries (account_id, kind, amount, at_ms)
     select a.id, 'funding', 0, 0 from trading.accounts a, generate_series(1, ${ENTRIES}) where owner_id = $1`,
    [trader],
  )
  await db.pool.query('analyze')
  const found = await db.pool.query<{ id: string }>('select id from trading.accounts where owner_id = $1', [trader])
  const books = createAccountStore('simulated')
  const [few, many, money]: [number[], number[], number[]] = [[], [], []]
  for (let i = 0; i < 15; i++) {
    few.push(await timed(() => room.account.balance(poor)))
    many.push(await timed(() => room.account.balance(trader)))
    money.push(await timed(() => books.money(db.orm, found.rows[0]!.id)))
  }
  line('the money of an account with a million entries', median(money), median(few))
  line('the whole reply of an account with 3 entries', median(few), median(few))
  line(`with ${ENTRIES + 2 * ORDERS + 1}`, median(many), median(few))

  const { last } = await simulatedMarket(() => NOW).ticker('BTCUSDT')
  const far = Math.round(last / 2)
  const candles = await timed(() =>
    simulatedMarket(() => NOW + DAY_MS).candles('BTCUSDT', '1m', { fromMs: NOW, toMs: NOW + DAY_MS - 60_000 }),
  )
  const users = Array.from({ length: WAITING / 100 }, () => crypto.randomUUID())
  for (let i = 0; i < WAITING; i++) await place(users[i % users.length]!, far)
  line('a day of minutes, made up', candles, candles)
  line(
    `and held against ${WAITING} orders that it does not reach`,
    await timed(roomAt(NOW + DAY_MS).watchOrders),
    candles,
  )
  await db.pool.query(
    `update trading.orders set price = ${last} where status = 'open' and id in
     (select id from trading.orders where status = 'open' limit 100)`,
  )
  await db.pool.query('delete from trading.watched_symbols')
  line('and 100 of them filled', await timed(roomAt(NOW + DAY_MS).watchOrders), candles)
})
