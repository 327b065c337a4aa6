import { AppError } from '@shapecast/contracts/errors'
import { silentLogger } from '@shapecast/platform/logging'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { createAccountsBench, saying } from '../../test/support/accounts-bench.ts'
import { isKilled, Life, mortalDatabase } from '../../test/support/mortal.ts'
import { type OpenAccounts, openAccounts } from '../../test/support/open-accounts.ts'

const bench = await createAccountsBench()
afterAll(() => bench.close())

interface Process {
  life: Life
  room: OpenAccounts
}
function startProcess(): Process {
  const life = new Life()
  const room = openAccounts({
    db: mortalDatabase(bench.db, life),
    market: bench.market,
    predict: async () => saying(bench.market.nowMs, bench.said),
    log: silentLogger(),
    now: () => bench.clock.ms,
  })
  return { life, room }
}

const DO = ['buy', 'ticket', 'sell', 'limit buy', 'limit sell', 'guarded', 'close', 'cancel', 'watch', 'look'] as const
const command = fc.record({
  what: fc.constantFrom(...DO),
  amount: fc.integer({ min: 1, max: 60_000 }).map((n) => n / 2_000),
  symbol: fc.constantFrom('BTCUSDT', 'ETHUSDT'),
  offset: fc.integer({ min: 1, max: 400 }),
  by: fc.nat(1),
  /** Steps after which its process is killed; mostly it lives. */
  dies: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(6) }),
})
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never
/** What comes at once, and where the price has gone then, in hundredths. */
const round = fc.record({
  at: fc.array(command, { minLength: 1, maxLength: 4 }),
  moves: fc.integer({ min: -900, max: 900 }),
})

it('whatever comes at once, is killed and comes again, is done once, and the ledger agrees to the unit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 8, maxLength: 20 }), async (rounds) => {
      const userId = crypto.randomUUID()
      const processes = [startProcess(), startProcess()]
      const prices = new Map([
        ['BTCUSDT', 100],
        ['ETHUSDT', 10],
      ])
      for (const [symbol, last] of prices) bench.market.prices.set(symbol, { last, ageMs: 0 })
      const asked: { key: string; isDone: boolean }[] = []

      async function run({ what, amount, symbol, offset }: Command, key: string, room: OpenAccounts): Promise<boolean> {
        const of = { member: { userId, role: 'user' as const, address: 'here' }, request: { key, hash: key } }
        const last = prices.get(symbol)!
        const away = (sign: number) => Number((last * (1 + (sign * offset) / 10_000)).toFixed(2))
        const place = (side: 'buy' | 'sell', price?: number) =>
          room.orders.place(
            { symbol, side, type: price === undefined ? 'market' : 'limit', amount, price, isVirtual: true },
            of,
          )
        const trade = { symbol, amount, enableStopLoss: true, timeframe: '1h', isVirtual: true } as const
        switch (what) {
          case 'buy':
          case 'sell':
            return (await place(what)).id !== ''
          case 'ticket': {
            const guards = { stopLoss: away(-1), takeProfit: away(1), isVirtual: true }
            const draft = { symbol, side: 'buy', type: 'market', quoteAmount: amount * last, ...guards } as const
            return (await room.orders.place(draft, of)).id !== ''
          }
          case 'limit buy':
            return (await place('buy', away(-1))).id !== ''
          case 'limit sell':
            return (await place('sell', away(1))).id !== ''
          case 'guarded':
          case 'close': {
            bench.said = { signal: what === 'close' ? 'SELL' : 'BUY', stopLoss: away(-1) }
            return (await room.autoTrades.trade(trade, of)).order !== null
          }
          case 'cancel': {
            const open = (await room.orders.list(userId, { limit: 100 })).filter(({ status }) => status === 'open')
            const one = open[offset % Math.max(1, open.length)]
            if (one !== undefined) await room.orders.cancel(one.id, of.member)
            return false
          }
          case 'watch':
            await room.watchOrders()
            return false
          default: {
            const { balance, available, reserved } = await room.account.balance(userId)
            expect(available).toBeGreaterThanOrEqual(0)
            expect(available + reserved).toBeCloseTo(balance, 6)
            return false
          }
        }
      }

      /** As a client does: under the same key, by whichever process lives, until there is an answer. */
      async function insist(one: Command): Promise<void> {
        const key = crypto.randomUUID()
        for (let by = one.by; ; by = 1 - by) {
          try {
            asked.push({ key, isDone: await run(one, key, processes[by]!.room) })
            return
          } catch (error) {
            if (error instanceof AppError) return void asked.push({ key, isDone: false })
            if (!isKilled(error)) throw error
            if (processes[by]!.life.isOver) processes[by] = startProcess()
          }
        }
      }

      for (const { at, moves } of rounds) {
        for (const { dies, by } of at) if (dies !== null) processes[by]!.life.endAfter(dies)
        await Promise.all(at.map(insist))
        await check(userId)
        for (const [symbol, price] of prices) {
          const to = Math.max(1, Number((price * (1 + moves / 10_000)).toFixed(2)))
          const [low, high] = [Math.min(price, to) * 0.999, Math.max(price, to) * 1.001]
          // One clock for both coins: each has every second minute.
          bench.market.minutes(symbol, [price, high, low, to])
          prices.set(symbol, to)
        }
      }
      await bench.room.watchOrders()
      await check(userId)
      const { rows } = await bench.db.pool.query<{ key: string; n: number }>(
        'select key, count(*)::int as n from trading.keyed_replies where user_id = $1 group by key',
        [userId],
      )
      const kept = new Map(rows.map(({ key, n }) => [key, n]))
      for (const { key, isDone } of asked) if (isDone) expect(kept.get(key)).toBe(1)
    }),
    { numRuns: Number(process.env.RUNS ?? 4) },
  )
})

/** What never holds of a sound ledger: every row that is found is a fault, by name. */
const FAULTS: Readonly<Record<string, string>> = {
  'a balance that is not start + Σ pnl − Σ fees − cost of what is held': `
    select 1 from a where (select sum(amount) from trading.ledger_entries where account_id = a.id) <>
      10000 + (select coalesce(sum(coalesce(pnl, 0) - fee), 0) from trading.fills where account_id = a.id)
      - (select coalesce(sum(cost), 0) from trading.positions where account_id = a.id)`,
  'less than nothing available': `
    select 1 from a where (select sum(amount) from trading.ledger_entries where account_id = a.id) <
      (select coalesce(sum(reserved), 0) from trading.orders where account_id = a.id and status = 'open')`,
  'a fill without its two entries, or with others': `
    select 1 from f left join trading.ledger_entries e on e.fill_id = f.id group by f.id, f.side, f.notional, f.fee
    having count(*) <> 2
      or sum(e.amount) filter (where e.kind = case f.side when 'buy' then 'purchase' else 'sale' end)
        is distinct from case f.side when 'buy' then -f.notional else f.notional end
      or sum(e.amount) filter (where e.kind = 'fee') is distinct from -f.fee`,
  'an entry of no fill that is no deposit': `
    select 1 from trading.ledger_entries e join a on a.id = e.account_id where (e.fill_id is null) <> (e.kind = 'deposit')`,
  'a filled order without one fill of all of it, or a fill of another': `
    select 1 from o left join trading.fills x on x.order_id = o.id
    where (o.status = 'filled') <> (x.id is not null) or x.quantity <> o.quantity`,
  'a position that is not the sum of its fills': `
    select 1 from trading.positions p join a on a.id = p.account_id where p.quantity <> (
      select coalesce(sum(case f.side when 'buy' then f.quantity else -f.quantity end), 0) from f
      where f.symbol = p.symbol) or p.quantity < 0 or p.cost < 0 or (p.quantity = 0 and p.cost <> 0)`,
  'fills without a position': `
    select 1 from f where not exists (
      select 1 from trading.positions p where p.account_id = f.account_id and p.symbol = f.symbol)`,
  'more coins set aside or guarded than held': `
    select 1 from o where status = 'open' and side = 'sell' group by o.account_id, symbol, type having sum(quantity) >
      (select p.quantity from trading.positions p where p.account_id = o.account_id and p.symbol = o.symbol)`,
  'money set aside by what does not buy': `
    select 1 from o where (reserved > 0) <> (status = 'open' and side = 'buy') or reserved < 0`,
  'an open order that was closed, or a closed one without a time': `
    select 1 from o where (status = 'open') <> (closed_at_ms is null)`,
  'a decision that bought or sold without an order, or did nothing with one': `
    select 1 from trading.auto_trade_decisions d join a on a.id = d.account_id
    where (d.action in ('bought', 'sold')) <> (d.order_id is not null)`,
  'an order that nobody asked for': `
    select 1 from o where type <> 'market' and source = 'auto_trade'
      and not exists (select 1 from trading.auto_trade_decisions d where d.order_id = o.guards_id)`,
  'an order of people without a record': `
    select 1 from o where source = 'user' and (select count(*) from platform.audit
      where subject_id = o.id::text and action = 'order.placed') <> 1`,
  'a fill by the watch that is recorded twice': `
    select 1 from o join platform.audit on subject_id = o.id::text and action = 'order.filled' group by o.id having count(*) > 1`,
}

async function check(userId: string): Promise<void> {
  for (const [fault, sql] of Object.entries(FAULTS)) {
    const { rows } = await bench.db.pool.query(
      `with a as (select id from trading.accounts where owner_id = $1),
         o as (select * from trading.orders where account_id in (select id from a)),
         f as (select x.*, o.side, o.symbol from trading.fills x join o on o.id = x.order_id) ${sql}`,
      [userId],
    )
    expect(rows, fault).toEqual([])
  }
}
