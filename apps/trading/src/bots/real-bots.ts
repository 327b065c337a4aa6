import { setTimeout as wait } from 'node:timers/promises'
import type { BotRecord } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Turn } from '@shapecast/platform/database/locks'
import { readPolicy } from '@shapecast/platform/policy'
import { requireConfirmed } from '@shapecast/platform/session-marks'
import { requireCovered } from '../exchange/bot-coins.ts'
import { requireSamePositions } from '../exchange/bot-positions.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { BotControlDeps } from './bot-control.ts'
import type { BotStore } from './bot-store.ts'
import type { RealEntry } from './bot-trading.ts'
import type { DecisionRound } from './decision-round.ts'
import { createKillSwitch } from './kill-switch.ts'
import { createRealCheck } from './real-check.ts'
import { createRealRuntime, type RealRuntimeDeps } from './real-runtime.ts'
import type { RunningBot } from './running-bots.ts'
import type { BotRow } from './tables.ts'
import type { TradingStore } from './trading-store.ts'

/** The loop between closes has the turn for a moment at a time, and longer while the exchange is slow. */
const TURN_EVERY_MS = 50
const TURN_TRIES = 100

/** Why a bot with real money may not be forgotten yet; null where it may be. */
export async function obstacleToDelete(
  botId: string,
  of: { orders: Pick<Exchange['realBots'], 'unsettledOf'>; store: Pick<TradingStore, 'state'> },
): Promise<string | null> {
  if ((await of.orders.unsettledOf(botId)) > 0)
    return 'Orders of this bot may still be open at the exchange. Try again in a moment.'
  const state = await of.store.state(botId)
  const holds = state?.portfolio.pairs.some(({ account }) => account.side !== 0) ?? false
  // One that was told to sell and cannot, since its coins are gone, can be let go.
  return holds && state?.real?.closing !== true
    ? 'This bot still holds something. Stop it with the words first, so that it closes that.'
    : null
}

/** Bots that trade real money: whether they may start, the kill switch, and their going on. */
export function createRealBots(
  deps: Omit<RealRuntimeDeps, 'accounts'> & {
    db: Database
    exchange: Pick<Exchange, 'realBots' | 'botOrders' | 'coins' | 'positions' | 'unread'>
    bots: BotStore
  },
) {
  const { db, exchange, store, bots, log, now } = deps
  const { botOrders, realBots, coins, positions, unread } = exchange
  const runtime = createRealRuntime({ ...deps, accounts: botOrders })
  const check = createRealCheck({
    db,
    store,
    coins,
    positions,
    inPosition: () => realBots.inPosition(db.orm),
    unread: unread.wordsOf,
    fail: runtime.fail,
    marketNow: deps.market.now,
    log,
    now,
  })
  const requireProof = (sid: string): Promise<void> => requireConfirmed(db.orm, sid, now())
  const killSwitch = createKillSwitch({ db, bots, real: realBots, requireProof, now })

  const underWay = () => new AppError('conflict', 'An order of these symbols is under way. Try again in a moment.')

  /** Books what has happened meanwhile, sees that both have the same positions, and sets margin and leverage. */
  async function lookAtFutures(bot: BotRecord, keyMark: string): Promise<RealEntry> {
    const takenMs = (await deps.market.now()) ?? now()
    const known = (await store.realState(bot.id))?.futures?.takenMs
    const found = await positions(bot, bot.tradingPairs, { sinceMs: known ?? takenMs, payments: true })
    if (found === null) throw underWay()
    requireSamePositions(found)
    await botOrders.isolate(bot, bot.tradingPairs)
    return { keyMark, foreign: {}, takenMs }
  }

  /**
   * The exchange has one position a symbol, so that on futures two bots of one account cannot trade the same. Under the
   * lock of all real trading, which every start takes. Throws `conflict`.
   */
  async function requireAlone(tx: Orm, bot: BotRow): Promise<void> {
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

  const entry: BotControlDeps['real'] = {
    requireProof,

    async requireConfirmed(sid) {
      if ((await readPolicy(db.orm)).confirmRealBots) await requireProof(sid)
    },

    async requireAllowed(tx) {
      if ((await realBots.lock(tx)).killedAtMs === null) return
      throw new AppError('conflict', 'The kill switch is on: no bot trades real money until an admin allows it again.')
    },

    async look(bot) {
      const { userId, tradingPairs, stopLossPct } = bot
      const keyMark = await botOrders.requireReady(bot)
      await unread.requireNoExcess(bot.id)
      await unread.book(bot.id)
      if (stopLossPct > 0) for (const symbol of tradingPairs) await botOrders.requireStops(bot, symbol)
      if (bot.marketType === 'futures') return lookAtFutures(bot, keyMark)
      const found = await coins(userId, tradingPairs)
      if (found === null) throw underWay()
      requireCovered(found)
      const [stranger] = found.strangers
      if (stranger !== undefined)
        throw new AppError(
          'conflict',
          `The exchange has an open order of ${stranger.symbol} that nobody here has written down (${stranger.clientOrderId}). Cancel it there first.`,
        )
      return { keyMark, foreign: Object.fromEntries(found.coins.map(({ asset, foreign }) => [asset, foreign])) }
    },

    async enter(tx, bot) {
      await botOrders.enter(tx, bot)
      if (bot.marketType === 'futures') await requireAlone(tx, bot)
      await botOrders.guardAgain(tx, bot.id)
    },
  }

  /**
   * Unless somebody is at bots with real money: what the kill switch asks for first, then whether the exchange has what
   * they know of, then what is due.
   */
  const inTurn = (work: (turn: Turn) => Promise<void>): Promise<boolean> =>
    db.locks.alone('bots with real money', async (turn) => {
      await killSwitch.enforce()
      await check(turn)
      await work(turn)
    })

  return {
    entry,
    killSwitch,
    /** Between closes. */
    advance: () => inTurn(runtime.advance),

    /** Takes bots through a round. Where the turn is not to be had soon, the next look at what has closed does. */
    async decide(due: readonly RunningBot[], round: DecisionRound): Promise<void> {
      const ids = new Set(due.map(({ bot }) => bot.id))
      for (let tries = 0; tries < TURN_TRIES; tries++) {
        if (await inTurn((turn) => runtime.decide(ids, round, turn))) return
        await wait(TURN_EVERY_MS)
      }
    },
  }
}
