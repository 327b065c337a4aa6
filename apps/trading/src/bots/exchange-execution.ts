import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@shapecast/contracts/errors'
import { planOf } from '@shapecast/engine/policies/plan'
import type { Portfolio } from '@shapecast/engine/portfolio'
import type { Orm } from '@shapecast/platform/database/database'
import type { Turn } from '@shapecast/platform/database/locks'
import { isUnreachable } from '@shapecast/platform/database/unreachable'
import type { PreparedOrder } from '../exchange/bot-orders.ts'
import type { BotOrders } from '../exchange/exchange.ts'
import { rulesOf } from './advance-bot.ts'
import { CannotGoOn, type Execution, failBot, noteLate, type RuntimeDeps, runStep, type Step } from './bot-runtime.ts'
import { undecide } from './decide-bot.ts'
import { appErrorOr, NotPrepared } from './decision-answers.ts'
import type { BotMarket, DecisionRound } from './decision-round.ts'
import { leftAlone, mayRetry } from './hand-wishes.ts'
import type { KillSwitch } from './kill-switch.ts'
import type { MoveOrder, PairMarket } from './move-orders.ts'
import { moveReal, notOrdered, onlyClosed, type RealMove } from './real-move.ts'
import type { Unfilled } from './real-rests.ts'
import { RETRY_MS } from './real-results.ts'
import type { RunningBot } from './running-bots.ts'
import type { BotRow, RealRest } from './tables.ts'
import { timeframeOf } from './timeframe-of.ts'

/** What bots with real money need of the accounts at the exchange. */
export type RealAccounts = Pick<
  BotOrders,
  'ledger' | 'purchasesSince' | 'settled' | 'endRests' | 'withNews' | 'marketOf' | 'prepare'
>

export interface ExchangeDeps extends RuntimeDeps {
  accounts: RealAccounts
  market: Pick<BotMarket, 'now' | 'rules'> & {
    /** Null if there is none that is young enough to act on. */
    price(symbol: string): Promise<number | null>
  }
  killSwitch: Pick<KillSwitch, 'enforce'>
  /** Holds bots against the exchange whose turn it is. */
  check(turn: Turn): Promise<void>
}

/** Why nothing was opened where a position was to be turned round. */
const NOT_CLOSED = 'The order that closes the position before it was not filled at once. It was not placed.'

/** Codes of an exchange that did not answer: what a policy wants of it for the day is decided at its next close. */
const AWAY: readonly string[] = ['venue_unreachable', 'venue_rate_limited']

/** The loop between closes has the turn for a moment at a time, and longer while the exchange is slow. */
const TURN_EVERY_MS = 50
const TURN_TRIES = 100
const DAY_MS = 86_400_000

/**
 * Bots with real money: what they decide and the orders that come of it are written down in one transaction, and only
 * then sent, each once. What became of an order is asked of the exchange by the next run. One process is at these
 * bots at a time, and first does what the kill switch asks for.
 */
export function createExchangeExecution(deps: ExchangeDeps): Execution {
  const { db, store, accounts, killSwitch, check } = deps
  const inTurn = (work: (turn: Turn) => Promise<void>): Promise<boolean> =>
    db.locks.alone('bots with real money', async (turn) => {
      await killSwitch.enforce()
      await check(turn)
      await work(turn)
    })

  return {
    /** Where the turn is not to be had soon, the next look at what has closed takes them. */
    async decide(due, round) {
      const ids = new Set(due.map(({ bot }) => bot.id))
      let went = 0
      const work = async (turn: Turn) => {
        const now = (await store.realBots()).filter((running) => ids.has(running.bot.id) && round.isDue(running))
        went = await advanceAll(deps, now, round, turn)
        await noteLate(deps, now, round)
      }
      for (let tries = 0; tries < TURN_TRIES && !(await inTurn(work)); tries++) await wait(TURN_EVERY_MS)
      return went
    },

    /** Acts on what orders have become and on prices: limits on losses, and targets that the exchange does not hold. */
    async between() {
      if (!(await store.anyReal())) return
      await inTurn(async (turn) => {
        await advanceAll(deps, await store.realBots(await accounts.withNews(db.orm)), null, turn)
      })
    },
  }
}

/** Answers how many went on. One that fails keeps no other from it. */
async function advanceAll(
  deps: ExchangeDeps,
  bots: readonly RunningBot[],
  round: DecisionRound | null,
  turn: Turn,
): Promise<number> {
  const went = bots.map(async (running) => {
    try {
      return await runStep(deps, exchangeStep(deps, running, round, turn))
    } catch (error) {
      if (error instanceof NotPrepared) return 0
      if (isUnreachable(error)) deps.log.error({ err: error, bot: running.bot.id }, 'a bot could not go on')
      else await failBot(deps, running.bot.id, error)
      return 0
    }
  })
  return (await Promise.all(went)).reduce((sum, one) => sum + one, 0)
}

/** What one bot does, with its orders. */
function exchangeStep(deps: ExchangeDeps, seen: RunningBot, round: DecisionRound | null, turn: Turn): Step {
  const { bot } = seen
  const orders: PreparedOrders = new Map()
  let looked: Looked | null = null
  let done: Placed | null = null
  return {
    botIds: [bot.id],

    async prepare() {
      looked = await look(deps, bot, round)
      if (looked === null) return false
      const at = looked
      const expected = await deps.db.orm.transaction((tx) => moveOf(deps, tx, seen, at))
      if (!expected?.isNews) return false
      turn.require()
      for (const order of expected.orders) orders.set(keyOf(order), await appErrorOr(deps.accounts.prepare(bot, order)))
      return true
    },

    async moves(tx, [running]) {
      // What is written down is sent, whatever becomes of the turn after it.
      turn.require()
      const move = running === undefined ? null : await moveOf(deps, tx, running, looked!)
      if (!move?.isNews) return { changes: [], failed: [] }
      done = await place(deps, tx, move, running!, orders, looked!.nowMs)
      return { changes: [done.change], failed: [] }
    },

    async book(tx) {
      if (done !== null) await book(deps, tx, done)
    },

    async carryOut() {
      const isFilled = new Map<string, boolean>()
      for (const { order, prepared } of done?.placed ?? []) {
        // To turn a position round its closing has to be filled first: else the two would end as something else.
        if (isFilled.get(order.symbol) === false) await prepared.withdraw(NOT_CLOSED)
        else isFilled.set(order.symbol, await prepared.send())
      }
    },

    async end() {
      for (const prepared of orders.values()) if (!(prepared instanceof AppError)) await prepared.end()
    },
  }
}

/** By order: its way to the exchange, or what keeps it from being sent. */
type PreparedOrders = Map<string, PreparedOrder | AppError>
/** One that closes is made ready otherwise than one that enters, though both may be the first of a decision. */
const keyOf = ({ symbol, leg, at, side, closes }: MoveOrder) => `${symbol} ${leg} ${at} ${side} ${closes}`

/** What a move needs in addition to the bot: read before the bot is locked, since it may take a while. */
interface Looked {
  readonly markets: ReadonlyMap<string, PairMarket>
  readonly round: DecisionRound | null
  readonly nowMs: number
}

/** Null where the market is not known now. */
async function look(deps: ExchangeDeps, bot: BotRow, shared: DecisionRound | null): Promise<Looked | null> {
  const nowMs = await deps.market.now()
  if (nowMs === null) return null
  const timeframe = timeframeOf(bot.parameters)
  const plan = planOf(bot)
  const markets = new Map<string, PairMarket>()
  const known = new Map<string, { lotSize: number; minNotional: number }>()
  for (const symbol of bot.tradingPairs) {
    const found = await marketOf(deps, bot, symbol)
    if (found === null) return null
    known.set(symbol, found.rules)
    markets.set(symbol, { rules: rulesOf(plan, timeframe, { ...found.rules, funding: null }), price: found.price })
  }
  const round = shared === null ? null : { ...shared, rules: (symbol: string) => known.get(symbol) }
  return { markets, round, nowMs }
}

/** Futures have rules and prices of their own; candles are those of the installation's market. */
async function marketOf({ accounts, market }: ExchangeDeps, bot: BotRow, symbol: string) {
  if (bot.marketType === 'futures') return accounts.marketOf(bot, symbol)
  const rules = await market.rules(symbol)
  return rules === null ? null : { rules, price: await market.price(symbol) }
}

async function moveOf(
  { accounts, now }: ExchangeDeps,
  tx: Orm,
  running: RunningBot,
  looked: Looked,
): Promise<RealMove | null> {
  const ledger = await accounts.ledger(tx, running.bot.id)
  if (ledger === null)
    throw new CannotGoOn(
      'It has traded on the other network than the one that TESTNET chooses now, and sends no orders to this one.',
    )
  if (running.state.real === null) return null
  const dayOrders = await accounts.purchasesSince(tx, now() - (now() % DAY_MS), ledger.accountId)
  return moveReal({ running, ledger, dayOrders, ...looked })
}

/** A move with its orders written down. */
interface Placed extends RealMove {
  readonly before: Portfolio
  readonly placed: readonly { order: MoveOrder; orderId: string; prepared: PreparedOrder }[]
}

/** Writes the orders of a move down; a decision whose order may not be says why. */
async function place(
  { log }: ExchangeDeps,
  tx: Orm,
  move: RealMove,
  { bot, state }: RunningBot,
  orders: PreparedOrders,
  nowMs: number,
): Promise<Placed> {
  // Something has happened since it was expected: the next look takes it.
  if (move.orders.some((order) => !orders.has(keyOf(order)))) throw new NotPrepared('The bot has moved on.')
  const decisions = [...move.change.decisions]
  const left = [...move.change.byHand]
  const placed: { order: MoveOrder; orderId: string; prepared: PreparedOrder }[] = []
  let { retryAtMs } = move.real
  const rests: Record<string, RealRest> = { ...move.real.rests }
  const unfilled: Unfilled[] = []
  const stuck = new Set<string>()
  for (const order of move.orders) {
    const prepared = orders.get(keyOf(order))!
    try {
      // Of a position that is not closed nothing is opened the other way.
      if (stuck.has(order.symbol)) continue
      if (prepared instanceof AppError) throw prepared
      placed.push({ order, orderId: await prepared.place(tx, order), prepared })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      stuck.add(order.symbol)
      const isAway = AWAY.includes(error.code)
      if (order.decided && isAway) undecide(move.change.portfolio, state.portfolio, order.symbol)
      const { byHand, symbol } = order
      const rest = rests[symbol]
      if (rest !== undefined && (order.rests ?? order.restOfId) !== undefined) {
        if (order.rests === undefined && isAway) rests[symbol] = { ...rest, takes: false }
        else delete rests[symbol]
        if (order.rests === undefined && !isAway && rest.filled === 0)
          unfilled.push({ orderId: rest.orderId!, reason: `No order: ${error.message}` })
      }
      if (!order.decided && (byHand === undefined || isAway)) retryAtMs = nowMs + RETRY_MS
      if (byHand !== undefined) {
        const pair = move.change.portfolio.pairs.find((each) => each.symbol === symbol)!
        pair.sentByHand = undefined
        const { target, askedMs } = byHand
        if (isAway && mayRetry(byHand, nowMs)) pair.byHand = { target, askedMs }
        else left.push(leftAlone({ symbol, ...byHand }, `No order: ${error.message}`))
      }
      const at = decisions.findIndex((one) => one.symbol === order.symbol && one.candleTs === order.at)
      if (order.decided && at >= 0) {
        const isTurned = placed.some((one) => one.order.symbol === order.symbol)
        decisions[at] = (isTurned ? onlyClosed : notOrdered)(decisions[at]!, error.message)
      }
      log.warn({ err: error, bot: bot.id, symbol: order.symbol }, 'an order of a bot was not made')
    }
  }
  return {
    ...move,
    before: state.portfolio,
    change: { ...move.change, decisions, byHand: left },
    real: { ...move.real, retryAtMs, ...(move.real.rests && { rests }) },
    placed,
    refused: [...move.refused, ...unfilled],
  }
}

async function book({ store, accounts }: ExchangeDeps, tx: Orm, done: Placed): Promise<void> {
  const { before, change, real, placed, settled, filled, refused, endRests } = done
  const { id } = change.bot
  await store.keepReal(tx, id, real)
  for (const { order, orderId } of placed)
    if (order.decided) await store.linkOrder(tx, id, { symbol: order.symbol, candleTs: order.at }, orderId)
  const wished = placed.flatMap(({ order: { symbol, side, quantity, price, byHand }, orderId }) => {
    if (byHand === undefined) return []
    const { candleTs, askedMs } = byHand
    const signed = side === 'buy' ? quantity : -quantity
    return { symbol, candleTs, askedMs, botId: id, orderId, quantity: signed, price, filledPrice: null, reason: null }
  })
  const left = change.byHand.map(({ fill: _, ...hand }) => ({ ...hand, botId: id, orderId: null }))
  await store.keepByHand(tx, [...wished, ...left])
  await store.settleByHand(tx, filled)
  for (const { orderId, reason } of refused) await store.refuseOrder(tx, id, orderId, reason)
  await accounts.settled(tx, settled)
  await accounts.endRests(tx, endRests)
  if (shownOf(change.portfolio) !== shownOf(before)) await store.announce(tx, id)
}

/** What people see of a portfolio between its trades: funding and what has become too little to be sold change it too. */
const shownOf = ({ balance, pairs }: Portfolio): string =>
  [balance, ...pairs.map(({ account }) => account.size)].join(' ')
