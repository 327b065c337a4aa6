import { AppError } from '@shapecast/contracts/errors'
import type { Database } from '@shapecast/platform/database/database'
import type { Turn } from '@shapecast/platform/database/locks'
import type { Logger } from '@shapecast/platform/logging'
import type { CoinLook } from '../exchange/bot-coins.ts'
import { type PositionLook, positionDifference } from '../exchange/bot-positions.ts'
import type { RunningBot } from './running-bots.ts'
import type { RuntimeStore } from './runtime-store.ts'
import type { BotRow, RealState } from './tables.ts'

export interface RealCheckDeps {
  db: Database
  store: Pick<RuntimeStore, 'realBots' | 'keepReal' | 'lock'>
  /** Null while an order is under way. Throws what the exchange throws. */
  coins(userId: string, symbols: readonly string[]): Promise<CoinLook | null>
  /** As `coins`, of a bot on futures; books what has happened at the exchange since then without an order of its own. */
  positions(
    bot: BotRow,
    symbols: readonly string[],
    since: { sinceMs: number; payments: boolean },
  ): Promise<PositionLook | null>
  /** Bots on futures that hold a position, in whatever state they are. */
  inPosition(): Promise<string[]>
  /** What of its orders the exchange does not tell, in words; null where there is nothing. */
  unread(botId: string): Promise<string | null>
  /** Puts a bot to `error`. */
  fail(botId: string, reason: string): Promise<void>
  /** The market's clock, ms; null where it has none. */
  marketNow(): Promise<number | null>
  log: Logger
  now(): number
}

const EVERY_MS = 60_000
const HOUR_MS = 3_600_000
const TOLD_AFTER_MS = 60_000
const OTHER_ACCOUNT =
  'Its API key has been replaced by one of another account, which does not hold what this bot holds.'
const shown = (quantity: number): string => String(Number(quantity.toFixed(8)))

/** What the exchange has otherwise than a bot knows, in words; null where both agree. */
export function mismatchOf({ mark, coins, strangers }: CoinLook, { real }: RunningBot['state']): string | null {
  if (real === null) return null
  if (mark !== real.keyMark) return OTHER_ACCOUNT
  const [stranger] = strangers
  if (stranger !== undefined)
    return `The exchange has an open order of ${stranger.symbol} that this bot does not know of (${stranger.clientOrderId}).`
  for (const { asset, lot, foreign } of coins) {
    const more = foreign - (real.foreign[asset] ?? 0)
    // A lot is what could not be traded anyway; a hair more, for the rounding of sums.
    if (Math.abs(more) <= lot * 1.000001) continue
    return more > 0
      ? `The exchange holds ${shown(more)} ${asset} that this bot does not know of.`
      : `The exchange holds ${shown(-more)} ${asset} less than this bot knows of.`
  }
  return null
}

/** What a look at the exchange says of one bot: what is wrong, in words, and what the bot is to keep of it. */
interface Checked {
  readonly mismatch: string | null
  keep(real: RealState): RealState
}

/** Holds bots with real money against the exchange: when a process starts, and every minute. */
export const createRealCheck = (deps: RealCheckDeps) => {
  const { db, store, coins, positions, inPosition, unread, fail, marketNow, log, now } = deps

  async function lookAtCoins({ bot, state }: RunningBot): Promise<Checked | null> {
    const look = await coins(bot.userId, bot.tradingPairs)
    return look === null ? null : { mismatch: mismatchOf(look, state), keep: (real) => real }
  }

  async function lookAtPositions({ bot, state }: RunningBot): Promise<Checked | null> {
    const { keyMark, futures } = state.real!
    const takenMs = await marketNow()
    if (takenMs === null || futures === undefined) return null
    // Funding is paid at full hours, and told a little later.
    const hour = (ms: number) => Math.floor((ms - TOLD_AFTER_MS) / HOUR_MS)
    const payments = hour(takenMs) > hour(futures.takenMs) || futures.takenMs < futures.owedMs
    const look = await positions(bot, bot.tradingPairs, { sinceMs: futures.takenMs, payments })
    if (look === null) return null
    const liquidation = Object.fromEntries(
      look.positions.flatMap(({ symbol, liquidationPrice }) =>
        liquidationPrice === null ? [] : [[symbol, liquidationPrice]],
      ),
    )
    return {
      mismatch: look.mark === keyMark ? positionDifference(look, bot.leverage) : OTHER_ACCOUNT,
      keep: (real) =>
        real.futures === undefined ? real : { ...real, futures: { ...real.futures, takenMs, liquidation } },
    }
  }

  async function check(running: RunningBot, turn: Turn): Promise<void> {
    const { bot, state } = running
    const isFutures = bot.marketType === 'futures'
    const trades = bot.status === 'active' || bot.status === 'paused'
    // A position goes on paying funding, and can be liquidated, whatever its bot does.
    if (!trades && !isFutures) return
    if (state.real === null || now() - state.real.checkedAtMs < EVERY_MS) return
    const stuck = trades ? await unread(bot.id) : null
    if (stuck !== null) return fail(bot.id, stuck)
    const look = isFutures ? lookAtPositions : lookAtCoins
    const first = await look(running)
    if (first === null) return
    // What is told of an account may lag behind its trades: only what is so twice is so.
    const checked = first.mismatch === null ? first : await look(running)
    if (checked === null) return
    // Another process may have sent orders since the exchange was asked.
    turn.require()
    if (checked.mismatch !== null && trades) {
      await fail(bot.id, `${checked.mismatch} It sends no orders any more; look at the account, then start it again.`)
      return
    }
    await db.orm.transaction(async (tx) => {
      const [locked] = await store.lock(tx, [bot.id])
      const real = locked?.state.real
      if (real) await store.keepReal(tx, bot.id, checked.keep({ ...real, checkedAtMs: now() }))
    })
  }

  /** Checks every bot whose turn it is. An exchange that does not answer is asked again at the next turn. */
  return async (turn: Turn): Promise<void> => {
    for (const running of await store.realBots(await inPosition()))
      try {
        await check(running, turn)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        log.warn({ err: error, bot: running.bot.id }, 'a bot could not be held against the exchange')
      }
  }
}
