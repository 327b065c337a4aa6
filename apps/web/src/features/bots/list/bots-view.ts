import type { Bot } from '@shapecast/contracts/bots'
import { doesWords, returnPctOf } from '#entities/bots/bot-words.ts'

/** Which bots are shown, and in which order; both stand in the address. */
export const SHOWN = {
  all: { label: 'All', holds: () => true },
  active: { label: 'Active', holds: ({ status }: Bot) => status === 'active' },
  paused: { label: 'Paused', holds: ({ status }: Bot) => status === 'paused' },
  stopped: { label: 'Stopped', holds: ({ status }: Bot) => status === 'stopped' },
  real: { label: 'Real money', holds: ({ isVirtual }: Bot) => !isVirtual },
  warned: { label: 'With a warning', holds: (bot: Bot) => hasWarning(bot) },
} as const
export type Shown = keyof typeof SHOWN

/** Whether a bot stands still for a reason that its owner should read. */
export const hasWarning = ({ status, statusReason }: Pick<Bot, 'status' | 'statusReason'>): boolean =>
  status !== 'active' && statusReason !== null

type Key = (bot: Bot) => number | string
/** What bots can be sorted by: the largest first, words from A to Z. */
export const SORTS = {
  equity: { label: 'Equity', of: (bot) => bot.currentBalance },
  return: { label: 'Return', of: returnPctOf },
  open: { label: 'Open P&L', of: (bot) => bot.openPnL },
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

/** What the address says: `?q=trend&show=active&sort=return`; `-return` for the other way round. */
export function viewIn(search: URLSearchParams): BotsView {
  const [show, asked] = [search.get('show'), search.get('sort')]
  const sort = asked?.replace(/^-/, '') ?? null
  return {
    words: search.get('q') ?? '',
    shown: known(SHOWN, show) ? show : 'all',
    sort: known(SORTS, sort) ? sort : null,
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

const compared = (a: number | string, b: number | string): number =>
  typeof a === 'string' ? a.localeCompare(String(b)) : Number(b) - a

/** The bots of a view in its order. */
export function botsIn(list: readonly Bot[], view: BotsView, userId: string | undefined): Bot[] {
  const words = view.words.trim().toLowerCase()
  const found = list.filter(
    (bot) =>
      SHOWN[view.shown].holds(bot) &&
      [bot.name, ...bot.tradingPairs].some((text) => text.toLowerCase().includes(words)),
  )
  const { sort } = view
  if (sort === null) {
    const rank = (bot: Bot) => (bot.userId === userId ? 0 : 2) + (bot.isVirtual ? 1 : 0)
    return found.sort((a, b) => rank(a) - rank(b) || b.currentBalance - a.currentBalance)
  }
  const direction = view.isReversed ? -1 : 1
  return found.sort((a, b) => direction * compared(SORTS[sort].of(a), SORTS[sort].of(b)))
}
