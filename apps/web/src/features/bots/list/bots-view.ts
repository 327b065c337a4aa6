import type { Bot } from '@shapecast/contracts/bots'
import type { BotCourse } from '@shapecast/contracts/portfolio'
import { doesWords, returnPctOf } from '#entities/bots/bot-words.ts'
import { formatMoney } from '#kit/format/money.ts'
import { formatChangePct, formatLimitPct } from '#kit/format/percent.ts'

/** How bots went, by their ids; without those that were never started, and others'. */
export type Courses = ReadonlyMap<string, BotCourse>

/** Which bots are shown, and in which order; both stand in the address. */
export const SHOWN = {
  all: { label: 'All', holds: () => true },
  active: { label: 'Active', holds: ({ status }: Bot) => status === 'active' },
  paused: { label: 'Paused', holds: ({ status }: Bot) => status === 'paused' },
  stopped: { label: 'Stopped', holds: ({ status }: Bot) => status === 'stopped' },
  real: { label: 'Real money', holds: ({ isVirtual }: Bot) => !isVirtual },
  warned: { label: 'With a warning', holds: (bot: Bot, course?: BotCourse) => warningOf(bot, course) !== null },
} as const satisfies Record<string, { label: string; holds: (bot: Bot, course?: BotCourse) => boolean }>
export type Shown = keyof typeof SHOWN

/** Share of the drawdown limit from which a bot is close to it. */
const CLOSE_TO_LIMIT = 0.75
export const isCloseToLimit = (bot: Pick<Bot, 'maxDrawdown'>, course: BotCourse | undefined): boolean =>
  course !== undefined && bot.maxDrawdown > 0 && course.drawdownPct >= CLOSE_TO_LIMIT * bot.maxDrawdown

/** What its owner should read: why it stands still, or that it soon will; null where there is nothing. */
export function warningOf(
  bot: Pick<Bot, 'status' | 'statusReason' | 'maxDrawdown' | 'currentBalance'>,
  course: BotCourse | undefined,
): string | null {
  if (bot.status !== 'active') return bot.statusReason
  if (!isCloseToLimit(bot, course)) return null
  const { drawdownPct } = course!
  const left = bot.currentBalance * (1 - (100 - bot.maxDrawdown) / (100 - drawdownPct))
  return `Drawdown ${formatChangePct(-drawdownPct)} of ${formatLimitPct(bot.maxDrawdown)}: another ${formatMoney(left)} USDT and it closes and pauses.`
}

/** Null is unknown, and stands last in either order. */
type Key = (bot: Bot, course?: BotCourse) => number | string | null
/** What bots can be sorted by, columns by their ids: the largest first, words from A to Z. */
export const SORTS = {
  equity: { label: 'Equity', of: (bot) => bot.currentBalance },
  return: { label: 'Return', of: returnPctOf },
  open: { label: 'Open P&L', of: (bot) => bot.openPnL },
  hold: { label: 'Hold', of: (_, course) => course?.holdPct ?? null },
  drawdown: { label: 'Drawdown', of: (_, course) => course?.drawdownPct ?? null },
  trades: { label: 'Trades', of: (bot) => bot.totalTrades },
  newest: { label: 'Newest', of: (bot) => bot.createdAt },
  name: { label: 'Name', of: (bot) => bot.name.toLowerCase() },
  state: { label: 'State', of: (bot) => bot.status },
  does: { label: 'What it does', of: (bot) => doesWords(bot, () => undefined) },
} as const satisfies Record<string, { label: string; of: Key }>
export type Sort = keyof typeof SORTS

export interface BotsView {
  readonly words: string
  readonly shown: Shown
  /** Null: own before others', real money first, then by equity. */
  readonly sort: Sort | null
  readonly isReversed: boolean
}

const known = <Key extends string>(table: Readonly<Record<Key, unknown>>, key: string | null): key is Key =>
  key !== null && Object.hasOwn(table, key)
export const isSort = (key: string | null): key is Sort => known(SORTS, key)

/** What the address says: `?q=trend&show=active&sort=return`; `-return` for the other way round. */
export function viewIn(search: URLSearchParams): BotsView {
  const [show, asked] = [search.get('show'), search.get('sort')]
  const sort = asked?.replace(/^-/, '') ?? null
  return {
    words: search.get('q') ?? '',
    shown: known(SHOWN, show) ? show : 'all',
    sort: isSort(sort) ? sort : null,
    isReversed: asked?.startsWith('-') ?? false,
  }
}

/** The address of the same page with a part of the view changed. */
export function withView(search: URLSearchParams, change: Partial<BotsView>): URLSearchParams {
  const { words, shown, sort, isReversed } = { ...viewIn(search), ...change }
  const next = new URLSearchParams(search)
  const set = (name: string, value: string) => (value === '' ? next.delete(name) : next.set(name, value))
  set('q', words)
  set('show', shown === 'all' ? '' : shown)
  set('sort', sort === null ? '' : `${isReversed ? '-' : ''}${sort}`)
  return next
}

function compared(a: ReturnType<Key>, b: ReturnType<Key>, direction: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return direction * (typeof a === 'string' ? a.localeCompare(String(b)) : Number(b) - a)
}

/** The bots of a view in its order. */
export function botsIn(list: readonly Bot[], view: BotsView, userId: string | undefined, courses: Courses): Bot[] {
  const words = view.words.trim().toLowerCase()
  const found = list.filter(
    (bot) =>
      SHOWN[view.shown].holds(bot, courses.get(bot.id)) &&
      [bot.name, ...bot.tradingPairs].some((text) => text.toLowerCase().includes(words)),
  )
  const { sort } = view
  if (sort === null) {
    const rank = (bot: Bot) => (bot.userId === userId ? 0 : 2) + (bot.isVirtual ? 1 : 0)
    return found.sort((a, b) => rank(a) - rank(b) || b.currentBalance - a.currentBalance)
  }
  const direction = view.isReversed ? -1 : 1
  const keyOf = (bot: Bot) => SORTS[sort].of(bot, courses.get(bot.id))
  return found.sort((a, b) => compared(keyOf(a), keyOf(b), direction))
}
