import type { Database } from '@shapecast/platform/database/database'
import { createAccountStore } from '../../src/ledger/account-store.ts'
import { createBotLedger } from '../../src/ledger/bot-ledger.ts'
import { createEquityStore } from '../../src/ledger/equity-store.ts'
import { createOrderStore } from '../../src/ledger/order-store.ts'

/** The ledgers of bots on a venue. */
export const botAccountsOn = (venue: string) =>
  createBotLedger({
    accounts: createAccountStore(venue),
    equity: createEquityStore(venue),
    orders: createOrderStore({ venue, kind: 'simulated' }),
    now: () => 1,
  })

/** Adds an entry to the ledger of a bot, quote. */
export async function bookEntry(db: Database, botId: string, kind: 'sale' | 'fee', amount: string): Promise<void> {
  await db.pool.query(
    `insert into trading.ledger_entries (id, account_id, kind, amount, at_ms)
     select gen_random_uuid(), id, $2, $3::numeric, 1 from trading.accounts where owner_id = $1`,
    [botId, kind, amount],
  )
}

/** Quote in the ledger of a bot, the oldest first; of one kind where it is named. */
export async function entriesOf(db: Database, botId: string, kind?: string): Promise<number[]> {
  const { rows } = await db.pool.query<{ amount: string }>(
    `select e.amount from trading.ledger_entries e join trading.accounts a on a.id = e.account_id
     where a.owner_id = $1 and e.asset = 'USDT' and e.kind = coalesce($2, e.kind) order by e.id`,
    [botId, kind],
  )
  return rows.map(({ amount }) => Number(amount))
}
