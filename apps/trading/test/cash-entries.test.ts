import type { RealMarket } from '@shapecast/contracts/exchanges'
import type { VenueFill } from '@shapecast/venues/live-trading'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { equityOf } from '../src/bots/equity.ts'
import { bookTrades, bookTradesOfBot } from '../src/exchange/sent-order-store.ts'
import { createAccountStore, realOf } from '../src/ledger/account-store.ts'
import { applyFill, NOTHING } from '../src/ledger/holding.ts'
import { numberOf, unitsOf, unitsOfDecimal } from '../src/ledger/money.ts'
import { createOrderStore } from '../src/ledger/order-store.ts'
import { botAccountsOn } from './support/bot-accounts.ts'
import { createServiceBench } from './support/service-bench.ts'

const bench = await createServiceBench()
const { orm } = bench.db
const accounts = createAccountStore('v')
const orders = createOrderStore({ venue: 'v', kind: 'live' })
const stores = { accounts, orders }
const bots = botAccountsOn('v')
afterAll(() => bench.close())

const symbol = 'BTCUSDT'
const MARK = 101.25
const BNB = 612.3
const WORTH = { base: 'BTC', prices: new Map([['BNB', BNB]]) }
let ids = 0

const rounded = (value: number) => Number(value.toFixed(8))

const deed = fc.record({
  does: fc.constantFrom('buy', 'buy', 'sell', 'close', 'funding', 'liquidation'),
  lots: fc.integer({ min: 1, max: 9_999 }),
  cents: fc.integer({ min: 5_000, max: 15_000 }),
  /** Trades that fill one order. */
  parts: fc.integer({ min: 1, max: 3 }),
  /** Assets that each trade takes a fee in. */
  fees: fc.subarray(['USDT', 'BTC', 'BNB'] as const),
})
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never

/** Trades of an order at prices a little apart, each with its fees. */
function tradesOf({ lots, cents, parts, fees }: Deed, quantity: number): VenueFill[] {
  return Array.from({ length: parts }, (_, k) => {
    const price = (cents + 0.37 * k) / 100
    const part = rounded(quantity / parts)
    const inQuote = part * price * 0.001
    const amounts = { USDT: inQuote, BTC: inQuote / price, BNB: inQuote / BNB }
    const charged = fees.map((asset) => ({ asset, amount: rounded(amounts[asset]) }))
    return { id: String(++ids), price, quantity: part, fees: charged, timestampMs: lots }
  })
}

const orderOf = (accountId: string, side: 'buy' | 'sell', quantity: number) =>
  orders.insert(orm, {
    accountId,
    clientOrderId: `${++ids} ${accountId}`,
    symbol,
    keyMark: 'm',
    side,
    type: 'market',
    status: 'filled',
    quantity: unitsOf(quantity),
    filled: unitsOf(quantity),
    ours: side === 'sell' ? unitsOf(quantity) : null,
    source: 'bot',
    createdAtMs: ids,
  })

/** Sums of entries by kind and asset, such as `fee BTC`. */
async function entriesOf(accountId: string) {
  const { rows } = await bench.db.pool.query<{ what: string; amount: string }>(
    `select kind || ' ' || asset as what, sum(amount)::text as amount from trading.ledger_entries where account_id = $1
     group by 1`,
    [accountId],
  )
  const sums = new Map(rows.map(({ what, amount }) => [what, unitsOfDecimal(amount)]))
  return (what: string) => sums.get(what) ?? 0n
}

async function openBot(market: RealMarket) {
  const id = crypto.randomUUID()
  const key = { ownerKind: 'bot', ownerId: id, kind: 'real', network: 'testnet' } as const
  await orm.transaction(async (tx) => {
    await bots.open(tx, id, 1000, 1)
    await accounts.makeReal(tx, id, { network: 'testnet', keyUserId: crypto.randomUUID(), market })
  })
  return { id, accountId: (await accounts.find(orm, key))! }
}

it('a bot has at cost what it had when entries were its profit, whatever is filled and charged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('spot' as const, 'futures' as const),
      fc.array(deed, { maxLength: 12 }),
      async (market, deeds) => {
        const { id, accountId } = await openBot(market)
        // As it was: the balance changes by what a fill earned, and by all of its fees at their worth.
        let [held, balance, fees, trades, notionals] = [NOTHING, unitsOf(1000), 0n, 0, 0n]
        for (const one of deeds) {
          const { does, lots } = one
          if (does === 'funding' || does === 'liquidation') {
            if (market === 'spot') continue
            const amount = does === 'funding' ? unitsOf((lots - 5000) / 1e5) : -unitsOf(lots / 1e5)
            const entry = { accountId, kind: does, amount, symbol, venueId: String(++ids), atMs: 1 }
            await accounts.bookPayments(orm, [entry])
            await accounts.bookPayments(orm, [entry])
            balance += amount
            if (does === 'liquidation') fees -= amount
            continue
          }
          const has = Math.abs(numberOf(held.quantity))
          const wanted =
            does === 'close' ? has : market === 'spot' && does === 'sell' ? Math.min(has, lots / 1e3) : lots / 1e3
          const side = does === 'buy' || (does === 'close' && held.quantity < 0n) ? 'buy' : 'sell'
          const said = tradesOf(one, wanted)
          if (
            rounded(wanted / one.parts) === 0 ||
            (market === 'spot' && said.length * said[0]!.quantity > has && side === 'sell')
          )
            continue
          const row = await orderOf(accountId, side, wanted)
          await orm.transaction((tx) => bookTradesOfBot(stores, tx, market, row, said, WORTH, 1))
          await orm.transaction((tx) => bookTradesOfBot(stores, tx, market, row, said, WORTH, 1))
          for (const { price, quantity, fees: taken } of said) {
            const amount = (asset: string) => taken.find((fee) => fee.asset === asset)?.amount ?? 0
            const fill = { side, quantity: unitsOf(quantity), price, coins: unitsOf(amount('BTC')) } as const
            const { holding, pnl } = applyFill(market, held, fill)
            const fee = unitsOf(amount('USDT')) + unitsOf(amount('BTC') * price) + unitsOf(amount('BNB') * BNB)
            held = holding
            balance += (pnl ?? 0n) - fee
            fees += fee
            trades++
            notionals += unitsOf(quantity * price) * (side === 'buy' ? -1n : 1n)
          }
        }
        const { balance: shown, ...money } = (await bots.of(orm, [{ id, marketType: market }])).get(id)!
        expect([shown, money.fees]).toEqual([numberOf(balance), numberOf(fees)])
        const worth = (quantity: number) => ({ markPrice: MARK, markedBy: 'last' as const, quantity })
        const cost =
          held.quantity === 0n
            ? []
            : [{ symbol, quantity: numberOf(held.quantity), cost: numberOf(held.cost), openedAtMs: 1 }]
        const before = { initialBalance: 1000, balance: numberOf(balance), closedPnL: 0, held: cost }
        const now = { initialBalance: 1000, balance: shown, closedPnL: 0, held: money.held }
        const mark = () => worth(0)
        expect(equityOf(now, mark).equity).toBe(equityOf(before, mark).equity)

        const sum = await entriesOf(accountId)
        const moved = sum('purchase USDT') + sum('sale USDT')
        if (market === 'futures') expect([moved, sum('fee BTC')]).toEqual([0n, 0n])
        else {
          expect(sum('settlement USDT')).toBe(0n)
          expect(Math.abs(Number(moved - notionals))).toBeLessThanOrEqual(2 * trades)
        }
        expect(sum('fee BNB')).toBe(0n)
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 10) },
  )
})

it('the coins of a bot are those of its trades less those that their fees took', async () => {
  const { accountId } = await openBot('spot')
  const row = await orderOf(accountId, 'buy', 2)
  const fees = [{ asset: 'BTC', amount: 0.002 }]
  await bookTradesOfBot(
    stores,
    orm,
    'spot',
    row,
    [{ id: '1', price: 100, quantity: 2, fees, timestampMs: 1 }],
    WORTH,
    1,
  )
  const sum = await entriesOf(accountId)
  expect([sum('purchase USDT'), sum('fee BTC'), sum('fee USDT')].map(numberOf)).toEqual([-200, -0.002, 0])
  const { quantity, cost } = await accounts.holding(orm, accountId, symbol)
  expect([quantity, cost].map(numberOf)).toEqual([1.998, 199.8])
})

it("a person's entries are the money and the coins that the exchange moved, also of coins bought elsewhere", async () => {
  const accountId = await accounts.open(orm, realOf(crypto.randomUUID(), 'testnet'), 0n, 0)
  const book = async (side: 'buy' | 'sell', quantity: number, fees: VenueFill['fees']) => {
    const row = await orderOf(accountId, side, quantity)
    const fill = { id: String(++ids), price: 100, quantity, fees, timestampMs: 1 }
    await orm.transaction((tx) => bookTrades(stores, tx, row, [fill], WORTH, 1))
  }
  await book('buy', 2, [
    { asset: 'BTC', amount: 0.002 },
    { asset: 'BTC', amount: 0.001 },
  ])
  await book('sell', 5, [
    { asset: 'USDT', amount: 0.5 },
    { asset: 'BNB', amount: 0.003 },
  ])
  const sum = await entriesOf(accountId)
  expect(['purchase USDT', 'sale USDT', 'fee USDT', 'fee BTC', 'fee BNB'].map((what) => numberOf(sum(what)))).toEqual([
    -200, 500, -0.5, -0.003, -0.003,
  ])
  const { balance, fees } = await accounts.lock(orm, accountId)
  expect([balance, fees].map(numberOf)).toEqual([299.5, 0.5])
})
