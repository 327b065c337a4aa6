import type { Database } from '@shapecast/platform/database/database'
import type { EquityStore } from '../ledger/equity-store.ts'
import type { EquityRow } from '../ledger/tables.ts'
import type { BotStore } from './bot-store.ts'
import type { BotEquity } from './equity.ts'

const HOUR_MS = 3_600_000
/** How often it is called. */
export const KEEP_EQUITY_EVERY_MS = 20_000
/** An hour that nobody looked at in time has no row: what accounts were worth then is not known any more. */
const LATEST_MS = 5 * 60_000

/**
 * Keeps what every account is worth at each full hour of the market's clock: bots, and the virtual accounts of people (of
 * their own accounts at an exchange only the exchange knows that). Any number of processes may call it.
 */
export const createEquityKeeper = (deps: {
  db: Database
  kept: EquityStore
  bots: Pick<BotStore, 'list'>
  equity: Pick<BotEquity, 'moneyOf'>
  /** Virtual accounts of people, but those with a coin that has no price now. */
  users(): Promise<readonly Omit<EquityRow, 'venue' | 'atMs' | 'botId' | 'isVirtual'>[]>
  marketNow(): Promise<number | null>
  /** Of the market's clock: 1 is that of the world. */
  speed?: number | undefined
}) => {
  const { db, kept, bots, equity, users, marketNow, speed = 1 } = deps
  const latestMs = Math.max(LATEST_MS, 2 * KEEP_EQUITY_EVERY_MS * speed)

  return async (): Promise<void> => {
    const nowMs = await marketNow()
    if (nowMs === null) return
    const atMs = nowMs - (nowMs % HOUR_MS)
    const newest = await kept.newest(db.orm)
    if (nowMs - atMs > latestMs || (newest !== null && newest >= atMs)) return
    const records = await bots.list('all')
    const money = await equity.moneyOf(records)
    const ofBots = records.flatMap(({ id: botId, userId, isVirtual, initialBalance: deposits }, k) => {
      const { accountId, equity, closedPnL, openPnL } = money[k]!
      return accountId === null
        ? []
        : [{ accountId, atMs, userId, botId, isVirtual, equity, closedPnL, openPnL, deposits }]
    })
    const ofUsers = (await users()).map((own) => ({ ...own, atMs, botId: null, isVirtual: true }))
    await kept.keep(db.orm, [...ofBots, ...ofUsers])
  }
}
