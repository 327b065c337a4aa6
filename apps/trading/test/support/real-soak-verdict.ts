import type { BotRecord } from '@shapecast/contracts/bots'
import { exchangeOf } from '@shapecast/contracts/exchanges'
import type { Database } from '@shapecast/platform/database/database'
import type { RealBotsBench } from './real-bots-bench.ts'
import { MINUTE_MS, type Venue } from './real-soak-script.ts'

/** Quote: less is not traded. */
const MIN_NOTIONAL = 5
/** Base: the exchange trades multiples of it. */
const LOT = 0.00001
interface OrderHere {
  readonly id: string
  readonly client: string
  readonly side: 'buy' | 'sell'
  readonly type: string
  readonly status: string
  readonly filled: string
}

/** Where ledger, bots and exchange do not agree. */
export async function wrongOf(
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
    const { rows: orders } = await db.pool.query<OrderHere>(
      `select o.id, o.client_order_id as client, o.side, o.type, o.status, o.filled::text from trading.orders o
       join trading.accounts a on a.id = o.account_id where a.owner_id = $1 order by o.seq`,
      [id],
    )
    for (const { client, status, filled } of orders) {
      const at = theirs.get(client)
      theirs.delete(client)
      if (at === undefined ? !['rejected', 'not_placed'].includes(status) : Number(filled) !== at.filled)
        add(`order ${client} is ${status} with ${filled} here, ${at?.status} with ${at?.filled} there`)
    }
    await decisionsOf(db, bot, { startMs, closes }, add)
    const booked = await ledgerOf(db, bot, add)
    if (bot.marketType === 'futures') {
      futuresOf(bench, bot, { ...booked, walletBefore }, add)
      continue
    }
    // What is too little to be sold counts as nothing held, and has no stop.
    const isDust = booked.coins * bench.price() < MIN_NOTIONAL
    if (isDust ? booked.size !== 0 : Math.abs(booked.size - booked.coins) > 0.00001)
      add(`its state has ${booked.size} BTC, its ledger ${booked.coins}`)
    coins += booked.coins
    money += booked.money - bot.initialBalance
    const waiting = (type: string): number =>
      exchange.spot.book
        .open('BTCUSDT')
        .filter((order) => order.type === type && orders.some(({ client }) => client === order.clientOrderId))
        .reduce((sum, { qty }) => sum + qty, 0)
    // After a list that was refused the stop stands alone.
    const isAlone = bot.stopLossPct > 0 && orders.findLast(({ type }) => type === 'take_profit')?.status === 'rejected'
    const hasTarget =
      bot.takeProfitPct > 0 && !isAlone && (bot.stopLossPct === 0 || exchangeOf(venue)?.spot?.targets === 'list')
    for (const [type, stands] of [
      ['STOP_LOSS', bot.stopLossPct > 0],
      ['TAKE_PROFIT', hasTarget],
    ] as const) {
      // An order sells whole lots of what its purchase brought: each purchase may have left less than a lot, which has none.
      const uncovered = (stands && !isDust ? booked.coins : 0) - waiting(type)
      const dust = LOT * (1 + orders.filter(({ side, filled }) => side === 'buy' && Number(filled) > 0).length)
      if (uncovered < -1e-9 || uncovered > dust) add(`holds ${booked.coins}, and ${type} sells ${waiting(type)}`)
    }
  }
  for (const client of theirs.keys()) wrong.push(`nobody has written down order ${client}`)
  const { balances } = exchange.spot
  if (Math.abs(balances.get('BTC')! - 1 - coins) > 1e-7)
    wrong.push(`the ledger has ${coins} BTC, the exchange ${balances.get('BTC')! - 1}`)
  if (Math.abs(balances.get('USDT')! - 100_000 - money) > 1e-4)
    wrong.push(`the ledger has ${money} USDT more, the exchange ${balances.get('USDT')! - 100_000}`)
  const { rows: doubt } = await db.pool.query<{ id: string; status: string }>(
    "select id, status from trading.orders where status = 'sending' or (to_settle and status <> 'open')",
  )
  for (const { id, status } of doubt) wrong.push(`order ${id} stays ${status}`)
  return wrong
}

/** All orders that the exchange took from us, stops and targets on futures among them. */
export function sentBy(bench: RealBotsBench): { clientOrderId: string; status: string; filled: number }[] {
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
  bot: BotRecord,
  { coins, balance, size, walletBefore }: { coins: number; balance: number; size: number; walletBefore: number },
  add: (text: string) => void,
): void {
  const { amount } = futures.position('BTCUSDT')
  if (Math.abs(amount - coins) > 1e-9 || Math.abs(size - coins) > 1e-9)
    add(`its ledger has ${coins}, its state ${size}, the exchange ${amount}`)
  for (const type of ['STOP_MARKET', 'TAKE_PROFIT_MARKET']) {
    const waiting = futures.stops.open('BTCUSDT').filter(({ orderType }) => orderType === type)
    const closes = waiting.reduce((sum, { side, qty }) => sum + (side === 'SELL' ? qty : -qty), 0)
    // What was left of an order that was filled in part may be larger than the position: it closes no more than that.
    if (Math.sign(closes) !== Math.sign(amount) || Math.abs(closes) < Math.abs(amount) - 1e-9)
      add(`it holds ${amount}, and ${type} closes ${closes}`)
  }
  const earned = futures.wallet - walletBefore
  if (Math.abs(earned - (balance - bot.initialBalance)) > 1e-4)
    add(`its ledger has earned ${balance - bot.initialBalance} USDT, the wallet ${earned}`)
}

/** Every candle is decided once. */
async function decisionsOf(
  db: Database,
  { id }: BotRecord,
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

/** Its ledger and balance say the same: what it holds by its ledger and its state (base), its money, and that with what it holds at cost (quote). */
async function ledgerOf(
  db: Database,
  { id, marketType }: BotRecord,
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
    `select a.balance,
       (select sum(amount) from trading.ledger_entries e where e.account_id = a.id and e.asset = 'USDT') as ledger,
       coalesce(p.quantity, 0) as coins, coalesce(p.cost, 0) as cost,
       (select coalesce(sum(quantity), 0) from trading.fills f where f.account_id = a.id) as fills,
       (select coalesce(sum(filled), 0) from trading.orders o where o.account_id = a.id) as known,
       (s.portfolio #>> '{pairs,0,account,size}')::float8 as size, (s.portfolio ->> 'balance')::float8 as kept
     from trading.accounts a join trading.bot_states s on s.bot_id = a.owner_id
     left join trading.positions p on p.account_id = a.id where a.owner_id = $1`,
    [id],
  )
  const row = rows[0]!
  const [money, coins, cost] = [Number(row.balance), Number(row.coins), Number(row.cost)]
  const balance = marketType === 'spot' ? money + cost : money
  if (row.ledger !== row.balance) add(`its ledger adds up to ${row.ledger}, its balance is ${row.balance}`)
  if (Number(row.fills) !== Number(row.known)) add(`its trades add up to ${row.fills}, its orders to ${row.known}`)
  if (Math.abs(row.kept - balance) > 1e-8) add(`its state has ${row.kept} USDT, its ledger ${balance}`)
  return { coins, balance, money, size: row.size }
}
