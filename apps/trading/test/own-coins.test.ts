import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { broughtBy, claimOf, heldFree, leftOf } from '../src/exchange/own-coins.ts'
import { bookTrades, bookTradesOfBot, knownFilled } from '../src/exchange/sent-order-store.ts'
import { createAccountStore, realOf } from '../src/ledger/account-store.ts'
import { unitsOf } from '../src/ledger/money.ts'
import { createOrderStore } from '../src/ledger/order-store.ts'
import type { OrderRow } from '../src/ledger/tables.ts'
import { heldCoins } from './support/replayed-coins.ts'
import { createServiceBench } from './support/service-bench.ts'

const bench = await createServiceBench()
const { orm } = bench.db
const accounts = createAccountStore('v')
const orders = createOrderStore({ venue: 'v', kind: 'live' })
const stores = { accounts, orders }
afterAll(() => bench.close())

const WORTH = { base: 'BTC', prices: new Map() }
const symbol = 'BTCUSDT'
let clock = 1
let ids = 0

/** An account with orders that are made, filled, cancelled and booked one after the other. */
async function openScene() {
  const accountId = await accounts.open(orm, realOf(crypto.randomUUID(), 'testnet'), 0n, 0)
  const of = { accountId, keyMark: 'm', symbol, base: 'BTC' }
  const made: string[] = []
  return {
    of,
    made,
    async order(side: 'buy' | 'sell', coins: number, { source = 'user' as OrderRow['source'], guards = '' } = {}) {
      const sale = { accountId, keyMark: 'm', symbol, quantity: unitsOf(coins), source }
      const ours = side === 'sell' ? await claimOf(stores, orm, sale) : null
      const guarded = guards === '' ? {} : { guardsId: guards }
      const type = guards === '' ? ('limit' as const) : ('stop' as const)
      const row = { ...sale, ...guarded, side, type, ours, status: 'open' as const, createdAtMs: clock++ }
      const { id } = await orders.insert(orm, { ...row, clientOrderId: `${++ids} ${accountId}` })
      made.push(id)
      return id
    },
    /** What the exchange says of an order before its trades are read. */
    async fill(id: string, coins: number, ends: boolean) {
      const row = await orders.row(orm, id)
      const filled = row.filled + unitsOf(coins)
      const isFilled = filled === row.quantity
      const ended = { status: isFilled ? ('filled' as const) : ('cancelled' as const), closedAtMs: clock++ }
      await orders.change(orm, id, { filled, nextLookMs: 1, ...(isFilled || ends ? ended : {}) })
    },
    async book(id: string, feeInCoins = 0) {
      const row = await orders.row(orm, id)
      const rest = Number(row.filled - (await knownFilled(orm, id))) / 1e8
      if (rest === 0) return
      const fees = feeInCoins === 0 ? [] : [{ asset: 'BTC', amount: (rest / 2) * feeInCoins }]
      const half = { price: 100, quantity: rest / 2, fees }
      const fills = [1, 2].map(() => ({ ...half, id: String(++ids), timestampMs: clock++ }))
      await bookTrades(stores, orm, row, fills, WORTH, 0)
      if (row.closedAtMs !== null) await orders.change(orm, id, { nextLookMs: null })
    },
    async rows() {
      const rows = await Promise.all(made.map((id) => orders.row(orm, id)))
      return rows.toSorted((a, b) => a.seq - b.seq)
    },
    async brought() {
      const fills = await orders.fillsOf(orm, made)
      return (id: string) => broughtBy(fills.get(id) ?? [], 'BTC')
    },
  }
}
type Scene = Awaited<ReturnType<typeof openScene>>

const never = () => false
const held = (scene: Scene) => heldFree(stores, orm, scene.of)
const left = (scene: Scene, id: string) => leftOf(stores, orm, scene.of, id, never)

const step = fc.record({
  does: fc.constantFrom(
    'buy',
    'buy late',
    'limit buy',
    'sell',
    'limit sell',
    'model',
    'stop',
    'fill',
    'cancel',
    'book',
  ),
  coins: fc.integer({ min: 1, max: 9 }),
  which: fc.nat({ max: 30 }),
  fee: fc.constantFrom(0, 0, 0.001),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function take(scene: Scene, { does, coins, which, fee }: Step): Promise<void> {
  const rows = await scene.rows()
  const open = rows.filter(({ status }) => status === 'open')
  const one = open[which % Math.max(1, open.length)]
  const atOnce = async (id: string) => {
    await scene.fill(id, coins, true)
    await scene.book(id, fee)
  }
  if (does === 'buy') await atOnce(await scene.order('buy', coins))
  if (does === 'buy late') await scene.fill(await scene.order('buy', coins), coins, true)
  if (does === 'limit buy') await scene.order('buy', coins)
  if (does === 'sell') await atOnce(await scene.order('sell', coins))
  if (does === 'limit sell') await scene.order('sell', coins)
  if (does === 'model') {
    const free = which % 4 === 0 ? coins : Number(await held(scene)) / 1e8
    if (free < 0.01) return
    const id = await scene.order('sell', free, { source: 'auto_trade' })
    await scene.fill(id, free, true)
    await scene.book(id)
  }
  if (does === 'stop') {
    const buys = rows.filter(({ side, filled }) => side === 'buy' && filled > 0n)
    const buy = buys[which % Math.max(1, buys.length)]
    const free = buy === undefined ? 0 : Number(await left(scene, buy.id)) / 1e8
    if (free >= 0.01) await scene.order('sell', free, { source: 'auto_trade', guards: buy!.id })
  }
  if (does === 'fill' && one !== undefined) {
    const rest = Number(one.quantity - one.filled) / 1e8
    await scene.fill(one.id, which % 2 === 0 ? rest : rest / 2, false)
    await scene.book(one.id, one.side === 'buy' ? fee : 0)
  }
  if (does === 'cancel' && one !== undefined) await scene.fill(one.id, 0, true)
  if (does === 'book') for (const { id } of rows) await scene.book(id, 0)
}

/** What a sale is, and the result: all of it was filled where nothing is said. */
type Sale = { sell: number; filled?: number; open?: true; by?: 'model'; guards?: string; id?: string }
type Deed = { buy: number; id?: string } | Sale | { end: string }

async function sceneOf(deeds: readonly Deed[]): Promise<[Scene, Map<string, string>]> {
  const scene = await openScene()
  const names = new Map<string, string>()
  for (const deed of deeds) {
    if ('end' in deed) {
      await scene.fill(names.get(deed.end)!, 0, true)
      continue
    }
    const [side, coins] = 'buy' in deed ? (['buy', deed.buy] as const) : (['sell', deed.sell] as const)
    const { filled = coins, open = false, by, guards } = 'buy' in deed ? ({} as Partial<Sale>) : deed
    const source = by === 'model' || guards !== undefined ? 'auto_trade' : 'user'
    const id = await scene.order(side, coins, { source, guards: guards === undefined ? '' : names.get(guards)! })
    names.set(deed.id ?? id, id)
    await scene.fill(id, filled, !open)
    await scene.book(id)
  }
  return [scene, names]
}

const A = { buy: 5, id: 'a' }
const STOP = { sell: 5, filled: 0, guards: 'a', open: true, id: 'stop' } as const

it.each<[name: string, deeds: readonly Deed[], left: number]>([
  ['a purchase brings its coins', [A], 5],
  ['a sale takes of them', [A, { sell: 2 }], 3],
  ['a sale that ended takes what it filled', [A, { sell: 4, filled: 1 }], 4],
  ['a sale that may yet fill takes all that it may', [A, { sell: 4, filled: 1, open: true }], 1],
  ['a sale before any purchase is of other coins', [{ sell: 7 }, A], 5],
  ['so is one that may yet fill', [{ sell: 7, filled: 0, open: true }, A], 5],
  ['what it takes beyond ours is of other coins', [A, { sell: 7 }, { buy: 2 }], 2],
  ["an owner's sale while a stop keeps ours is of other coins", [A, STOP, { sell: 3 }, { end: 'stop' }], 5],
  ['and of ours once that stop has ended', [A, STOP, { sell: 3 }, { end: 'stop' }, { sell: 2 }], 3],
  ["a model's sale is of ours, also while a stop waits", [A, STOP, { sell: 5, by: 'model' }, { end: 'stop' }], 0],
  [
    'a stop that sold 2 of its 5 kept 3: of 9 bought 4 were open to the next sale',
    [A, { buy: 4 }, { ...STOP, filled: 2 }, { sell: 6 }, { end: 'stop' }],
    3,
  ],
  [
    'a stop over 8 where 5 were kept nothing of the next purchase',
    [A, { ...STOP, sell: 8 }, { buy: 2 }, { sell: 2 }, { end: 'stop' }],
    5,
  ],
])('coins that were bought here: %s', async (_name, deeds, coins) => {
  expect(await held((await sceneOf(deeds))[0])).toBe(unitsOf(coins))
})

const BETWEEN: readonly Deed[] = [{ buy: 9, id: 'm' }, A, { buy: 4, id: 'b' }]

it.each<[name: string, deeds: readonly Deed[], left: number]>([
  ['all of it, whatever else is held', BETWEEN, 5],
  ['nothing once its stop has sold', [...BETWEEN, { sell: 5, guards: 'a' }], 0],
  ['3 where its stop sold 2', [...BETWEEN, { sell: 5, filled: 2, guards: 'a' }], 3],
  ['nothing while its stop waits', [...BETWEEN, STOP], 0],
  ['all of it where the stop of another sold', [...BETWEEN, { sell: 4, guards: 'b' }, { sell: 9 }], 5],
  ['all of it where what was bought before was sold', [{ buy: 9 }, A, { sell: 9 }], 5],
  ['what is held less what was bought after it', [A, { sell: 3 }, { buy: 4 }], 2],
  ['also where that sale may yet fill', [A, { sell: 5, filled: 0, open: true }, { buy: 4 }], 0],
  ['that less what its own stop sold', [A, { sell: 2 }, { buy: 9 }, { sell: 3, guards: 'a' }], 0],
  ['all of it where other coins were sold before', [{ sell: 9 }, A], 5],
])('purchase a has left of its 5: %s', async (_name, deeds, coins) => {
  const [scene, names] = await sceneOf(deeds)
  expect(await left(scene, names.get('a')!)).toBe(unitsOf(coins))
})

it('a waiting target leaves its coins to the stop, but for what it has sold', async () => {
  const [scene, names] = await sceneOf([A, { sell: 5, filled: 1, guards: 'a', open: true }])
  expect(await leftOf(stores, orm, scene.of, names.get('a')!, () => true)).toBe(unitsOf(4))
})

it('a position is of the side that it was entered on, and of its newest entry', async () => {
  const key = { ownerKind: 'bot', ownerId: crypto.randomUUID(), kind: 'real', network: 'testnet' } as const
  const accountId = await accounts.open(orm, key, 0n, 0)
  const of = { accountId, keyMark: 'm', symbol, base: 'BTC' }
  let last = ''
  for (const [side, reduceOnly] of [
    ['buy', false],
    ['sell', true],
    ['sell', false],
  ] as const) {
    const ended = { status: 'filled', filled: unitsOf(5), closedAtMs: 1, createdAtMs: 1 } as const
    const asked = { ...of, side, reduceOnly, type: 'market', source: 'bot', quantity: unitsOf(5) } as const
    const row = await orders.insert(orm, { ...asked, ...ended, clientOrderId: `${++ids} ${accountId}` })
    const fill = { id: String(ids), price: 100, quantity: 5, fees: [], timestampMs: 1 }
    await bookTradesOfBot(stores, orm, 'futures', row, [fill], WORTH, 1)
    last = row.id
  }
  expect([
    await heldFree(stores, orm, { ...of, entrySide: 'sell' }),
    await heldFree(stores, orm, { ...of, entrySide: 'buy' }),
  ]).toEqual([unitsOf(5), 0n])
  expect(await leftOf(stores, orm, { ...of, entrySide: 'sell' }, last, never)).toBe(unitsOf(5))
})

it('what is held is what a replay of all orders says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const scene = await openScene()
      for (const one of steps) {
        await take(scene, one)
        const replayed = heldCoins(await scene.rows(), await scene.brought())
        expect(await held(scene)).toBe(replayed < 0n ? 0n : replayed)
        // No coin is left to two purchases.
        const { quantity } = await accounts.holding(orm, scene.of.accountId, symbol, 'm')
        let all = 0n
        for (const { id, side } of await scene.rows()) if (side === 'buy') all += await left(scene, id)
        expect(all <= quantity).toBe(true)
      }
    }),
    { numRuns: Number(process.env.RUNS ?? 8) },
  )
})
