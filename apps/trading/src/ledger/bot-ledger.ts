import type { RealMarket } from '@shapecast/contracts/exchanges'
import type { TradeExit } from '@shapecast/engine/journal'
import type { Orm } from '@shapecast/platform/database/database'
import { newId } from '@shapecast/platform/database/new-id'
import { clientOrderId } from '@shapecast/venues/ccxt/client-order-id'
import { type AccountStore, type NewEntry, virtualOfBot } from './account-store.ts'
import { EngineLedger, LedgerMismatch } from './engine-ledger.ts'
import { atCost, entriesOfFill } from './entries.ts'
import type { EquityStore } from './equity-store.ts'
import { numberOf, unitsOf } from './money.ts'
import type { NewFill, NewOrder, OrderStore } from './order-store.ts'
import type { AccountRow, OrderRow } from './tables.ts'

/** Whether a fill buys: a long is entered and a short is left by buying. */
const buys = ({ kind, side }: { kind: 'entry' | 'exit'; side: 'long' | 'short' }): boolean =>
  (kind === 'entry') === (side === 'long')

const typeOf = (reason: string | null): OrderRow['type'] =>
  reason === 'stop_loss' || reason === 'trailing_stop' ? 'stop' : reason === 'take_profit' ? 'limit' : 'market'

/** What an account holds of a symbol: base (negative of a short), and the quote that it was worth when it was opened. */
export interface HeldCoins {
  readonly symbol: string
  readonly quantity: number
  readonly cost: number
  readonly openedAtMs: number
}

/** The ledger of one bot, open for steps of the engine. */
export interface OpenBotLedger {
  readonly accountId: string
  readonly engine: EngineLedger
}

/** The order of one fill. */
export interface PlacedOrder {
  readonly orderId: string
  readonly symbol: string
  /** Open time of the candle in which it was filled, ms. */
  readonly time: number
  readonly exitReason: TradeExit | null
}

/** What one step did to one bot. */
export interface WrittenLedger {
  readonly ledger: OpenBotLedger
  readonly at: string | number
}

/** The engine of a bot before a step: its market, and its balance (quote). */
export interface SteppedBot {
  readonly market: RealMarket
  readonly balance: number
}

type Held = Awaited<ReturnType<AccountStore['holdingsOf']>>

function openLedger(
  { id: accountId, balance: cash }: AccountRow,
  holdings: Held,
  bot: SteppedBot,
): OpenBotLedger | Error {
  const held = new Map(holdings.get(accountId)?.map(({ symbol, quantity, cost }) => [symbol, { quantity, cost }]))
  try {
    const engine = new EngineLedger(bot.market, { cash, held }, bot.balance)
    return { accountId, engine }
  } catch (error) {
    if (error instanceof LedgerMismatch) return error
    throw error
  }
}

/**
 * Ledgers of bots that trade virtually. The engine fills their orders, and its doubles, which the bot keeps to the bit,
 * decide; each fill is booked as an order with entries in the ledger, so that what the account has at cost is the engine's
 * balance.
 */
export const createBotLedger = (deps: {
  accounts: AccountStore
  orders: OrderStore
  equity: Pick<EquityStore, 'closeCurve'>
  now: () => number
}) => {
  const { accounts, orders, equity, now } = deps

  return {
    /** Opens the account of a new bot with its deposit (quote). */
    async open(tx: Orm, botId: string, deposit: number, atMs: number): Promise<void> {
      await accounts.open(tx, virtualOfBot(botId), unitsOf(deposit), atMs)
    },

    remove: (tx: Orm, botIds: string[]): Promise<void> => accounts.removeOfBots(tx, botIds),

    /** The accounts of bots with what they hold, by bot; `balance` is at cost, amounts are in quote. */
    async of(orm: Orm, bots: readonly { readonly id: string; readonly marketType: RealMarket }[]) {
      const markets = new Map(bots.map(({ id, marketType }) => [id, marketType]))
      const rows = await accounts.ofBots(orm, [...markets.keys()])
      const ids = rows.map(({ id }) => id)
      const holdings = await accounts.holdingsOf(orm, ids)
      return new Map(
        rows.map(({ id, ownerId, balance: cash, fees, createdAtMs }) => {
          const own = holdings.get(id) ?? []
          const balance = atCost(markets.get(ownerId)!, cash, own)
          const held = own.map(
            ({ symbol, quantity, cost, openedAtMs }): HeldCoins => ({
              symbol,
              quantity: numberOf(quantity),
              cost: numberOf(cost),
              openedAtMs,
            }),
          )
          return [ownerId, { id, balance: numberOf(balance), fees: numberOf(fees), createdAt: createdAtMs, held }]
        }),
      )
    },

    /** Brings the money to `balance` by one more entry, and forgets what was held, earned and paid. */
    async reset(tx: Orm, botId: string, balance: number, atMs: number): Promise<void> {
      const { id: accountId, balance: before } = (await accounts.lockOf(tx, virtualOfBot(botId)))!
      const amount = unitsOf(balance) - before
      if (amount !== 0n) await accounts.book(tx, [{ accountId, kind: 'reset', amount, atMs }])
      await accounts.startAgain(tx, accountId)
      await equity.closeCurve(tx, accountId)
    },

    /**
     * Opens the ledgers of bots under their locks, for steps of the engine. Those that do not agree with it come as the
     * `LedgerMismatch` that they would throw.
     */
    async begin(tx: Orm, bots: ReadonlyMap<string, SteppedBot>): Promise<Map<string, OpenBotLedger | Error>> {
      const found = await accounts.ofBots(tx, [...bots.keys()], true)
      const ids = found.map(({ id }) => id)
      const holdings = await accounts.holdingsOf(tx, ids)
      return new Map(
        found.map((account) => [account.ownerId, openLedger(account, holdings, bots.get(account.ownerId)!)]),
      )
    },

    /**
     * Writes down what was booked for bots, a statement a table. `at` says which step it was, such as its number: the same
     * one cannot be booked twice. Answers the orders of each.
     */
    async write(tx: Orm, written: readonly WrittenLedger[]): Promise<PlacedOrder[][]> {
      const atMs = now()
      const rows = written.map(({ ledger, at }) => rowsOf(ledger, at, atMs))
      for (const part of parts(rows.flatMap((each) => each.orders))) await orders.insertAll(tx, part)
      for (const part of parts(rows.flatMap((each) => each.fills))) await orders.addFills(tx, part)
      for (const part of parts(rows.flatMap((each) => each.entries))) await accounts.book(tx, part)
      await accounts.hold(
        tx,
        written.flatMap(({ ledger: { accountId, engine } }) =>
          engine.booked.some(({ kind }) => kind === 'fill')
            ? [...engine.held].map(([symbol, holding]) => ({ accountId, symbol, ...holding, openedAtMs: atMs }))
            : [],
        ),
      )
      return rows.map((each) => each.placed)
    },
  }
}
export type BotLedger = ReturnType<typeof createBotLedger>

/** What a journal has booked, as rows: an order with its fill for each execution, and their entries. */
function rowsOf({ accountId, engine: { market, booked } }: OpenBotLedger, at: string | number, atMs: number) {
  const rows = {
    orders: [] as NewOrder[],
    fills: [] as NewFill[],
    entries: [] as NewEntry[],
    placed: [] as PlacedOrder[],
  }
  for (const event of booked) {
    if (event.kind === 'funding') {
      rows.entries.push({ accountId, kind: 'funding', amount: event.amount, atMs })
      continue
    }
    const { symbol, fill, quantity, notional, fee, pnl, cash } = event
    const { price, rawPrice, exitReason, time: marketMs } = fill
    const [orderId, fillId] = [newId(), newId()]
    const type = typeOf(exitReason)
    const side = buys(fill) ? 'buy' : 'sell'
    rows.placed.push({ orderId, symbol, time: marketMs, exitReason })
    rows.orders.push({
      id: orderId,
      accountId,
      clientOrderId: clientOrderId(accountId, 'engine', symbol, at, rows.orders.length),
      symbol,
      side,
      type,
      status: 'filled',
      quantity,
      filled: quantity,
      price: type === 'market' ? null : rawPrice,
      average: price,
      source: 'bot',
      placedMarketMs: marketMs,
      createdAtMs: atMs,
      closedAtMs: atMs,
    })
    const traded = { price, rawPrice, quantity, notional, fee, pnl, exitReason, marketMs, atMs }
    rows.fills.push({ id: fillId, orderId, accountId, tradeId: '1', ...traded })
    const charge = exitReason === 'liquidation' ? 'liquidation' : 'fee'
    rows.entries.push(
      ...entriesOfFill({ accountId, fillId, atMs }, { market, side, cash }, [{ kind: charge, amount: fee }]),
    )
  }
  return rows
}

/** PostgreSQL takes 65,535 values a statement. */
const ROWS_A_STATEMENT = 1000
const parts = <T>(rows: T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_A_STATEMENT) }, (_, k) =>
    rows.slice(k * ROWS_A_STATEMENT, (k + 1) * ROWS_A_STATEMENT),
  )
