import { AppError } from '@shapecast/contracts/errors'
import type { RealTradingState } from '@shapecast/contracts/real-bots'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import type { Caller, Member } from '@shapecast/platform/sessions'
import type { Exchange } from '../exchange/exchange.ts'
import type { RealTradingRow } from '../exchange/tables.ts'
import { keptNews, statusNews } from './bot-news.ts'
import type { RuntimeDeps } from './bot-runtime.ts'
import type { BotStore } from './bot-store.ts'
import { WISH_KILLED } from './decision-words.ts'
import { takenBack } from './hand-wishes.ts'
import type { RuntimeStore } from './runtime-store.ts'

export interface KillSwitchDeps {
  db: Database
  bots: Pick<BotStore, 'realBots' | 'stopReal' | 'takeBackCloses' | 'takeBackWishes'>
  store: Pick<RuntimeStore, 'keepByHand'>
  real: Exchange['realBots']
  /** Throws `confirmation_required` without fresh proof of who calls. */
  requireProof(sid: string): Promise<void>
  tell: RuntimeDeps['tell']
  now(): number
}

/** Turns trading with real money off for all bots at once, whichever process they run in, and on again. */
export const createKillSwitch = ({ db, bots, store, real, requireProof, tell, now }: KillSwitchDeps) => {
  const read = async ({ role }: Pick<Caller, 'role'>): Promise<RealTradingState> => {
    const { killedAtMs, killedBy, killedReason, closing } = await real.read(db.orm)
    const state = { killed: killedAtMs !== null, killedAt: killedAtMs, closing }
    if (role !== 'admin')
      return { ...state, killedBy: null, killedReason: null, activeBots: 0, openOrders: 0, positions: [] }
    const [rows, orders, holdings, news] = await Promise.all([
      bots.realBots(db.orm),
      real.unsettled(db.orm),
      real.holdings(db.orm),
      real.withNews(db.orm),
    ])
    // What a bot knows to be too little to be sold is no position; one with orders to apply does not know yet.
    const dust = new Set(
      rows.flatMap(({ id, portfolio }) =>
        portfolio === null || news.includes(id)
          ? []
          : portfolio.pairs.flatMap(({ symbol, account }) => (account.side === 0 ? `${id} ${symbol}` : [])),
      ),
    )
    const held = holdings.filter(({ botId, symbol }) => !dust.has(`${botId} ${symbol}`))
    const holds = new Set(held.map(({ botId }) => botId))
    const names = new Map(rows.map(({ id, name }) => [id, name]))
    return {
      ...state,
      killedBy,
      killedReason,
      activeBots: rows.filter(({ id, status }) => status !== 'stopped' || holds.has(id)).length,
      openOrders: orders.length,
      positions: held.map((one) => ({ ...one, botName: names.get(one.botId) ?? '' })),
    }
  }

  /** While the switch is on: stops what trades, and cancels what is open. Call it again to go on with what is left. */
  const enforce = async (): Promise<void> => {
    const { killedAtMs, killedBy, killedReason, closing } = await real.read(db.orm)
    if (killedAtMs === null) return
    // Purchases are refused since the switch was committed, so that its lock need not be held over those of the bots.
    await db.orm.transaction(async (tx) => {
      const why = killedReason === null ? '' : ` Reason given: ${killedReason}`
      const stopped = (await bots.stopReal(tx, closing)).filter(({ bot }) => bot.userId !== killedBy)
      await tell(
        tx,
        stopped.flatMap(({ bot, change }) => statusNews(bot, { ...change, reason: `${change.reason}${why}` })),
      )
      for (const { bot, portfolio } of await bots.takeBackWishes(tx))
        await store.keepByHand(tx, takenBack(bot, portfolio, WISH_KILLED))
    })
    await real.cancelAll()
  }

  /** What bots were told to close before the switch is kept: nothing more is sold. */
  const keepAll = (member: Member): Promise<void> =>
    db.orm.transaction(async (tx) => {
      const kept = await bots.takeBackCloses(tx)
      for (const { bot } of kept)
        await recordAudit(tx, member, { action: 'bot.close_taken_back', subject: { type: 'bot', id: bot.id } })
      await tell(tx, kept.map(keptNews))
    })

  /**
   * Stops every bot with real money and cancels its orders; with `close` what they hold is sold by the worker: the caller
   * has seen to it that this is proved. Without, what they were told to close and have not yet is kept too. Asked again, it goes on with what is left.
   */
  async function killAs(close: boolean, member: Member, reason?: string): Promise<RealTradingState> {
    const closing = await db.orm.transaction(async (tx) => {
      const before = shown(await real.lock(tx))
      const closing = before.closing || close
      const after = {
        killedAtMs: before.killedAtMs ?? now(),
        killedBy: member.userId,
        killedReason: reason ?? before.killedReason,
        closing,
      }
      await real.change(tx, after)
      await recordAudit(tx, member, { action: 'real_trading.killed', subject: SUBJECT, before, after })
      return closing
    })
    if (!closing) await keepAll(member)
    await enforce()
    return read(member)
  }

  return {
    read,
    enforce,
    killAs,

    /** As `killAs`, by a session. A `close` sells, and takes fresh proof of who calls; to stop takes none. */
    async kill(close: boolean, caller: Caller, reason?: string): Promise<RealTradingState> {
      if (close) await requireProof(caller.sid)
      return killAs(close, caller, reason)
    },

    /** Allows real trading again. Throws `conflict` while orders may still be open. */
    async allow(caller: Caller): Promise<RealTradingState> {
      if ((await real.read(db.orm)).killedAtMs === null) return read(caller)
      await db.orm.transaction(async (tx) => {
        const before = shown(await real.lock(tx))
        if ((await real.unsettled(tx)).length > 0)
          throw new AppError('conflict', 'Orders of bots may still be open at the exchange. Try again in a moment.')
        const after = { killedAtMs: null, killedBy: null, killedReason: null, closing: false }
        await real.change(tx, after)
        await recordAudit(tx, caller, { action: 'real_trading.allowed', subject: SUBJECT, before, after })
      })
      return read(caller)
    },
  }
}

const shown = ({ killedAtMs, killedBy, killedReason, closing }: RealTradingRow) => {
  return { killedAtMs, killedBy, killedReason, closing }
}

const SUBJECT = { type: 'real_trading', id: 'bots' }

export type KillSwitch = ReturnType<typeof createKillSwitch>
