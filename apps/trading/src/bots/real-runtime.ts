import { AppError } from '@shapecast/contracts/errors'
import { planOf } from '@shapecast/engine/policies/plan'
import type { Portfolio } from '@shapecast/engine/portfolio'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Turn } from '@shapecast/platform/database/locks'
import { isUnreachable } from '@shapecast/platform/database/unreachable'
import type { Logger } from '@shapecast/platform/logging'
import type { BotOrders, PreparedOrder } from '../exchange/bot-orders.ts'
import { rulesOf } from './advance-bot.ts'
import { type BotNews, newsOf, statusNews } from './bot-news.ts'
import { changeStatuses, mayChange, statusBy } from './bot-status.ts'
import { undecide } from './decide-bot.ts'
import { type BotMarket, type DecisionRound, NotPrepared } from './decision-round.ts'
import { type MoveOrder, moveReal, notOrdered, onlyClosed, type RealMove } from './real-move.ts'
import { type PairMarket, RETRY_MS } from './real-results.ts'
import type { RunningBot } from './running-bots.ts'
import type { RuntimeStore } from './runtime-store.ts'
import type { BotRow } from './tables.ts'
import { timeframeOf } from './timeframe-of.ts'

/** What bots with real money need of the accounts at the exchange. */
export type RealAccounts = Pick<BotOrders, 'books' | 'purchasesSince' | 'settled' | 'withNews' | 'market' | 'prepare'>

interface MarketRules {
  readonly lotSize: number
  readonly minNotional: number
}

export interface RealRuntimeDeps {
  db: Database
  store: RuntimeStore
  accounts: RealAccounts
  market: Pick<BotMarket, 'now' | 'rules'> & {
    /** Null where there is none that is young enough to act on. */
    price(symbol: string): Promise<number | null>
  }
  tell(tx: Orm, news: readonly BotNews[]): Promise<void>
  log: Logger
  now(): number
}

/** The bot's account is on the network that TESTNET does not choose. */
class OtherNetwork extends Error {
  override readonly name = 'OtherNetwork'
}

const reasonOf = (error: unknown): string =>
  error instanceof OtherNetwork
    ? 'It has traded on the other network than the one that TESTNET chooses now, and sends no orders to this one.'
    : 'It met an error of the program and does not trade. The log of the server has it.'

/** Why nothing was opened where a position was to be turned round. */
const NOT_CLOSED = 'The order that closes the position before it was not filled at once. It was not placed.'

/** Codes of an exchange that did not answer: what a policy wants of it for the day is decided at its next close. */
const AWAY: readonly string[] = ['venue_unreachable', 'venue_rate_limited']

/** What people see of a portfolio between its trades: funding and what has become too little to be sold change it too. */
const shownOf = ({ balance, pairs }: Portfolio): string =>
  [balance, ...pairs.map(({ account }) => account.size)].join(' ')

const DAY_MS = 86_400_000
const keyOf = ({ symbol, leg, at }: MoveOrder) => `${symbol} ${leg} ${at}`

/**
 * Lets bots trade real money: at each close, and on prices between them. What a bot decides and the orders that come of
 * it are written down in one transaction, and only then sent, each once. It may be called at any time, by any process,
 * and broken off anywhere: what became of an order is asked of the exchange by whoever comes next.
 */
export const createRealRuntime = (deps: RealRuntimeDeps) => {
  const { db, store, accounts, market, tell, log, now } = deps

  /** What a move needs besides the bot: read before the bot is locked, since it may take a while. */
  async function look(
    running: RunningBot,
    shared: DecisionRound | null,
  ): Promise<{
    markets: Map<string, PairMarket>
    round: DecisionRound | null
    nowMs: number
  } | null> {
    const { bot } = running
    const nowMs = await market.now()
    if (nowMs === null) return null
    const timeframe = timeframeOf(bot.parameters)
    const plan = planOf(bot)
    const markets = new Map<string, PairMarket>()
    const known = new Map<string, MarketRules>()
    for (const symbol of bot.tradingPairs) {
      const found = await marketOf(bot, symbol)
      if (found === null) return null
      known.set(symbol, found.rules)
      markets.set(symbol, { rules: rulesOf(plan, timeframe, found.rules), price: found.price })
    }
    const round = shared === null ? null : { ...shared, rules: (symbol: string) => known.get(symbol) }
    return { markets, round, nowMs }
  }

  /** Futures have rules and prices of their own; candles are those of the installation's market. */
  async function marketOf(bot: BotRow, symbol: string) {
    if (bot.marketType === 'futures') return accounts.market(bot, symbol)
    const rules = await market.rules(symbol)
    return rules === null ? null : { rules, price: await market.price(symbol) }
  }

  type Looked = NonNullable<Awaited<ReturnType<typeof look>>>

  async function plan(tx: Orm, running: RunningBot, { markets, round, nowMs }: Looked): Promise<RealMove | null> {
    const books = await accounts.books(tx, running.bot.id)
    if (books === null) throw new OtherNetwork('The bot has no account on the network in use.')
    if (running.state.real === null) return null
    const dayOrders = await accounts.purchasesSince(tx, books.accountId, now() - (now() % DAY_MS))
    return moveReal({ running, books, markets, round, dayOrders, nowMs })
  }

  /** One move of one bot, written down; `ways` lead the orders that were foreseen to the exchange. */
  async function write(tx: Orm, botId: string, looked: Looked, ways: ReadonlyMap<string, PreparedOrder | AppError>) {
    const [running] = await store.lock(tx, [botId])
    if (running === undefined) return []
    const move = await plan(tx, running, looked)
    if (move === null || !move.isNews) return []
    // Something has happened since it was foreseen: the next look takes it.
    if (move.orders.some((order) => !ways.has(keyOf(order)))) throw new NotPrepared('The bot has moved on.')
    const decisions = [...move.change.decisions]
    const placed: { order: MoveOrder; orderId: string; way: PreparedOrder }[] = []
    let { retryAtMs } = move.real
    const refused = new Set<string>()
    for (const order of move.orders) {
      const way = ways.get(keyOf(order))!
      try {
        // Of a position that is not closed nothing is opened the other way.
        if (refused.has(order.symbol)) continue
        if (way instanceof AppError) throw way
        placed.push({ order, orderId: await way.place(tx, order), way })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        refused.add(order.symbol)
        if (order.decided && AWAY.includes(error.code))
          undecide(move.change.portfolio, running.state.portfolio, order.symbol)
        if (!order.decided) retryAtMs = looked.nowMs + RETRY_MS
        const at = decisions.findIndex((one) => one.symbol === order.symbol && one.candleTs === order.at)
        if (order.decided && at >= 0) {
          const isTurned = placed.some((one) => one.order.symbol === order.symbol)
          decisions[at] = (isTurned ? onlyClosed : notOrdered)(decisions[at]!, error.message)
        }
        log.warn({ err: error, bot: botId, symbol: order.symbol }, 'an order of a bot was not made')
      }
    }
    const change = { ...move.change, decisions }
    await store.write(tx, [change], now())
    await store.keepReal(tx, botId, { ...move.real, retryAtMs })
    for (const { order, orderId } of placed)
      if (order.decided) await store.linkOrder(tx, botId, { symbol: order.symbol, candleTs: order.at }, orderId)
    for (const { orderId, reason } of move.refused) await store.refuseOrder(tx, botId, orderId, reason)
    await accounts.settled(tx, move.settled)
    if (shownOf(change.portfolio) !== shownOf(running.state.portfolio)) await store.announce(tx, botId)
    await tell(tx, newsOf(change))
    return placed
  }

  /** Looks at one bot and does what is due. */
  async function advance(seen: RunningBot, round: DecisionRound | null, turn: Turn): Promise<void> {
    const { bot } = seen
    const looked = await look(seen, round)
    if (looked === null) return
    const foreseen = await db.orm.transaction((tx) => plan(tx, seen, looked))
    if (foreseen === null || !foreseen.isNews) {
      if (looked.round?.isLate(bot)) await store.waitFor([bot.id], looked.round.closedTs)
      return
    }
    const ways = new Map<string, PreparedOrder | AppError>()
    turn.require()
    try {
      for (const order of foreseen.orders)
        ways.set(
          keyOf(order),
          await accounts.prepare(bot, order).catch((error: unknown) => {
            if (error instanceof AppError) return error
            throw error
          }),
        )
      const placed = await db.orm.transaction((tx) => {
        // What is written down is sent, whatever becomes of the turn after it.
        turn.require()
        return write(tx, bot.id, looked, ways)
      })
      const isFilled = new Map<string, boolean>()
      for (const { order, way } of placed) {
        // To turn a position round its closing has to be filled first: else the two would end as something else.
        if (isFilled.get(order.symbol) === false) await way.withdraw(NOT_CLOSED)
        else isFilled.set(order.symbol, await way.send())
      }
    } finally {
      for (const way of ways.values()) if (!(way instanceof AppError)) await way.end()
    }
  }

  /** Puts a bot to `error`, which sends no orders any more; its stop-losses stay. */
  const fail = (botId: string, reason: string): Promise<void> =>
    db.orm.transaction(async (tx) => {
      const [running] = await store.lock(tx, [botId])
      if (running === undefined || !mayChange(running.bot, 'failure')) return
      const change = statusBy('failure', reason)
      await changeStatuses(tx, [{ bot: running.bot, change }])
      await tell(tx, statusNews(running.bot, change))
    })

  /** One that fails keeps no other from going on. */
  async function advanceAll(bots: readonly RunningBot[], round: DecisionRound | null, turn: Turn): Promise<void> {
    await Promise.all(
      bots.map(async (running) => {
        try {
          await advance(running, round, turn)
        } catch (error) {
          if (error instanceof NotPrepared) return
          log.error({ err: error, bot: running.bot.id }, 'a bot with real money cannot go on')
          if (!isUnreachable(error)) await fail(running.bot.id, reasonOf(error))
        }
      }),
    )
  }

  return {
    fail,

    /** Takes bots with real money through a round: those of `due` that still have to decide its candle. */
    async decide(due: ReadonlySet<string>, round: DecisionRound, turn: Turn): Promise<void> {
      const now = await store.realBots()
      await advanceAll(
        now.filter((running) => due.has(running.bot.id) && round.isDue(running)),
        round,
        turn,
      )
    },

    /** Between closes: takes every bot with real money on by its orders' results and by prices. */
    advance: async (turn: Turn): Promise<void> =>
      advanceAll(await store.realBots(await accounts.withNews(db.orm)), null, turn),
  }
}
