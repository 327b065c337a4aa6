import type { BotRecord } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { readPolicy } from '@shapecast/platform/policy'
import { requireConfirmed } from '@shapecast/platform/sessions'
import { requireCovered } from '../exchange/bot-coins.ts'
import { requireSamePositions } from '../exchange/bot-positions.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { isOpen } from './advance-bot.ts'
import type { RealEntry } from './bot-trading.ts'
import { blockedBy } from './move-orders.ts'
import type { RuntimeStore } from './runtime-store.ts'
import type { BotRow } from './tables.ts'
import type { TradingStore } from './trading-store.ts'

export interface EntryDeps {
  db: Database
  store: Pick<RuntimeStore, 'realState' | 'realBots'>
  exchange: Pick<Exchange, 'realBots' | 'botOrders' | 'coins' | 'positions' | 'unread'>
  market: { now(): Promise<number | null> }
  now(): number
}

/** Whether bots with real money may start, and what they begin with. */
export const createExchangeEntry = (deps: EntryDeps) => {
  const { db, exchange, now } = deps
  const requireProof = (sid: string): Promise<void> => requireConfirmed(db.orm, sid, now())
  return {
    /** Throws `confirmation_required` without fresh proof of who calls. */
    requireProof,

    /** The same before a start, unless the policy says that none is asked for. */
    async requireConfirmed(sid: string): Promise<void> {
      if ((await readPolicy(db.orm)).confirmRealBots) await requireProof(sid)
    },

    /** Throws `conflict` while the kill switch is on; it stays as it is until the transaction ends. */
    async requireAllowed(tx: Orm): Promise<void> {
      if ((await exchange.realBots.lock(tx)).killedAtMs === null) return
      throw new AppError('conflict', KILLED)
    },

    /** Why nothing may be ordered for a bot now, in words; null where it may. The kill switch stays as it is until the transaction ends. */
    async orderObstacle(tx: Orm, botId: string): Promise<string | null> {
      if ((await exchange.realBots.lock(tx)).killedAtMs !== null) return KILLED
      const ledger = await exchange.botOrders.ledger(tx, botId)
      // What rests gives way.
      const busy = ledger === null ? undefined : blockedBy(ledger)
      return busy === undefined ? null : `Its last order of ${busy} is not settled yet. Try again in a moment.`
    },

    /** Sees whether a bot can trade at the exchange. Throws why not. */
    async look(bot: BotRecord): Promise<RealEntry> {
      const { botOrders, unread } = exchange
      const keyMark = await botOrders.requireReady(bot)
      await unread.requireNoExcess(bot.id)
      await unread.book(bot.id)
      if (bot.stopLossPct > 0) for (const symbol of bot.tradingPairs) await botOrders.requireStops(bot, symbol)
      return bot.marketType === 'futures' ? lookAtFutures(deps, bot, keyMark) : lookAtCoins(deps, bot, keyMark)
    },

    /** Opens its account there. */
    async enter(tx: Orm, bot: BotRow): Promise<void> {
      await exchange.botOrders.enter(tx, bot)
      if (bot.marketType === 'futures') await requireAlone(deps, tx, bot)
      await exchange.botOrders.guardAgain(tx, bot.id)
    },
  }
}

export type ExchangeEntry = ReturnType<typeof createExchangeEntry>

const KILLED = 'The kill switch is on: no bot trades real money until an admin allows it again.'
const underWay = () => new AppError('conflict', 'An order of these symbols is under way. Try again in a moment.')

async function lookAtCoins({ exchange }: EntryDeps, bot: BotRecord, keyMark: string): Promise<RealEntry> {
  const found = await exchange.coins(bot.userId, bot.tradingPairs)
  if (found === null) throw underWay()
  requireCovered(found)
  const [foreign] = found.foreignOrders
  if (foreign !== undefined)
    throw new AppError(
      'conflict',
      `The exchange has an open order of ${foreign.symbol} that nobody here has written down (${foreign.clientOrderId}). Cancel it there first.`,
    )
  return { keyMark, foreign: Object.fromEntries(found.coins.map(({ asset, foreign }) => [asset, foreign])) }
}

/** Books what has happened meanwhile, sees that both have the same positions, and sets margin and leverage. */
async function lookAtFutures(
  { exchange, market, store, now }: EntryDeps,
  bot: BotRecord,
  keyMark: string,
): Promise<RealEntry> {
  const takenMs = (await market.now()) ?? now()
  const known = (await store.realState(bot.id))?.futures?.takenMs
  const found = await exchange.positions(bot, bot.tradingPairs, { sinceMs: known ?? takenMs, payments: true })
  if (found === null) throw underWay()
  requireSamePositions(found)
  await exchange.botOrders.isolate(bot, bot.tradingPairs)
  return { keyMark, foreign: {}, takenMs }
}

/**
 * The exchange has one position a symbol, so that on futures two bots of one account cannot trade the same. Under the
 * lock of all real trading, which every start takes. Throws `conflict`.
 */
async function requireAlone({ exchange, store }: EntryDeps, tx: Orm, bot: BotRow): Promise<void> {
  const { realBots } = exchange
  await realBots.lock(tx)
  const mark = (await store.realState(bot.id, tx))?.keyMark
  for (const other of await store.realBots(await realBots.inPosition(tx), tx)) {
    const { id, name, marketType, tradingPairs } = other.bot
    if (id === bot.id || marketType !== 'futures' || other.state.real?.keyMark !== mark) continue
    const shared = tradingPairs.find((symbol) => bot.tradingPairs.includes(symbol))
    if (shared !== undefined)
      throw new AppError(
        'conflict',
        `${name} trades ${shared} on futures with the same account. The exchange holds one position a symbol, so one bot can trade it: stop that one first, or choose another pair.`,
      )
  }
}

/** Why a bot with real money may not be forgotten yet; null where it may be. */
export async function obstacleToDelete(
  botId: string,
  of: { orm: Orm; orders: Pick<Exchange['realBots'], 'unsettled'>; states: Pick<TradingStore, 'state'> },
): Promise<string | null> {
  if ((await of.orders.unsettled(of.orm, botId)).length > 0)
    return 'Orders of this bot may still be open at the exchange. Try again in a moment.'
  const state = await of.states.state(botId)
  // One that was told to sell and cannot, since its coins are gone, can be let go.
  return state !== undefined && isOpen(state.portfolio) && !state.closing
    ? 'This bot still holds something. Stop it with the words first, so that it closes that.'
    : null
}
