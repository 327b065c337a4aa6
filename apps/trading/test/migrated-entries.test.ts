import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@shapecast/platform/database/database'
import { migrate } from '@shapecast/platform/database/migrate'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { afterAll, expect, it } from 'vitest'
import { botAccountsOn } from './support/bot-accounts.ts'
import { TRADING_MIGRATIONS } from './support/trading-migrations.ts'

/** The migrations before entries became money. */
const folder = mkdtempSync(join(tmpdir(), 'shapecast-before-'))
const journal = JSON.parse(readFileSync(join(TRADING_MIGRATIONS.path, 'meta/_journal.json'), 'utf8'))
const all: { tag: string }[] = journal.entries
const entries = all.slice(
  0,
  all.findIndex(({ tag }) => tag.endsWith('cash-entries')),
)
mkdirSync(join(folder, 'meta'))
writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
for (const { tag } of entries) copyFileSync(join(TRADING_MIGRATIONS.path, `${tag}.sql`), join(folder, `${tag}.sql`))
const open: Database[] = []
afterAll(async () => {
  await Promise.all(open.map((db) => db.close()))
  rmSync(folder, { recursive: true, force: true })
})

interface Owner {
  readonly name: string
  readonly owner: 'user' | 'bot'
  readonly kind: 'virtual' | 'real'
  readonly market?: 'spot' | 'futures'
}
/** A trade as it was booked: `pnl` of what closes, `fee` all that was taken, at its worth (quote). */
interface Traded {
  readonly side: 'buy' | 'sell'
  readonly quantity: number
  readonly price: number
  readonly fee: number
  readonly pnl?: number
  readonly fees?: readonly { asset: string; amount: number }[]
  readonly liquidated?: true
}

/** Whose ledger it is, and what was booked of them in that order. */
async function writeAsBefore(db: Database) {
  const query = async (text: string, values: unknown[]) =>
    (await db.pool.query<{ id: string }>(text, values)).rows[0]!.id
  const made = new Map<string, { id: string; ownerId: string; owner: Owner }>()
  let at = 1

  return {
    made,
    async open(owner: Owner, deposit: number): Promise<void> {
      const { kind, market = 'spot' } = owner
      const isBot = owner.owner === 'bot'
      const ownerId = isBot
        ? await query(
            `insert into trading.bots (user_id, venue, name, description, strategy, status, visibility, is_virtual,
               trading_pairs, position_size, max_drawdown, risk_level, market_type, leverage, take_profit_pct,
               stop_loss_pct, initial_balance, temporary, created_at_ms)
             values (gen_random_uuid(), 'v', $1, '', 'ml', 'stopped', 'private', $2, '{BTCUSDT}', 1, 20, 'low', $3, 1, 0,
               0, $4, false, 1) returning id`,
            [owner.name, kind === 'virtual', market, deposit],
          )
        : crypto.randomUUID()
      const id = await query(
        `insert into trading.accounts (owner_kind, owner_id, venue, kind, market, network, created_at_ms)
         values ($1, $2, 'v', $3, $4, $5, 1) returning id`,
        [owner.owner, ownerId, kind, kind === 'real' ? market : 'spot', kind === 'real' ? 'testnet' : null],
      )
      made.set(owner.name, { id, ownerId, owner })
      if (deposit > 0) await this.entry(owner.name, 'deposit', deposit)
    },

    async entry(name: string, kind: string, amount: number, of: { fillId?: string; venueId?: string } = {}) {
      await query(
        `insert into trading.ledger_entries (account_id, kind, amount, fill_id, venue_id, at_ms)
         values ($1, $2, $3, $4, $5, $6) returning id`,
        [made.get(name)!.id, kind, amount, of.fillId ?? null, of.venueId ?? null, at++],
      )
    },

    async trade(name: string, { side, quantity, price, fee, pnl, fees, liquidated }: Traded): Promise<void> {
      const { id: accountId, owner } = made.get(name)!
      const notional = (quantity * price).toFixed(8)
      const orderId = await query(
        `insert into trading.orders (account_id, client_order_id, symbol, side, type, status, quantity, source, created_at_ms)
         values ($1, $2, 'BTCUSDT', $3, 'market', 'filled', $4, 'bot', $5) returning id`,
        [accountId, crypto.randomUUID(), side, quantity, at],
      )
      const isVirtual = owner.kind === 'virtual'
      const fillId = await query(
        `insert into trading.fills (order_id, account_id, trade_id, price, raw_price, quantity, notional, fee, fees, pnl,
           exit_reason, at_ms)
         values ($1, $2, '1', $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`,
        [
          orderId,
          accountId,
          price,
          isVirtual ? price : null,
          quantity,
          notional,
          fee,
          fees === undefined ? null : JSON.stringify(fees),
          pnl ?? null,
          liquidated ? 'liquidation' : null,
          at,
        ],
      )
      const moved = owner.owner === 'user' ? Number(notional) * (side === 'buy' ? -1 : 1) : pnl
      if (moved !== undefined) await this.entry(name, 'trade', moved, { fillId })
      await this.entry(name, 'fee', -fee, { fillId })
    },

    async hold(name: string, quantity: number, cost: number): Promise<void> {
      await db.pool.query("insert into trading.positions values ($1, 'BTCUSDT', $2, $3, 1)", [
        made.get(name)!.id,
        quantity,
        cost,
      ])
    },
  }
}

const SPOT: Owner = { name: 'virtual spot', owner: 'bot', kind: 'virtual' }
const FLAT: Owner = { name: 'virtual spot, flat after a reset', owner: 'bot', kind: 'virtual' }
const FUTURES: Owner = { name: 'virtual futures', owner: 'bot', kind: 'virtual', market: 'futures' }
const REAL: Owner = { name: 'real spot', owner: 'bot', kind: 'real' }
const BEYOND: Owner = { name: 'real spot, sold more than it held', owner: 'bot', kind: 'real' }
const REAL_FUTURES: Owner = { name: 'real futures', owner: 'bot', kind: 'real', market: 'futures' }
const GONE: Owner = { name: 'real spot, deleted', owner: 'bot', kind: 'real' }
const PERSON: Owner = { name: 'person', owner: 'user', kind: 'virtual' }
const ADMIN: Owner = { name: "person's own account", owner: 'user', kind: 'real' }

async function databaseOfBefore() {
  const db = await createTestDatabase([{ owner: 'trading', path: folder }])
  open.push(db)
  const ledger = await writeAsBefore(db)

  await ledger.open(SPOT, 1000)
  await ledger.trade(SPOT.name, { side: 'buy', quantity: 2, price: 100, fee: 0.12 })
  await ledger.trade(SPOT.name, { side: 'sell', quantity: 1, price: 110, fee: 0.066, pnl: 10 })
  await ledger.hold(SPOT.name, 1, 100)

  await ledger.open(FLAT, 1000)
  await ledger.trade(FLAT.name, { side: 'buy', quantity: 1, price: 100, fee: 0 })
  await ledger.trade(FLAT.name, { side: 'sell', quantity: 1, price: 150, fee: 0, pnl: 50 })
  await ledger.entry(FLAT.name, 'reset', -50)
  await ledger.trade(FLAT.name, { side: 'buy', quantity: 3, price: 33.333, fee: 0 })
  // The doubles of the engine have rounded it by a unit.
  await ledger.trade(FLAT.name, { side: 'sell', quantity: 3, price: 43.333, fee: 0, pnl: 30.00000001 })
  await ledger.hold(FLAT.name, 0, 0)

  await ledger.open(FUTURES, 1000)
  await ledger.trade(FUTURES.name, { side: 'sell', quantity: 2, price: 100, fee: 0.2 })
  await ledger.trade(FUTURES.name, { side: 'buy', quantity: 2, price: 90, fee: 0.18, pnl: 20 })
  await ledger.trade(FUTURES.name, { side: 'buy', quantity: 1, price: 90, fee: 0.09 })
  await ledger.entry(FUTURES.name, 'funding', -0.5)
  await ledger.trade(FUTURES.name, { side: 'sell', quantity: 1, price: 72, fee: 4, pnl: -18, liquidated: true })
  await ledger.trade(FUTURES.name, { side: 'sell', quantity: 1, price: 80, fee: 0.08 })
  await ledger.hold(FUTURES.name, -1, 80)

  await ledger.open(REAL, 500)
  const inBtc = [{ asset: 'BTC', amount: 0.001 }]
  await ledger.trade(REAL.name, { side: 'buy', quantity: 1, price: 100, fee: 0.1, fees: inBtc })
  const inTwo = [...inBtc, { asset: 'BNB', amount: 0.0001 }]
  await ledger.trade(REAL.name, { side: 'buy', quantity: 1, price: 110, fee: 0.17, fees: inTwo })
  const inQuote = [{ asset: 'USDT', amount: 0.12 }]
  await ledger.trade(REAL.name, { side: 'sell', quantity: 0.999, price: 120, fee: 0.12, pnl: 14.985, fees: inQuote })
  await ledger.hold(REAL.name, 0.999, 104.895)

  await ledger.open(BEYOND, 500)
  await ledger.trade(BEYOND.name, { side: 'buy', quantity: 1, price: 100, fee: 0.1, fees: inBtc })
  await ledger.trade(BEYOND.name, { side: 'sell', quantity: 1.2, price: 120, fee: 0.12, pnl: 19.98, fees: inQuote })
  await ledger.trade(BEYOND.name, { side: 'buy', quantity: 1, price: 110, fee: 0, fees: [] })
  await ledger.trade(BEYOND.name, { side: 'sell', quantity: 1, price: 120, fee: 0, pnl: 10, fees: [] })
  await ledger.hold(BEYOND.name, 0, 0)

  await ledger.open(REAL_FUTURES, 500)
  await ledger.trade(REAL_FUTURES.name, { side: 'buy', quantity: 1, price: 100, fee: 0.05, fees: [] })
  await ledger.entry(REAL_FUTURES.name, 'funding', 0.02, { venueId: 'a' })
  await ledger.trade(REAL_FUTURES.name, { side: 'sell', quantity: 1, price: 80, fee: 0.04, pnl: -20, liquidated: true })
  await ledger.entry(REAL_FUTURES.name, 'fee', -1.5, { venueId: 'b' })

  await ledger.open(GONE, 500)
  await ledger.trade(GONE.name, { side: 'buy', quantity: 1, price: 100, fee: 0.1, fees: inBtc })
  await db.pool.query('delete from trading.bots where id = $1', [ledger.made.get(GONE.name)!.ownerId])

  await ledger.open(PERSON, 10_000)
  await ledger.trade(PERSON.name, { side: 'buy', quantity: 0.5, price: 200, fee: 0.06 })
  await ledger.trade(PERSON.name, { side: 'sell', quantity: 0.2, price: 250, fee: 0.03, pnl: 10 })
  await ledger.hold(PERSON.name, 0.3, 60)

  await ledger.open(ADMIN, 0)
  await ledger.trade(ADMIN.name, { side: 'buy', quantity: 1, price: 100, fee: 0, fees: inTwo })
  await ledger.trade(ADMIN.name, { side: 'sell', quantity: 1, price: 120, fee: 0.12, fees: inQuote })
  return { db, made: ledger.made }
}

const moneyOf = async (db: Database) => {
  const { rows } = await db.pool.query<{ id: string; balance: number; fees: number }>(
    'select id, balance::float8, fees::float8 from trading.accounts',
  )
  return new Map(rows.map(({ id, ...money }) => [id, money]))
}

const update = (db: Database) => migrate(db, [TRADING_MIGRATIONS])

it('entries of the version before become money, each of its asset, and every account has what it had', async () => {
  const { db, made } = await databaseOfBefore()
  const before = await moneyOf(db)
  await update(db)
  const after = await moneyOf(db)
  const entriesOf = async (name: string) => {
    const { rows } = await db.pool.query<{ kind: string; asset: string; amount: number }>(
      'select kind, asset, amount::float8 from trading.ledger_entries where account_id = $1 order by at_ms, kind desc, asset',
      [made.get(name)!.id],
    )
    return rows.map(({ kind, asset, amount }) => `${kind} ${amount}${asset === 'USDT' ? '' : ` ${asset}`}`)
  }
  expect(await entriesOf(SPOT.name)).toEqual(['deposit 1000', 'purchase -200', 'fee -0.12', 'sale 110', 'fee -0.066'])
  expect(await entriesOf(FLAT.name)).toEqual([
    ...['deposit 1000', 'purchase -100', 'sale 150', 'reset -50', 'purchase -99.999', 'sale 129.99900001'],
  ])
  expect(await entriesOf(FUTURES.name)).toEqual([
    ...['deposit 1000', 'fee -0.2', 'settlement 20', 'fee -0.18', 'fee -0.09', 'funding -0.5', 'settlement -18'],
    ...['liquidation -4', 'fee -0.08'],
  ])
  expect(await entriesOf(REAL.name)).toEqual([
    ...['deposit 500', 'purchase -100', 'fee -0.001 BTC', 'purchase -110', 'fee -0.001 BTC', 'fee -0.06'],
    ...['sale 119.88', 'fee -0.12'],
  ])
  expect(await entriesOf(BEYOND.name)).toEqual([
    ...['deposit 500', 'purchase -100', 'fee -0.001 BTC', 'sale 119.88', 'fee -0.12', 'purchase -110', 'sale 120'],
  ])
  expect(await entriesOf(REAL_FUTURES.name)).toEqual([
    ...['deposit 500', 'fee -0.05', 'funding 0.02', 'settlement -20', 'fee -0.04', 'liquidation -1.5'],
  ])
  expect(await entriesOf(GONE.name)).toEqual(['deposit 500', 'purchase -100', 'fee -0.001 BTC'])
  expect(await entriesOf(PERSON.name)).toEqual(['deposit 10000', 'purchase -100', 'fee -0.06', 'sale 50', 'fee -0.03'])
  expect(await entriesOf(ADMIN.name)).toEqual([
    ...['purchase -100', 'fee -0.0001 BNB', 'fee -0.001 BTC', 'sale 120', 'fee -0.12'],
  ])

  // Hand-worked: 1000 + 10 − 0.186; 1000 + 30.00000001; 1000 + 2 − 4.55 − 0.5; 500 + 14.985 − 0.39; 500 + 29.98 − 0.22;
  // 500 − 20 − 1.59 + 0.02.
  const worth = [SPOT, FLAT, FUTURES, REAL, BEYOND, REAL_FUTURES].map(({ name, market = 'spot' }) => ({
    name,
    id: made.get(name)!.ownerId,
    marketType: market,
  }))
  const shown = await botAccountsOn('v').of(db.orm, worth)
  const balances = worth.map(({ id }) => shown.get(id)!.balance)
  expect(balances).toEqual([1009.814, 1030.00000001, 996.95, 514.595, 529.76, 478.43])
  for (const { id, name } of worth) {
    const of = before.get(made.get(name)!.id)!
    expect([shown.get(id)!.balance, shown.get(id)!.fees]).toEqual([of.balance, of.fees])
  }
  for (const name of [FLAT, FUTURES, REAL_FUTURES, PERSON, ADMIN].map((one) => one.name))
    expect(after.get(made.get(name)!.id), name).toEqual(before.get(made.get(name)!.id))
  expect(after.get(made.get(GONE.name)!.id)!.balance).toBe(400)

  const { rows: sums } = await db.pool.query(
    `select a.id from trading.accounts a where balance <> (select sum(amount) from trading.ledger_entries e
       where e.account_id = a.id and asset = 'USDT')`,
  )
  expect(sums).toEqual([])
  const { rows: copies } = await db.pool.query(
    `select (select count(*)::int from backup_cash_entries.ledger_entries where kind = 'trade') as trades,
       (select balance::float8 from backup_cash_entries.accounts where id = $1) as balance`,
    [made.get(SPOT.name)!.id],
  )
  expect(copies).toEqual([{ trades: 13, balance: 1009.814 }])
  for (const change of ['update trading.ledger_entries set amount = 0', 'delete from trading.ledger_entries'])
    await expect(db.pool.query(change)).rejects.toThrow('append-only')

  // It goes on: the engine's balance is found in the ledger, and a new entry counts.
  const bots = new Map([[made.get(SPOT.name)!.ownerId, { market: 'spot' as const, balance: 1009.814 }]])
  const [ledger] = (await db.orm.transaction((tx) => botAccountsOn('v').begin(tx, bots))).values()
  expect(ledger).not.toBeInstanceOf(Error)
})

it.each([
  ['a balance', 'update trading.accounts set balance = balance + 0.01 where id = $1', SPOT, 'its balance is 1009.824'],
  ['the cost of a position', 'update trading.positions set cost = cost + 0.01 where account_id = $1', SPOT, '1009.824'],
  ['the cost of what real money bought', 'update trading.positions set cost = 0 where account_id = $1', REAL, '409.7'],
  ['the profit of a person', 'update trading.accounts set realised_pnl = 10.01 where id = $1', PERSON, '10.01'],
  ['a position that is missing', 'delete from trading.positions where account_id = $1', SPOT, '909.814'],
] as const)('%s that differs stops the migration with words, and changes nothing', async (_what, plant, of, words) => {
  const { db, made } = await databaseOfBefore()
  const { id } = made.get(of.name)!
  await db.pool.query(plant, [id])
  const before = await moneyOf(db)
  const failure = await update(db).then(
    () => new Error('It went through.'),
    (error: Error) => (error.cause as Error | undefined) ?? error,
  )
  expect(failure.message).toContain(`Account ${id}`)
  expect(failure.message).toContain(words)
  expect(failure.message).toContain('Nothing was changed: start the version before, and report this.')
  expect(await moneyOf(db)).toEqual(before)
  const { rows } = await db.pool.query("select 1 from pg_namespace where nspname = 'backup_cash_entries'")
  expect(rows).toEqual([])
})

it('a new installation needs no copies', async () => {
  const db = await createTestDatabase([TRADING_MIGRATIONS])
  open.push(db)
  const { rows } = await db.pool.query("select 1 from pg_namespace where nspname like 'backup%'")
  expect(rows).toEqual([])
})
