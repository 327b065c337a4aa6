import { join } from 'node:path'
import type { Bot, BotDraft } from '@shapecast/contracts/bots'
import { exchangeOf } from '@shapecast/contracts/exchanges'
import { createRandom } from '@shapecast/engine/random'
import type { Database } from '@shapecast/platform/database/database'
import type { RestFault } from '@shapecast/venues/local-exchange/faults'
import { createMortal } from '../features/bots/testing/mortal-process.ts'
import { createRealBotsBench, type RealBotsBench } from './real-bots-bench.ts'
import { MINUTE_MS, SOAK_LOCK, type SoakProcess, soakScript, type Venue } from './real-soak-script.ts'
import { serviceBenchOn } from './service-bench.ts'

const LEGS = [
  'a purchase',
  'a sale',
  'a stop-loss',
  'a take profit',
  'a stop-loss with its take profit',
  'a cancellation',
]
const BOUNDARIES = [
  ...['decision', 'fill', 'what became of an order', 'order'].flatMap((what) =>
    ['half written', 'before its commit', 'after its commit'].map((point) => `${what}, ${point}`),
  ),
  ...LEGS.flatMap((what) => ['before it is sent', 'acknowledged'].map((point) => `${what}, ${point}`)),
]
const ANY_MOMENT = 'at any moment'
const ON_ITS_WAY = 'an order, on its way'

const FAULTS: readonly RestFault[] = [
  { at: /(POST|GET|DELETE) .*order|myTrades|account/, fault: { kind: 'lose-reply' } },
  { at: /(POST|GET|DELETE) .*order|myTrades|account/, fault: { kind: 'drop' } },
  { at: /(POST|DELETE) .*order/, fault: { kind: 'unknown-outcome' } },
  { at: /(POST|GET|DELETE) .*order/, fault: { kind: 'status', status: 502 } },
  { at: /(POST|GET|DELETE) .*algoOrder|userTrades|positionRisk/, fault: { kind: 'lose-reply' } },
  { at: /(POST|DELETE) .*algoOrder/, fault: { kind: 'unknown-outcome' } },
]

const BOTS: readonly Partial<BotDraft>[] = [
  { name: 'A', stopLossPct: 1.2, mlModelVersion: 'v1' },
  { name: 'B', positionSize: 0.02, takeProfitPct: 1, mlModelVersion: 'v2' },
  { name: 'C', positionSize: 0.015, stopLossPct: 0.8, takeProfitPct: 1.5, mlModelVersion: 'v3' },
  { name: 'D', positionSize: 0.005, mlModelVersion: 'v4' },
]

/** Where the exchange has futures here: the one bot that has the symbol there to itself. */
const ON_FUTURES: Partial<BotDraft> = {
  name: 'E',
  marketType: 'futures',
  leverage: 5,
  stopLossPct: 1.5,
  takeProfitPct: 1.2,
  mlModelVersion: 'v5',
}
const botsAt = (venue: Venue) => (exchangeOf(venue)?.futures ? [...BOTS, ON_FUTURES] : BOTS)

/** Quote: less is not traded. */
const MIN_NOTIONAL = 5
/** A process that stands still holds up the others for so long. */
const STILL_MS = 1_000
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Bots with real money on one account of a local exchange, one of them on futures where there are some, taken on by two processes, of which one or both are killed
 * (SIGKILL) `kills` times at a boundary of a decision, an order or a fill, or at any moment, or stand still for a while
 * (SIGSTOP), while requests are lost and orders filled in part. It lasts for `closes` minutes, and longer where fewer have
 * died. In the end every order is at the exchange once and here as it is there, every candle is decided once, and ledger,
 * books, bots and the account at the exchange agree.
 */
export async function soakRealBots(options: {
  db: Database
  seed: number
  closes: number
  kills: number
  venue?: Venue
  say?: (text: string) => void
}) {
  const { db, seed, closes: least, kills, venue = 'binance', say = () => undefined } = options
  const bench = await createRealBotsBench(venue, await serviceBenchOn(db))
  await bench.confirmed(true)
  const { exchange, clock } = bench
  const random = createRandom(seed)
  const pick = <T>(from: readonly T[]): T => from[random.below(from.length)]!
  const script = soakScript(seed)
  const walletBefore = (exchange.futures as typeof exchange.futures | undefined)?.wallet ?? 0
  const startMs = exchange.clock.now()
  bench.setPrice(script.priceOf(0))
  const ids: string[] = []
  for (const draft of botsAt(venue))
    ids.push(await bench.started({ initialBalance: 10_000, maxDrawdown: 50, ...draft }))
  await db.pool.query('create table real_soak_clock (closes int, ahead bigint, price double precision)')
  await db.pool.query('insert into real_soak_clock values (0, 0, $1)', [script.priceOf(0)])

  const told: SoakProcess = { url: db.url, urls: exchange.urls, venue, seed, startMs }
  const mortals = [0, 1].map(() =>
    createMortal(join(import.meta.dirname, 'real-bots-process.ts'), [JSON.stringify(told)]),
  )
  const killed = (): number => mortals.reduce((sum, { deaths }) => sum + deaths.length, 0)
  let colds = 0

  function threaten(): void {
    const mortal = pick(mortals)
    if (!mortal.isAlive()) return
    const chance = random.next()
    if (chance < 0.1) void pause(100 * random.next()).then(() => mortal.kill(ANY_MOMENT))
    else if (chance < 0.2)
      exchange.faults.rest({
        at: /POST .*order/,
        fault: {
          kind: 'held',
          // Whoever sent it dies before the exchange looks at it: which of them has, it does not say.
          until: () => Promise.all(mortals.map((each) => each.kill(ON_ITS_WAY))),
        },
      })
    else
      mortal.meet({
        point: pick(BOUNDARIES),
        passes: random.below(3),
        signal: random.next() < 0.1 ? 'SIGSTOP' : 'SIGKILL',
      })
  }
  function live(): void {
    if (mortals.every((mortal) => !mortal.isAlive())) colds++
    for (const mortal of mortals) if (!mortal.isAlive()) mortal.begin()
  }
  /** Does it while no process is in the middle of a round. */
  async function between(work: () => Promise<void>): Promise<void> {
    const client = await db.pool.connect()
    const awake = setInterval(() => {
      for (const mortal of mortals) mortal.wake()
    }, STILL_MS)
    try {
      await client.query('select pg_advisory_lock($1)', [SOAK_LOCK])
      await work()
    } finally {
      clearInterval(awake)
      await client.query('select pg_advisory_unlock($1)', [SOAK_LOCK])
      client.release()
    }
  }
  async function allDecided(): Promise<void> {
    const closedTs = exchange.clock.now() - MINUTE_MS
    let still = Date.now()
    for (;;) {
      const { rows } = await db.pool.query(
        `select 1 from trading.bot_states s join trading.bots b on b.id = s.bot_id
         where b.status in ('active', 'paused') and s.decided_ts < $1 limit 1`,
        [closedTs],
      )
      if (rows.length === 0) return
      if (Date.now() - still > STILL_MS) {
        for (const mortal of mortals) mortal.wake()
        still = Date.now()
      }
      if (mortals.every((mortal) => !mortal.isAlive())) live()
      await pause(5)
    }
  }

  let closes = 0
  let partly = 0
  try {
    while (closes < least || (killed() < kills && closes < 20 * least)) {
      live()
      exchange.faults.clear()
      if (random.next() < 0.3) exchange.faults.rest(pick(FAULTS))
      if (random.next() < 0.2) {
        partly++
        exchange.faults.partialFills.push(0.5)
      }
      if (killed() < kills && random.next() < Math.max(0.4, (1.5 * kills) / least)) threaten()
      await between(async () => {
        bench.close(script.priceOf(closes))
        closes++
        bench.setPrice(script.priceOf(closes))
        clock.aheadMs += pick([1_000, 1_000, 20_000, 61_000])
        await db.pool.query('update real_soak_clock set closes = $1, ahead = $2, price = $3', [
          closes,
          clock.aheadMs,
          script.priceOf(closes),
        ])
      })
      if (random.next() < 0.85) await allDecided()
      if (closes % 20 === 0) say(`${closes} closes, ${killed()} kills`)
    }
    live()
    await allDecided()
  } finally {
    for (const mortal of mortals) {
      const { length } = mortal.deaths
      await mortal.kill('in the end')
      mortal.deaths.length = length
    }
  }

  exchange.faults.clear()
  for (let k = 0; k < 5; k++) await bench.settle(130_000)
  const ends = new Map<string, number>()
  for (const point of mortals.flatMap((mortal) => mortal.deaths)) ends.set(point, (ends.get(point) ?? 0) + 1)
  const stills = mortals.reduce((sum, mortal) => sum + mortal.stills.length, 0)
  const wrong = await wrongOf(bench, ids, { venue, startMs, closes, walletBefore })
  if (ends.has('by itself')) wrong.push(`a process has ended by itself ${ends.get('by itself')} times`)
  const result = { closes, kills: killed(), colds, stills, partly, ends, orders: sentBy(bench).length, wrong }
  await bench.end()
  return result
}

/** Where books, bots and exchange do not agree. */
async function wrongOf(
  bench: RealBotsBench,
  ids: readonly string[],
  { venue, startMs, closes, walletBefore }: { venue: Venue; startMs: number; closes: number; walletBefore: number },
): Promise<string[]> {
  const { exchange, db } = bench
  const wrong: string[] = []
  const sent = sentBy(bench)
  const theirs = new Map(sent.map((order) => [order.clientOrderId, order]))
  if (theirs.size !== sent.length) wrong.push(`${sent.length - theirs.size} orders were sent twice`)
  let [coins, money] = [0, 0]
  for (const id of ids) {
    const bot = await bench.bot(id)
    const add = (text: string) => void wrong.push(`bot ${bot.name}: ${text}`)
    if (bot.status !== 'active') add(`${bot.status}: ${bot.statusReason}`)
    const { rows: orders } = await db.pool.query<{ id: string; client: string; status: string; filled: string }>(
      `select o.id, o.client_order_id as client, o.status, o.filled::text from trading.orders o
       join trading.accounts a on a.id = o.account_id where a.owner_id = $1`,
      [id],
    )
    for (const { client, status, filled } of orders) {
      const at = theirs.get(client)
      theirs.delete(client)
      if (at === undefined ? !['rejected', 'not_placed'].includes(status) : Number(filled) !== at.filled)
        add(`order ${client} is ${status} with ${filled} here, ${at?.status} with ${at?.filled} there`)
    }
    await decisionsOf(db, bot, { startMs, closes }, add)
    const booked = await booksOf(db, bot, add)
    if (bot.marketType === 'futures') {
      futuresOf(bench, bot, { ...booked, walletBefore }, add)
      continue
    }
    // What is too little to be sold counts as nothing held, and has no stop.
    const isDust = booked.coins * bench.price() < MIN_NOTIONAL
    if (isDust ? booked.size !== 0 : Math.abs(booked.size - booked.coins) > 0.00001)
      add(`its state has ${booked.size} BTC, its books ${booked.coins}`)
    coins += booked.coins
    money += booked.money - bot.initialBalance
    const waiting = (type: string): number =>
      exchange.spot.book
        .open('BTCUSDT')
        .filter((order) => order.type === type && orders.some(({ client }) => client === order.clientOrderId))
        .reduce((sum, { qty }) => sum + qty, 0)
    const hasTarget = bot.takeProfitPct > 0 && (bot.stopLossPct === 0 || exchangeOf(venue)?.spot?.targets === 'list')
    for (const [type, stands] of [
      ['STOP_LOSS', bot.stopLossPct > 0],
      ['TAKE_PROFIT', hasTarget],
    ] as const) {
      // Whole lots are sold, and dust of earlier purchases has no order.
      const expected = stands && !isDust ? booked.coins : 0
      if (Math.abs(waiting(type) - expected) > 0.00002) add(`holds ${booked.coins}, and ${type} sells ${waiting(type)}`)
    }
  }
  for (const client of theirs.keys()) wrong.push(`nobody has written down order ${client}`)
  const { balances } = exchange.spot
  if (Math.abs(balances.get('BTC')! - 1 - coins) > 1e-7)
    wrong.push(`the books have ${coins} BTC, the exchange ${balances.get('BTC')! - 1}`)
  if (Math.abs(balances.get('USDT')! - 100_000 - money) > 1e-4)
    wrong.push(`the books have ${money} USDT more, the exchange ${balances.get('USDT')! - 100_000}`)
  const { rows: doubt } = await db.pool.query<{ id: string; status: string }>(
    "select id, status from trading.orders where status = 'sending' or (to_settle and status <> 'open')",
  )
  for (const { id, status } of doubt) wrong.push(`order ${id} stays ${status}`)
  return wrong
}

/** All orders that the exchange took from us, stops and targets on futures among them. */
function sentBy(bench: RealBotsBench): { clientOrderId: string; status: string; filled: number }[] {
  const futures = bench.exchange.futures as typeof bench.exchange.futures | undefined
  const waiting = (futures?.stops.all ?? []).map(({ clientAlgoId, status, placed }) => ({
    clientOrderId: clientAlgoId,
    status,
    filled: placed?.filled ?? 0,
  }))
  const ours = bench.sentFutures().filter(({ clientOrderId }) => !clientOrderId.startsWith('from-algo'))
  return [...bench.sent(), ...ours, ...waiting]
}

/** Of a bot on futures: its position, what waits over it, and its part of the wallet. */
function futuresOf(
  { exchange: { futures } }: RealBotsBench,
  bot: Bot,
  { coins, balance, size, walletBefore }: { coins: number; balance: number; size: number; walletBefore: number },
  add: (text: string) => void,
): void {
  const { amount } = futures.position('BTCUSDT')
  if (Math.abs(amount - coins) > 1e-9 || Math.abs(size - coins) > 1e-9)
    add(`its books have ${coins}, its state ${size}, the exchange ${amount}`)
  for (const type of ['STOP_MARKET', 'TAKE_PROFIT_MARKET']) {
    const waiting = futures.stops.open('BTCUSDT').filter(({ orderType }) => orderType === type)
    const closes = waiting.reduce((sum, { side, qty }) => sum + (side === 'SELL' ? qty : -qty), 0)
    // What was left of an order that was filled in part may be larger than the position: it closes no more than that.
    if (Math.sign(closes) !== Math.sign(amount) || Math.abs(closes) < Math.abs(amount) - 1e-9)
      add(`it holds ${amount}, and ${type} closes ${closes}`)
  }
  const earned = futures.wallet - walletBefore
  if (Math.abs(earned - (balance - bot.initialBalance)) > 1e-4)
    add(`its books have earned ${balance - bot.initialBalance} USDT, the wallet ${earned}`)
}

/** Every candle is decided once. */
async function decisionsOf(
  db: Database,
  { id }: Bot,
  { startMs, closes }: { startMs: number; closes: number },
  add: (text: string) => void,
): Promise<void> {
  const { rows } = await db.pool.query<{ n: number; candles: number; first: string; last: string }>(
    `select count(*)::int as n, count(distinct candle_ts)::int as candles, min(candle_ts) as first, max(candle_ts) as last
     from trading.bot_decisions where bot_id = $1`,
    [id],
  )
  const { n, candles, first, last } = rows[0]!
  const whole = Number(first) === startMs && Number(last) === startMs + (closes - 1) * MINUTE_MS
  if (n !== closes || candles !== closes || !whole)
    add(`${n} decisions on ${candles} of ${closes} candles, from ${first} to ${last}`)
}

/** Its ledger and balance say the same: what it holds by its books and its state (base), its money less what that has cost (quote). */
async function booksOf(
  db: Database,
  { id }: Bot,
  add: (text: string) => void,
): Promise<{ coins: number; balance: number; money: number; size: number }> {
  const { rows } = await db.pool.query<{
    balance: string
    ledger: string
    coins: string
    cost: string
    fills: string
    known: string
    size: number
    kept: number
  }>(
    `select a.balance, (select sum(amount) from trading.ledger_entries e where e.account_id = a.id) as ledger,
       coalesce(p.quantity, 0) as coins, coalesce(p.cost, 0) as cost,
       (select coalesce(sum(quantity), 0) from trading.fills f where f.account_id = a.id) as fills,
       (select coalesce(sum(filled), 0) from trading.orders o where o.account_id = a.id) as known,
       (s.portfolio #>> '{pairs,0,account,size}')::float8 as size, (s.portfolio ->> 'balance')::float8 as kept
     from trading.accounts a join trading.bot_states s on s.bot_id = a.owner_id
     left join trading.positions p on p.account_id = a.id where a.owner_id = $1`,
    [id],
  )
  const row = rows[0]!
  const [balance, coins, cost] = [Number(row.balance), Number(row.coins), Number(row.cost)]
  if (Number(row.ledger) !== balance) add(`its ledger adds up to ${row.ledger}, its balance is ${row.balance}`)
  if (Number(row.fills) !== Number(row.known)) add(`its trades add up to ${row.fills}, its orders to ${row.known}`)
  if (Math.abs(row.kept - balance) > 1e-8) add(`its state has ${row.kept} USDT, its books ${balance}`)
  return { coins, balance, money: balance - cost, size: row.size }
}
