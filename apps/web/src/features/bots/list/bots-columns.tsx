import type { Bot } from '@shapecast/contracts/bots'
import type { BotCourse } from '@shapecast/contracts/portfolio'
import type { ReactNode } from 'react'
import { Sparkline } from '#charts/plots/sparkline.tsx'
import { SideMark } from '#entities/bots/bot-chips.tsx'
import { winRatePctOf } from '#entities/bots/bot-summary.ts'
import { doesWords, pairWords, returnPctOf } from '#entities/bots/bot-words.ts'
import { BotStatusChip } from '#entities/markets/trading-chips.tsx'
import type { MarketOf } from '#entities/markets/use-market-of.ts'
import { formatMoney, formatPnl, formatQuantity } from '#kit/format/money.ts'
import { formatCount, formatCounted, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct, formatLimitPct, formatSharePct } from '#kit/format/percent.ts'
import { Gain } from '#kit/ui/primitives.tsx'
import css from './bots-table.module.css'
import { isCloseToLimit } from './bots-view.ts'

interface BotColumn {
  readonly head: string
  readonly isFigure?: true
  readonly isQuiet?: true
  /** Left out until it is asked for. */
  readonly isExtra?: true
  readonly cell: (bot: Bot, course: BotCourse | undefined, marketOf: MarketOf) => ReactNode
  /** It can be said of several bots with the same kind of money as well: in the same words, or in these. */
  readonly sum?: true | ((together: Bot) => ReactNode)
}

const Pnl = ({ of }: { of: number }) => <Gain of={of} write={formatPnl} />
const Unknown = () => <span className={css.quiet}>{UNKNOWN}</span>

const ADDED = ['initialBalance', 'currentBalance', 'openPnL', 'closedPnL', 'totalTrades', 'winningTrades'] as const

/** Several bots as one: their money, trades and positions. */
export const together = (bots: readonly Bot[]): Bot => ({
  ...bots[0]!,
  ...Object.fromEntries(ADDED.map((name) => [name, bots.reduce((sum, bot) => sum + bot[name], 0)])),
  positions: bots.flatMap(({ positions }) => positions),
})

function PositionCell({ positions }: Pick<Bot, 'positions'>) {
  const [first, ...rest] = positions
  if (first === undefined) return <span className={css.quiet}>Flat</span>
  if (rest.some(({ side }) => side !== first.side)) return formatCounted(positions.length, 'position')
  return (
    <SideMark side={first.side}>
      {rest.length > 0
        ? formatCounted(positions.length, 'position')
        : `${first.side === 'long' ? 'Long' : 'Short'} ${formatQuantity(first.quantity)}`}
    </SideMark>
  )
}

/** Percent below the peak, with a bar of the share of the limit. */
function Drawdown({ pct, limitPct, isClose }: { pct: number; limitPct: number; isClose: boolean }) {
  const share = Math.min(1, pct / limitPct)
  return (
    <span className={css.drawdown} data-close={isClose} title={`The limit is ${formatLimitPct(limitPct)}`}>
      <span className={css.bar} aria-hidden="true">
        <span style={{ width: `${(100 * share).toFixed(1)}%` }} />
      </span>
      {formatChangePct(-pct)}
    </span>
  )
}

/** What the table says of a bot beside its name, by the column's id. */
export const BOT_COLUMNS = {
  state: {
    head: 'State',
    cell: ({ status }) => (
      <span className={css.state}>
        <BotStatusChip status={status} />
      </span>
    ),
  },
  does: { head: 'What it does', cell: (bot, _, marketOf) => doesWords(bot, marketOf).split(' · ')[0] },
  pair: { head: 'Pair', isQuiet: true, cell: ({ tradingPairs }) => pairWords(tradingPairs, 1) },
  equity: {
    head: 'Equity, USDT',
    isFigure: true,
    cell: ({ currentBalance }) => formatMoney(currentBalance),
    sum: true,
  },
  return: { head: 'Return', isFigure: true, cell: (bot) => <Gain of={returnPctOf(bot)} />, sum: true },
  hold: { head: 'Hold', isFigure: true, isQuiet: true, cell: (_, course) => formatChangePct(course?.holdPct) },
  open: {
    head: 'Open P&L',
    isFigure: true,
    cell: ({ positions, openPnL }) => (positions.length === 0 ? <Unknown /> : <Pnl of={openPnL} />),
    sum: ({ openPnL }) => <Pnl of={openPnL} />,
  },
  closed: {
    head: 'Closed P&L',
    isFigure: true,
    isExtra: true,
    cell: ({ closedPnL }) => <Pnl of={closedPnL} />,
    sum: true,
  },
  started: {
    head: 'Started with',
    isFigure: true,
    isExtra: true,
    cell: ({ initialBalance }) => formatMoney(initialBalance),
    sum: true,
  },
  position: {
    head: 'Position',
    cell: ({ positions }) => <PositionCell positions={positions} />,
    sum: ({ positions }) => formatCounted(positions.length, 'position'),
  },
  drawdown: {
    head: 'Drawdown',
    isFigure: true,
    cell: (bot, course) =>
      course === undefined ? (
        <Unknown />
      ) : (
        <Drawdown pct={course.drawdownPct} limitPct={bot.maxDrawdown} isClose={isCloseToLimit(bot, course)} />
      ),
  },
  trades: { head: 'Trades', isFigure: true, cell: ({ totalTrades }) => formatCount(totalTrades), sum: true },
  wins: { head: 'Win rate', isFigure: true, cell: (bot) => formatSharePct(winRatePctOf(bot)), sum: true },
  course: {
    head: 'Course',
    cell: (_, course) =>
      course !== undefined &&
      course.values.length > 2 && <Sparkline values={course.values} widthPx={64} heightPx={20} />,
  },
} as const satisfies Record<string, BotColumn>

export type BotColumnId = keyof typeof BOT_COLUMNS
export const botColumn = (id: BotColumnId): BotColumn => BOT_COLUMNS[id]
export const BOT_COLUMN_IDS = Object.keys(BOT_COLUMNS) as BotColumnId[]
/** Those that the table begins with. */
export const FIRST_COLUMNS = BOT_COLUMN_IDS.filter((id) => botColumn(id).isExtra !== true)
