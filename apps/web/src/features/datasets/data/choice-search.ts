import { SymbolId } from '@shapecast/contracts/market'
import { Timeframe } from '@shapecast/contracts/timeframes'
import type { ChosenDay } from './dataset-window.ts'

/** What is chosen on the Data card as the address has it; what was not chosen is left to the defaults. */
export interface ChosenData {
  /** Null where nobody chose. */
  readonly coins: readonly string[] | null
  readonly timeframe: Timeframe | null
  readonly from: ChosenDay
  readonly to: ChosenDay
}

export const MOST_COINS = 5
const KEYS = ['coins', 'timeframe', 'from', 'to'] as const

function dayOf(text: string | null): ChosenDay {
  if (text === null) return undefined
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isFinite(ms) ? ms : null
}

/** Reads `?coins=BTCUSDT,ETHUSDT&timeframe=4h&from=2026-10-21&to=2026-11-20`; an emptied date is `from=`. */
export function chosenOf(search: URLSearchParams): ChosenData {
  const coins = search
    .get('coins')
    ?.split(',')
    .flatMap((coin) => SymbolId.safeParse(coin).data ?? [])
  return {
    coins: coins === undefined ? null : [...new Set(coins)].slice(0, MOST_COINS),
    timeframe: Timeframe.safeParse(search.get('timeframe')).data ?? null,
    from: dayOf(search.get('from')),
    to: dayOf(search.get('to')),
  }
}

/** The address with `change` in it; everything else in it stays. */
export function withChosen(search: URLSearchParams, change: Partial<ChosenData>): URLSearchParams {
  const next = new URLSearchParams(search)
  if (change.coins !== undefined && change.coins !== null) next.set('coins', change.coins.join(','))
  if (change.timeframe !== undefined && change.timeframe !== null) next.set('timeframe', change.timeframe)
  for (const key of ['from', 'to'] as const) {
    const day = change[key]
    if (day !== undefined) next.set(key, day === null ? '' : new Date(day).toISOString().slice(0, 10))
  }
  return next
}

/** The address without what was chosen. */
export function withoutChosen(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const key of KEYS) next.delete(key)
  return next
}
