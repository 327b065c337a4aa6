import type { Bot } from '@shapecast/contracts/bots'
import { winRatePctOf } from '#entities/bots/bot-summary.ts'
import { doesWords, returnPctOf } from '#entities/bots/bot-words.ts'
import type { HeldByBot } from '#entities/bots/position-columns.tsx'
import { tableFile } from '#wire/calls/table-file.ts'
import type { Courses } from './bots-view.ts'

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
export const botsFile = (list: readonly Bot[], courses: Courses) =>
  tableFile('bots.csv', [
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

const POSITION_HEADS = [
  'bot',
  'money',
  'pair',
  'side',
  'quantity',
  'opened_at',
  'entry_price',
  'live_price',
  'worth_usdt',
  'price_pnl_usdt',
  'stop',
  'target',
]

/** The same with what they hold. */
export const positionsFile = (rows: readonly HeldByBot[]) =>
  tableFile('positions.csv', [
    POSITION_HEADS,
    ...rows.map(({ bot, position }) => [
      bot.name,
      bot.isVirtual ? 'virtual' : 'real',
      position.symbol,
      position.side,
      position.quantity,
      new Date(position.entryTime).toISOString(),
      position.entryPrice,
      position.markPrice,
      position.worth,
      position.unrealizedPnL,
      position.stopLossPrice,
      position.takeProfitPrice,
    ]),
  ])
