import { realBotLimitsOf } from '@shapecast/contracts/real-bots'
import { type StatusChange, statusBy } from './bot-status.ts'
import type { BotRow, RealState } from './tables.ts'

const DAY_MS = 86_400_000

/**
 * The day that a daily loss counts from, over any number of starts: 00:00 UTC of the market's day, with the equity of its
 * first moment, or of the first start in it.
 */
export function dayOf(before: RealState['day'] | undefined, equity: number, nowMs: number): RealState['day'] {
  const fromMs = nowMs - (nowMs % DAY_MS)
  return before !== undefined && before.fromMs >= fromMs ? before : { fromMs, equity }
}

/** What a bot has lost of a day, in words, where that is as much as it may lose; else null. */
export function dayLossOf(bot: Pick<BotRow, 'parameters'>, day: RealState['day'], equity: number): string | null {
  const { maxDayLoss } = realBotLimitsOf(bot.parameters)
  const lost = day.equity - equity
  return lost < maxDayLoss ? null : `It lost ${lost.toFixed(2)} USDT since 00:00 UTC, and may lose ${maxDayLoss} a day`
}

export const drawdownReached = ({ maxDrawdown }: Pick<BotRow, 'maxDrawdown'>): string =>
  `Its drawdown limit of ${maxDrawdown}% was reached`

/** The pause of a bot that has reached a limit on losses, which `why` names. */
export const haltedBy = (why: string): StatusChange =>
  statusBy('halt', `${why}: it closes what it holds and opens nothing until it is started again.`)
