import type { Bot } from '@shapecast/contracts/bots'
import { ArrowDown, ArrowUp, TriangleAlert } from 'lucide-react'
import { MoneyChip, ReadOnlyChip } from '#entities/bots/bot-chips.tsx'
import { useMarketFinder } from '#entities/markets/use-market-of.ts'
import { formatCounted } from '#kit/format/number.ts'
import { colors } from '#kit/theme/tokens.ts'
import card from '#kit/ui/card.module.css'
import { Checkbox } from '#kit/ui/checkbox.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/primitives.tsx'
import { useUser } from '#wire/session/auth-context.ts'
import { BotMenu } from '../menu/bot-actions.tsx'
import { mayChange } from '../use-bot.ts'
import { openerOf } from './bot-card.tsx'
import { type BotColumnId, botColumn, together } from './bots-columns.tsx'
import css from './bots-table.module.css'
import { type BotsView, type Courses, isSort, warningOf } from './bots-view.ts'

export interface BotsTableProps {
  list: readonly Bot[]
  view: BotsView
  onView: (change: Partial<BotsView>) => void
  courses: Courses
  /** What stands beside the name. */
  columns: readonly BotColumnId[]
  chosen: ReadonlySet<string>
  onChosen: (chosen: ReadonlySet<string>) => void
  onOpen: (id: string) => void
}

const WARNED = { display: 'inline-flex', color: colors.warn } as const

/** Bots in rows: heads sort, ticks choose some of the reader's own to pause, stop or compare; their sums at the foot. */
export function BotsTable({ list, view, onView, courses, columns, chosen, onChosen, onOpen }: BotsTableProps) {
  const user = useUser()
  const marketOf = useMarketFinder()
  // One that is stopped can only be compared, and an admin may choose others' too: one by one.
  const own = list.filter((bot) => bot.userId === user?.id && bot.status !== 'stopped')
  const isAll = own.length > 0 && own.every(({ id }) => chosen.has(id))
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChosen(next)
  }
  return (
    <div className={`${card.card} ${css.box}`}>
      <table className={css.table} aria-label="Bots">
        <thead>
          <tr>
            <th scope="col" className={css.tick}>
              <Checkbox
                checked={isAll}
                isPartial={!isAll && chosen.size > 0}
                disabled={own.length === 0}
                onChange={() => onChosen(new Set(isAll ? [] : own.map(({ id }) => id)))}
                aria-label="Choose all of my bots that run"
              />
            </th>
            <Head id="name" head="Name" view={view} onView={onView} />
            {columns.map((id) => (
              <Head key={id} id={id} {...botColumn(id)} view={view} onView={onView} />
            ))}
            <th scope="col">
              <span className={layout.visuallyHidden}>More</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.map((bot) => {
            const course = courses.get(bot.id)
            const mine = mayChange(user, bot)
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
                  <Row as="span" gap={1} style={{ display: 'inline-flex' }}>
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
                      <span role="img" aria-label={warning} title={warning} style={WARNED}>
                        <TriangleAlert size={14} aria-hidden />
                      </span>
                    )}
                  </Row>
                </th>
                {columns.map((id) => {
                  const { isFigure, isQuiet, cell } = botColumn(id)
                  return (
                    <td key={id} data-figure={isFigure} className={isQuiet && css.quiet}>
                      {cell(bot, course, marketOf)}
                    </td>
                  )
                })}
                <td>{mine && <BotMenu bot={bot} />}</td>
              </tr>
            )
          })}
        </tbody>
        <tfoot>
          {[true, false].map((isVirtual) => (
            <SumRow
              key={String(isVirtual)}
              name={isVirtual ? 'Virtual together' : 'Real money together'}
              bots={own.filter((bot) => bot.isVirtual === isVirtual)}
              columns={columns}
            />
          ))}
        </tfoot>
      </table>
    </div>
  )
}

/** The sums of several bots with the same kind of money. */
function SumRow({ name, bots, columns }: { name: string; bots: readonly Bot[] } & Pick<BotsTableProps, 'columns'>) {
  const marketOf = useMarketFinder()
  if (bots.length < 2) return null
  const all = together(bots)
  return (
    <tr>
      <td />
      <th scope="row">
        {name} <span className={css.quiet}>{formatCounted(bots.length, 'bot')} of mine</span>
      </th>
      {columns.map((id) => {
        const { isFigure, sum, cell } = botColumn(id)
        return (
          <td key={id} data-figure={isFigure}>
            {sum === true ? cell(all, undefined, marketOf) : sum?.(all)}
          </td>
        )
      })}
      <td />
    </tr>
  )
}

/** The head of a column; a press sorts by it, a second one the other way round. */
function Head({
  id,
  head,
  isFigure,
  view,
  onView,
}: { id: BotColumnId | 'name'; head: string; isFigure?: boolean } & Pick<BotsTableProps, 'view' | 'onView'>) {
  if (!isSort(id))
    return (
      <th scope="col" data-figure={isFigure}>
        {head}
      </th>
    )
  const isSorted = view.sort === id
  // Figures begin with the largest, words with A.
  const isUp = view.isReversed === (isFigure === true)
  return (
    <th scope="col" data-figure={isFigure} aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : 'none'}>
      <button
        type="button"
        className={`${css.press} ${css.sort}`}
        onClick={() => onView({ sort: id, isReversed: isSorted && !view.isReversed })}
      >
        {head}
        {isSorted && (isUp ? <ArrowUp size={14} aria-hidden /> : <ArrowDown size={14} aria-hidden />)}
      </button>
    </th>
  )
}
