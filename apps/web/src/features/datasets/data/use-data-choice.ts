import { markets, SymbolId, seriesList } from '@shapecast/contracts/market'
import { candleCount, TIMEFRAME_MS, Timeframe } from '@shapecast/contracts/timeframes'
import { HOLDOUT_CANDLES } from '@shapecast/contracts/training-candles'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { defaultRange, seriesFor, type TimeRange, utcDayEnd, utcDayStart } from '#entities/markets/market-range.ts'
import { selectableSymbols } from '#entities/markets/use-market-of.ts'
import { formatDate } from '#kit/format/time.ts'
import { useEndpointQuery, useLastError } from '#wire/calls/use-endpoint.ts'
import { useHealthAndClock } from '#wire/calls/use-health.ts'
import { rangeOfDataset, useActiveDataset } from '../saved/use-datasets.ts'

const MOST_SYMBOLS = 200
const FIRST_COIN = 'BTCUSDT'
const FIRST_TIMEFRAME = '1h'

/**
 * The coins, timeframe and range that the page works on. What was chosen stands in the address; the rest starts from the
 * active dataset, or else from the last 30 days of the first coin.
 */
export function useDataChoice() {
  const health = useHealthAndClock()
  const marketReply = useEndpointQuery(markets, {}, { staleTime: 5 * 60_000 })
  const marketError = useLastError(marketReply)
  const seriesReply = useEndpointQuery(seriesList, {}, { staleTime: 30_000 })
  const [search, setSearch] = useSearchParams()
  const start = useActiveDataset()
  const { coins: chosenCoins, timeframe: chosenTimeframe, from, to } = useMemo(() => chosenOf(search), [search])
  const timeframe = chosenTimeframe ?? start?.timeframe ?? FIRST_TIMEFRAME
  const choose = (change: Partial<ChosenData>) => setSearch((before) => withChosen(before, change), { replace: true })
  const reset = useCallback(() => setSearch(withoutChosen, { replace: true }), [setSearch])

  const marketList = marketReply.data
  const symbols = useMemo(() => selectableSymbols(marketList ?? [], MOST_SYMBOLS), [marketList])
  const startCoin = start?.symbol ?? (symbols.includes(FIRST_COIN) ? FIRST_COIN : symbols[0])
  const coins = useMemo(() => chosenCoins ?? (startCoin === undefined ? [] : [startCoin]), [chosenCoins, startCoin])

  const kind = health.data?.market ?? 'live'
  // Without the market's clock, the browser's own to the minute, so that a render does not move the range.
  const nowMs = health.data?.marketTime ?? Math.floor(Date.now() / 60_000) * 60_000
  const series = seriesFor(seriesReply.data ?? [], coins[0], timeframe)
  const byDefault = start === null ? defaultRange({ kind, nowMs }, timeframe, series) : rangeOfDataset(start, nowMs)
  const window = windowOf(from, to, byDefault, (day) => utcDayEnd(day, nowMs))
  const errors = windowErrors(window, nowMs)
  return {
    symbols,
    isLoadingSymbols: marketReply.isPending && marketError === null,
    /** True where it is not known which coins there are. */
    areSymbolsMissing: marketError !== null && marketList === undefined,
    /** Whether the market has any candles; null while that is not known. An exchange and the simulated market always do. */
    hasCandles: kind === 'replay' && seriesReply.data !== undefined ? seriesReply.data.length > 0 : null,
    coins,
    setCoins: (next: readonly string[]) => choose({ coins: next }),
    timeframe,
    setTimeframe: (next: Timeframe) => choose({ timeframe: next }),
    window,
    setFrom: (day: ChosenDay) => choose({ from: day }),
    setTo: (day: ChosenDay) => choose({ to: day }),
    nowMs,
    counts: windowCounts(window, timeframe),
    errors,
    error: errors.from ?? errors.to,
    /** The active dataset, from which the pickers start; null where there is none. */
    start,
    /** Whether nothing was chosen since. */
    isStart: chosenCoins === null && chosenTimeframe === null && from === undefined && to === undefined,
    /** Of what is chosen: what was asked for another one no longer stands. The range's default moves on with the market. */
    key: JSON.stringify([coins, timeframe, from, to, start?.id]),
    /** Back to where the pickers start from. */
    reset,
    marketOf: (symbol: string) => marketList?.find((market) => market.id === symbol),
  }
}

export type DataChoice = ReturnType<typeof useDataChoice>

export const MOST_COINS = 5
const KEYS = ['coins', 'timeframe', 'from', 'to'] as const

function dayOf(text: string | null): ChosenDay {
  if (text === null) return undefined
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isFinite(ms) ? ms : null
}

type ChosenData = ReturnType<typeof chosenOf>

/** What is chosen as the address has it, null and undefined where nobody chose: `?coins=BTCUSDT,ETHUSDT&timeframe=4h&from=2026-10-21&to=2026-11-20`; an emptied date is `from=`. */
export function chosenOf(search: URLSearchParams) {
  const coins = search
    .get('coins')
    ?.split(',')
    .flatMap((coin) => SymbolId.safeParse(coin).data ?? [])
  return {
    coins: coins === undefined ? null : ([...new Set(coins)].slice(0, MOST_COINS) as readonly string[]),
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

/** What one training reads at most. */
export const MOST_CANDLES = 5000

/** What stands in the date fields: a day, `undefined` where nobody chose, `null` where the field was emptied. */
export type ChosenDay = number | null | undefined

/**
 * The range of the chosen days. A day that was chosen as the end is part of it, but nothing lies after the market's
 * now; the default's end is kept to the candle. Null where a field is empty.
 */
export function windowOf(from: ChosenDay, to: ChosenDay, byDefault: TimeRange, dayEnd: (day: number) => number) {
  return {
    fromMs: from === undefined ? byDefault.fromMs : from,
    toMs: to === undefined ? byDefault.toMs : to === null ? null : dayEnd(to),
  }
}

type DatasetWindow = ReturnType<typeof windowOf>

/** Candles by the range (1 to 5000, 0 without both dates), and rows of its export: 400 fewer, at least 1. */
export function windowCounts({ fromMs, toMs }: DatasetWindow, timeframe: Timeframe): { candles: number; rows: number } {
  const candles = candleCount(fromMs, toMs, timeframe)
  return { candles, rows: Math.max(1, candles - HOLDOUT_CANDLES) }
}

/** Where a training of the range begins, ms: 5,000 candles are the most that one reads, the newest of the range. */
export const trainingStart = (fromMs: number, toMs: number, timeframe: Timeframe): number =>
  Math.max(fromMs, toMs - MOST_CANDLES * TIMEFRAME_MS[timeframe])

/** The day from which on a range to `toMs` holds 5,000 candles. */
export const dayOfMostCandles = (toMs: number, timeframe: Timeframe): number =>
  utcDayStart(Math.max(0, toMs - MOST_CANDLES * TIMEFRAME_MS[timeframe]))

/** What is wrong with the dates, as sentences by field; nothing where all is well. `nowMs` is the market's clock. */
export function windowErrors({ fromMs, toMs }: DatasetWindow, nowMs: number): { from?: string; to?: string } {
  const late = `The market has come to ${formatDate(nowMs)}`
  if (fromMs !== null && fromMs >= nowMs) return { from: late }
  if (toMs !== null && toMs > nowMs && utcDayStart(toMs - 1) > nowMs) return { to: late }
  return fromMs !== null && toMs !== null && fromMs >= toMs ? { to: 'To must be later than From' } : {}
}
