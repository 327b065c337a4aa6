import type { Bot } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { ArrowDown, ArrowUp, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Sparkline } from '#charts/plots/sparkline.tsx'
import { MoneyChip, ReadOnlyChip } from '#entities/bots/bot-chips.tsx'
import { winRatePctOf } from '#entities/bots/bot-summary.ts'
import { doesWords, pairWords, returnPctOf } from '#entities/bots/bot-words.ts'
import { SideMark } from '#entities/bots/side-mark.tsx'
import { BotStatusChip } from '#entities/markets/trading-chips.tsx'
import { formatMoney, formatPnl, formatQuantity } from '#kit/format/money.ts'
import { directionOf, formatCount, formatCounted, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct, formatLimitPct, formatSharePct } from '#kit/format/percent.ts'
import { Checkbox } from '#kit/ui/checkbox.tsx'
import { directionColor } from '#kit/ui/tone.ts'
import { BotMenu } from '../menu/bot-menu.tsx'
import { openerOf } from './bot-card.tsx'
import css from './bots-table.module.css'
import { type BotsView, type Courses, isCloseToLimit, type Sort, warningOf } from './bots-view.ts'

interface Column {
  readonly head: string
  readonly sort?: Sort
  readonly isFigure?: boolean
}
const COLUMNS: readonly Column[] = [
  { head: 'Name', sort: 'name' },
  { head: 'State', sort: 'state' },
  { head: 'What it does', sort: 'does' },
  { head: 'Pair' },
  { head: 'Equity, USDT', sort: 'equity', isFigure: true },
  { head: 'Return', sort: 'return', isFigure: true },
  { head: 'Hold', sort: 'hold', isFigure: true },
  { head: 'Open P&L', sort: 'open', isFigure: true },
  { head: 'Position' },
  { head: 'Drawdown', sort: 'drawdown', isFigure: true },
  { head: 'Trades', sort: 'trades', isFigure: true },
  { head: 'Win rate', isFigure: true },
  { head: 'Course' },
]

const Signed = ({ value, children }: { value: number; children: ReactNode }) => (
  <span style={{ color: directionColor(directionOf(value)) }}>{children}</span>
)

function PositionCell({ positions }: Pick<Bot, 'positions'>) {
  const [first, ...rest] = positions
  if (first === undefined) return <span className={css.quiet}>Flat</span>
  if (rest.length > 0) return formatCounted(positions.length, 'position')
  return (
    <>
      <SideMark side={first.side} /> {formatQuantity(first.quantity)}
    </>
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

/** Bots in rows: heads sort, ticks choose some of the reader's own to pause or stop together. */
export function BotsTable({
  list,
  view,
  onView,
  isMine,
  marketOf,
  courses,
  chosen,
  onChosen,
  onOpen,
}: {
  list: readonly Bot[]
  view: BotsView
  onView: (change: Partial<BotsView>) => void
  isMine: (bot: Bot) => boolean
  marketOf: (symbol: string) => Market | undefined
  courses: Courses
  chosen: ReadonlySet<string>
  onChosen: (chosen: ReadonlySet<string>) => void
  onOpen: (id: string) => void
}) {
  const own = list.filter(isMine)
  const isAll = own.length > 0 && own.every(({ id }) => chosen.has(id))
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChosen(next)
  }
  return (
    <div className={css.box}>
      <table className={css.table} aria-label="Bots">
        <thead>
          <tr>
            <th scope="col" className={css.tick}>
              <Checkbox
                checked={isAll}
                isPartial={!isAll && chosen.size > 0}
                disabled={own.length === 0}
                onChange={() => onChosen(new Set(isAll ? [] : own.map(({ id }) => id)))}
                aria-label={'Choose all of my bots'}
              />
            </th>
            {COLUMNS.map((column) => (
              <Head key={column.head} column={column} view={view} onView={onView} />
            ))}
            <th scope="col">
              <span className={css.hidden}>More</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.map((bot) => {
            const returnPct = returnPctOf(bot)
            const course = courses.get(bot.id)
            const mine = isMine(bot)
            const warning = warningOf(bot, course)
            return (
              <tr key={bot.id} data-chosen={chosen.has(bot.id)} data-real={!bot.isVirtual}>
                <td className={css.tick}>
                  {mine && (
                    <Checkbox
                      checked={chosen.has(bot.id)}
                      onChange={() => toggle(bot.id)}
                      aria-label={`Choose ${bot.name}`}
                    />
                  )}
                </td>
                <th scope="row">
                  <span className={css.name}>
                    <button
                      type="button"
                      className={`${css.press} ${css.opens}`}
                      id={openerOf(bot.id)}
                      onClick={() => onOpen(bot.id)}
                    >
                      {bot.name}
                    </button>
                    {!bot.isVirtual && <MoneyChip isVirtual={false} />}
                    {!mine && <ReadOnlyChip />}
                    {warning !== null && (
                      <span role="img" aria-label={warning} title={warning} className={css.warned}>
                        <TriangleAlert size={14} aria-hidden />
                      </span>
                    )}
                  </span>
                </th>
                <td>
                  <span className={css.state}>
                    <BotStatusChip status={bot.status} />
                  </span>
                </td>
                <td>{doesWords(bot, marketOf).split(' · ')[0]}</td>
                <td className={css.quiet}>{pairWords(bot.tradingPairs, 1)}</td>
                <td data-figure>{formatMoney(bot.currentBalance)}</td>
                <td data-figure>
                  <Signed value={returnPct}>{formatChangePct(returnPct)}</Signed>
                </td>
                <td data-figure className={css.quiet}>
                  {formatChangePct(course?.holdPct)}
                </td>
                <td data-figure>
                  {bot.positions.length === 0 ? (
                    <span className={css.quiet}>{UNKNOWN}</span>
                  ) : (
                    <Signed value={bot.openPnL}>{formatPnl(bot.openPnL)}</Signed>
                  )}
                </td>
                <td>
                  <PositionCell positions={bot.positions} />
                </td>
                <td data-figure>
                  {course === undefined ? (
                    <span className={css.quiet}>{UNKNOWN}</span>
                  ) : (
                    <Drawdown
                      pct={course.drawdownPct}
                      limitPct={bot.maxDrawdown}
                      isClose={isCloseToLimit(bot, course)}
                    />
                  )}
                </td>
                <td data-figure>{formatCount(bot.totalTrades)}</td>
                <td data-figure>{formatSharePct(winRatePctOf(bot))}</td>
                <td>
                  {course !== undefined && course.values.length > 2 && (
                    <Sparkline values={course.values} widthPx={64} heightPx={20} />
                  )}
                </td>
                <td>{mine && <BotMenu bot={bot} />}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** The head of a column; a press sorts by it, a second one the other way round. */
function Head({ column, view, onView }: { column: Column } & Pick<Parameters<typeof BotsTable>[0], 'view' | 'onView'>) {
  const { head, sort, isFigure } = column
  if (sort === undefined)
    return (
      <th scope="col" data-figure={isFigure}>
        {head}
      </th>
    )
  const isSorted = view.sort === sort
  // Figures begin with the largest, words with A.
  const isUp = view.isReversed === (isFigure === true)
  return (
    <th scope="col" data-figure={isFigure} aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : 'none'}>
      <button
        type="button"
        className={`${css.press} ${css.sort}`}
        onClick={() => onView({ sort, isReversed: isSorted && !view.isReversed })}
      >
        {head}
        {isSorted && (isUp ? <ArrowUp size={14} aria-hidden /> : <ArrowDown size={14} aria-hidden />)}
      </button>
    </th>
  )
}
