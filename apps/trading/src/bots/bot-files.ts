import { type Bot, originWords } from '@shapecast/contracts/bots'
import { POLICIES } from '@shapecast/contracts/policies'
import type { BotCourse } from '@shapecast/contracts/portfolio'
import { type CsvColumns, csvTable, isoTime } from '@shapecast/platform/http/csv-file'
import { DECIDERS } from '../deciders/deciders.ts'
import type { Asker } from '../ground/ownership.ts'
import { baseOf } from './amount-words.ts'
import type { BotService } from './bot-service.ts'
import type { ReadPortfolioHistory } from './portfolio-history.ts'

const moneyOf = ({ isVirtual }: Bot) => (isVirtual ? 'virtual' : 'real')

/** `Trend with steady risk · holds 87% BTC, short 12% ETH`: each position as a share of the equity. */
function doesWords({ strategy, parameters, positions, currentBalance }: Bot): string {
  const { policy = 'signal', ruleOrigin } = parameters ?? {}
  const own = policy === 'rule' && ruleOrigin !== undefined ? originWords(ruleOrigin) : POLICIES[policy].name
  const held = positions.map(({ symbol, side, worth }) => {
    const share = currentBalance > 0 ? `${Math.round((100 * worth) / currentBalance)}%` : '—'
    return `${side === 'short' ? 'short' : 'holds'} ${share} ${baseOf(symbol)}`
  })
  const { takesModels, name } = DECIDERS[strategy]
  return `${takesModels ? own : `${name} signal`} · ${held.join(', ') || 'holds nothing'}`
}

const BOTS: CsvColumns<{ bot: Bot; course: BotCourse | undefined }> = {
  name: ({ bot }) => bot.name,
  money: ({ bot }) => moneyOf(bot),
  state: ({ bot }) => bot.status,
  does: ({ bot }) => doesWords(bot),
  pairs: ({ bot }) => bot.tradingPairs.join(' '),
  equity_usdt: ({ bot }) => bot.currentBalance,
  return_pct: ({ bot }) => (bot.initialBalance > 0 ? (100 * bot.totalPnL) / bot.initialBalance : 0),
  hold_pct: ({ course }) => course?.holdPct ?? null,
  closed_pnl_usdt: ({ bot }) => bot.closedPnL,
  open_pnl_usdt: ({ bot }) => bot.openPnL,
  positions: ({ bot }) => bot.positions.map(({ symbol, side, quantity }) => `${side} ${quantity} ${symbol}`).join('; '),
  drawdown_pct: ({ course }) => course?.drawdownPct ?? null,
  trades: ({ bot }) => bot.totalTrades,
  win_rate_pct: ({ bot }) => (bot.totalTrades > 0 ? (100 * bot.winningTrades) / bot.totalTrades : null),
}

const POSITIONS: CsvColumns<{ bot: Bot; position: Bot['positions'][number] }> = {
  bot: ({ bot }) => bot.name,
  money: ({ bot }) => moneyOf(bot),
  pair: ({ position }) => position.symbol,
  side: ({ position }) => position.side,
  quantity: ({ position }) => position.quantity,
  opened_at: ({ position }) => isoTime(position.entryTime),
  entry_price: ({ position }) => position.entryPrice,
  live_price: ({ position }) => position.markPrice,
  worth_usdt: ({ position }) => position.worth,
  price_pnl_usdt: ({ position }) => position.unrealizedPnL,
  stop: ({ position }) => position.stopLossPrice,
  target: ({ position }) => position.takeProfitPrice,
}

/** Bots and what they hold as files for a spreadsheet; figures as they are, without rounding. */
export const createBotFiles = (list: BotService['list'], history: ReadPortfolioHistory) => ({
  /** Those of `ids` that the member sees, in that order; all of them without `ids`. */
  async bots(ids: readonly string[] | undefined, member: Asker) {
    const [seen, { courses }] = await Promise.all([list(member), history(member.userId, '30d')])
    const byId = new Map(seen.map((bot) => [bot.id, bot]))
    const courseOf = new Map(courses.map((course) => [course.botId, course]))
    const rows = (ids?.flatMap((id) => byId.get(id) ?? []) ?? seen).map((bot) => ({
      bot,
      course: courseOf.get(bot.id),
    }))
    return csvTable('bots.csv', BOTS, rows)
  },

  /** All that the member's own bots hold, the largest first. */
  async positions(member: Asker) {
    const own = (await list(member)).filter(({ userId }) => userId === member.userId)
    const held = own.flatMap((bot) => bot.positions.map((position) => ({ bot, position })))
    return csvTable(
      'positions.csv',
      POSITIONS,
      held.sort((a, b) => b.position.worth - a.position.worth),
    )
  },
})
export type BotFiles = ReturnType<typeof createBotFiles>
