import type { Bot } from '@shapecast/contracts/bots'
import type { BotCourse } from '@shapecast/contracts/portfolio'
import { winRatePctOf } from '#entities/bots/bot-summary.ts'
import { doesWords, returnPctOf } from '#entities/bots/bot-words.ts'
import { csvOf } from '#kit/format/csv.ts'
import { saveFile } from '#wire/calls/save-file.ts'

const HEADS = [
  'name',
  'money',
  'state',
  'does',
  'pairs',
  'equity_usdt',
  'return_pct',
  'hold_pct',
  'closed_pnl_usdt',
  'open_pnl_usdt',
  'positions',
  'drawdown_pct',
  'trades',
  'win_rate_pct',
]

/** Bots as rows for a spreadsheet, in their order; figures as they are, without rounding. */
export const botsCsv = (list: readonly Bot[], courses: ReadonlyMap<string, BotCourse>): string =>
  csvOf([
    HEADS,
    ...list.map((bot) => {
      const course = courses.get(bot.id)
      return [
        bot.name,
        bot.isVirtual ? 'virtual' : 'real',
        bot.status,
        doesWords(bot, () => undefined),
        bot.tradingPairs.join(' '),
        bot.currentBalance,
        returnPctOf(bot),
        course?.holdPct ?? null,
        bot.closedPnL,
        bot.openPnL,
        bot.positions.map(({ symbol, side, quantity }) => `${side} ${quantity} ${symbol}`).join('; '),
        course?.drawdownPct ?? null,
        bot.totalTrades,
        winRatePctOf(bot),
      ]
    }),
  ])

/** Hands the table of bots to the browser to save. */
export function saveBots(list: readonly Bot[], courses: ReadonlyMap<string, BotCourse>): void {
  const content = new Blob([botsCsv(list, courses)], { type: 'text/csv' })
  saveFile({ name: 'bots.csv', content }, 'bots.csv')
}
