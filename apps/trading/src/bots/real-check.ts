import { AppError } from '@shapecast/contracts/errors'
import type { Turn } from '@shapecast/platform/database/locks'
import type { CoinLook } from '../exchange/bot-coins.ts'
import { positionDifference } from '../exchange/bot-positions.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { foreignWords } from '../exchange/foreign-orders.ts'
import { CannotGoOn, failBot, type RuntimeDeps } from './bot-runtime.ts'
import type { BotMarket } from './decision-round.ts'
import type { RunningBot } from './running-bots.ts'
import type { RealState } from './tables.ts'

export interface RealCheckDeps extends RuntimeDeps {
  exchange: Pick<Exchange, 'coins' | 'positions' | 'realBots' | 'unread'>
  market: Pick<BotMarket, 'now'>
}

const EVERY_MS = 60_000
const HOUR_MS = 3_600_000
const REPORTED_AFTER_MS = 60_000
const OTHER_ACCOUNT =
  'Its API key has been replaced by one of another account, which does not hold what this bot holds.'
const shown = (quantity: number): string => String(Number(quantity.toFixed(8)))

/** What the exchange has otherwise than a bot knows, in words; null where both agree. */
export function mismatchOf({ mark, coins, foreignOrders }: CoinLook, { real }: RunningBot['state']): string | null {
  if (real === null) return null
  if (mark !== real.keyMark) return OTHER_ACCOUNT
  const unknown = foreignWords(foreignOrders)
  if (unknown !== null) return unknown
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

async function lookAtCoins({ exchange }: RealCheckDeps, { bot, state }: RunningBot): Promise<Checked | null> {
  const look = await exchange.coins(bot.userId, bot.tradingPairs)
  return look === null ? null : { mismatch: mismatchOf(look, state), keep: (real) => real }
}

/** Books what has happened at the exchange since the last look without an order of the bot. */
async function lookAtPositions(
  { exchange, market }: RealCheckDeps,
  { bot, state }: RunningBot,
): Promise<Checked | null> {
  const { keyMark, futures } = state.real!
  const takenMs = await market.now()
  if (takenMs === null || futures === undefined) return null
  // Funding is paid at full hours, and told a little later.
  const hour = (ms: number) => Math.floor((ms - REPORTED_AFTER_MS) / HOUR_MS)
  const payments = hour(takenMs) > hour(futures.takenMs) || futures.takenMs < futures.owedMs
  const look = await exchange.positions(bot, bot.tradingPairs, { sinceMs: futures.takenMs, payments })
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

async function check(deps: RealCheckDeps, running: RunningBot, turn: Turn): Promise<void> {
  const { db, store, exchange, now } = deps
  const { bot, state } = running
  const isFutures = bot.marketType === 'futures'
  const trades = bot.status === 'active' || bot.status === 'paused'
  // A position goes on paying funding, and can be liquidated, whatever its bot does.
  if (!trades && !isFutures) return
  if (state.real === null || now() - state.real.checkedAtMs < EVERY_MS) return
  const stuck = trades ? await exchange.unread.wordsOf(bot.id) : null
  if (stuck !== null) return failBot(deps, bot.id, new CannotGoOn(stuck))
  const look = isFutures ? lookAtPositions : lookAtCoins
  const first = await look(deps, running)
  if (first === null) return
  // What is told of an account may lag behind its trades: only what is so twice is so.
  const checked = first.mismatch === null ? first : await look(deps, running)
  if (checked === null) return
  // Another process may have sent orders since the exchange was asked.
  turn.require()
  if (checked.mismatch !== null && trades) {
    const words = `${checked.mismatch} It sends no orders any more; look at the account, then start it again.`
    return failBot(deps, bot.id, new CannotGoOn(words))
  }
  await db.orm.transaction(async (tx) => {
    const [locked] = await store.lock(tx, [bot.id])
    const real = locked?.state.real
    if (real) await store.keepReal(tx, bot.id, checked.keep({ ...real, checkedAtMs: now() }))
  })
}

/**
 * Holds bots with real money against the exchange whose turn it is: when a process starts, and every minute. An exchange
 * that does not answer is asked again at the next turn.
 */
export async function checkRealBots(deps: RealCheckDeps, turn: Turn): Promise<void> {
  const { db, store, exchange, log } = deps
  for (const running of await store.realBots(await exchange.realBots.inPosition(db.orm)))
    try {
      await check(deps, running, turn)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      log.warn({ err: error, bot: running.bot.id }, 'a bot could not be held against the exchange')
    }
}
