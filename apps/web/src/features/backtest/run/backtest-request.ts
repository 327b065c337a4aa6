import {
  BACKTEST_DEFAULTS,
  BacktestRequest,
  BOT_NOT_FOUND,
  NO_MODEL_SELECTED,
} from '@shapecast/contracts/backtest-request'
import type { Bot } from '@shapecast/contracts/bots'
import type { Health, Series } from '@shapecast/contracts/market'
import type { Model } from '@shapecast/contracts/ml'
import { candleCount, TIMEFRAME_MS, Timeframe } from '@shapecast/contracts/timeframes'
import { versionsOf } from '#entities/bots/bot-words.ts'
import { costsOf, type Poster, wrongCosts } from '#entities/bots/costs.ts'
import { DEFAULT_DAYS, defaultRange, seriesFor, type TimeRange, utcDayStart } from '#entities/markets/market-range.ts'
import { formatDate, formatDateRange } from '#kit/format/time.ts'
import type { Parameters } from './parameters.ts'

/** What there is to choose from; undefined is not yet known. */
export interface Choices {
  readonly bots: readonly Bot[] | undefined
  readonly models: readonly Model[] | undefined
  /** Of the models. */
  readonly current: string | null
  readonly symbols: readonly string[]
  readonly series: readonly Series[] | undefined
  readonly kind: Health['market']
  /** The market's clock. */
  readonly nowMs: number
}

/** Candles that a range holds, without the limit of 5,000 that is offered; 0 for a range without length. */
export const candlesInRange = (range: TimeRange, timeframe: Timeframe): number =>
  Math.max(0, Math.ceil((range.toMs - range.fromMs) / TIMEFRAME_MS[timeframe]))

/** How many candles are tested: what was typed, or what belongs to a range. */
export const limitOf = (limit: Parameters['limit'], range: TimeRange, timeframe: Timeframe): number | null => {
  if (limit === 'default') return BACKTEST_DEFAULTS.limit
  return limit === 'derived' ? candleCount(range.fromMs, range.toMs, timeframe) : limit
}

/** What stands in the fields, with what follows from it. Where there is one choice only, it is made. */
export function settle(chosen: Parameters, { bots, models, current, symbols, series, kind, nowMs }: Choices) {
  const parameters = {
    ...chosen,
    // Without a bot there is nothing to choose in the other mode.
    mode: chosen.mode ?? (bots?.length === 0 ? 'model' : 'bot'),
    botId: chosen.botId ?? (bots?.length === 1 ? bots[0]!.id : null),
    version: chosen.version ?? current,
    symbol: chosen.symbol ?? (symbols.includes('BTCUSDT') ? 'BTCUSDT' : (symbols[0] ?? null)),
  }
  const bot = bots?.find(({ id }) => id === parameters.botId)
  const symbol = parameters.mode === 'bot' ? bot?.tradingPairs[0] : (parameters.symbol ?? undefined)
  const known = Timeframe.safeParse(parameters.timeframe.trim()).data
  const timeframe = known ?? BACKTEST_DEFAULTS.timeframe
  const stored = seriesFor(series ?? [], symbol, timeframe)
  const range = effectiveRange(parameters, defaultRange({ kind, nowMs }, timeframe, stored), timeframe)
  const versions = parameters.mode === 'model' ? [parameters.version ?? ''] : bot === undefined ? [] : versionsOf(bot)
  const unseenFrom = unseenFromMs(models, versions, symbol, timeframe)
  const unseen = unseenPart(range, unseenFrom, timeframe)
  return {
    parameters,
    bot,
    model: models?.find(({ version }) => version === parameters.version),
    symbol,
    timeframe,
    isTimeframe: known !== undefined,
    stored,
    range,
    unseenFrom,
    unseen,
    /** The part of the range that is tested. */
    tested: parameters.unseenOnly && unseen !== null ? unseen.range : range,
    nowMs,
  }
}
export type Settled = ReturnType<typeof settle>

/** A bot whose orders may rest; one that trades its signal where that is not tested. */
export const posterOf = ({ bot, timeframe, mode }: Pick<Settled, 'bot' | 'timeframe'> & { mode: string }): Poster => ({
  timeframe,
  policy: (mode === 'bot' && bot?.parameters?.policy) || 'signal',
  takeProfitPct: bot?.takeProfitPct ?? 0,
  stopLossPct: bot?.stopLossPct ?? 0,
})

/**
 * What is asked for. The whole range goes by its two ends, a part of it by its newest candles. The last moment of the range
 * is 1 ms before its end: a candle that opens at the end belongs to what follows.
 */
export function requestOf({ parameters, bot, symbol, timeframe, isTimeframe, tested }: Settled) {
  const { mode, botId, version, positionSize, initialBalance, leverage, maxDrawdownPct } = parameters
  const limit = limitOf(parameters.limit, tested, timeframe)
  const isWhole = limit !== null && limit >= candlesInRange(tested, timeframe)
  const ofModel = { mlModelVersion: version, positionSize, initialBalance, leverage, maxDrawdown: maxDrawdownPct }
  return {
    mode,
    ...(mode === 'bot' ? { botId } : ofModel),
    // A bot with several pairs is tested on all of them.
    ...(mode === 'bot' && bot !== undefined && bot.tradingPairs.length > 1 ? {} : { symbol }),
    timeframe: isTimeframe ? timeframe : parameters.timeframe,
    limit,
    ...(isWhole && { from: tested.fromMs }),
    to: tested.toMs - 1,
    ...costsOf(parameters, posterOf({ bot, timeframe, mode })),
  }
}

type ParameterField = keyof Parameters | 'range'
type FieldErrors = Partial<Record<ParameterField, string>>

/** The fields of what has another name in the request. */
export const PLACES: Readonly<Record<string, ParameterField>> = {
  mlModelVersion: 'version',
  maxDrawdown: 'maxDrawdownPct',
  feeRate: 'feePct',
  makerFeeRate: 'makerPct',
  postOnly: 'makerPct',
  from: 'range',
  to: 'range',
}

/** What is wrong beside what the contract says, or in other units. */
export function wrongChoices({ parameters, bot, model, timeframe, isTimeframe, tested, nowMs }: Settled): FieldErrors {
  const wrong: FieldErrors = wrongCosts(parameters)
  const { mode, botId, version, symbol } = parameters
  if (mode === 'bot' && botId !== null && bot === undefined) wrong.botId = BOT_NOT_FOUND
  if (mode === 'model') {
    if (version === null) wrong.version = NO_MODEL_SELECTED
    if (symbol === null) wrong.symbol = 'Please select a symbol.'
    else if (model !== undefined && isTimeframe && !isTrainedOn(model, symbol, timeframe))
      wrong.symbol = `${model.version} is not trained on ${symbol} ${timeframe}. Train it on that series first, or choose one that is.`
  }
  if (tested.fromMs >= tested.toMs) wrong.range = 'To must be later than From.'
  else if (utcDayStart(tested.toMs - 1) > nowMs) wrong.range = `The market has come to ${formatDate(nowMs)}.`
  return wrong
}

const DAY_MS = 86_400_000
const Candles = BacktestRequest.shape.limit

/**
 * The range that stands in the fields: dates that were chosen, else the default; where no beginning was chosen and the
 * number of candles was typed, it begins so many before its end. A number that cannot be tested moves nothing.
 */
export function effectiveRange(
  chosen: Pick<Parameters, 'fromMs' | 'toMs' | 'limit'>,
  byDefault: TimeRange,
  timeframe: Timeframe,
): TimeRange {
  const toMs = chosen.toMs ?? byDefault.toMs
  if (chosen.fromMs === null && typeof chosen.limit === 'number' && Candles.safeParse(chosen.limit).success)
    return { fromMs: Math.max(0, toMs - chosen.limit * TIMEFRAME_MS[timeframe]), toMs }
  const fromMs = chosen.toMs === null ? byDefault.fromMs : chosen.toMs - DEFAULT_DAYS * DAY_MS
  return { fromMs: chosen.fromMs ?? fromMs, toMs }
}

/** What is stored of a series, in a line below the dates; null where the market needs no hint. `outside`: nothing of the range. */
export function rangeHint(
  range: TimeRange,
  series: Series | undefined,
  kind: Health['market'],
  symbol: string,
  timeframe: string,
) {
  if (series === undefined)
    return kind === 'replay'
      ? { text: `No ${symbol} ${timeframe} candles are stored. Import them on the Lern page.`, outside: true }
      : null
  const stored = formatDateRange(series.first, series.last)
  if (range.toMs <= series.first || range.fromMs > series.last)
    return { text: `No candles in this range. Stored: ${stored}.`, outside: kind !== 'live' }
  return { text: `Stored: ${stored}`, outside: false }
}

/** Whether a version has an artifact that can predict a series. */
export const isTrainedOn = (model: Model, symbol: string, timeframe: Timeframe): boolean =>
  model.artifacts.some((artifact) => artifact.symbol === symbol && artifact.timeframe === timeframe)

/**
 * The first candle that none of the versions has seen in training or validation, ms; null where that is not known for one
 * of them, or nothing was trained on the series.
 */
export function unseenFromMs(
  models: readonly Model[] | undefined,
  versions: readonly string[],
  symbol: string | undefined,
  timeframe: Timeframe,
): number | null {
  let from: number | null = null
  for (const version of versions) {
    const artifacts = (models?.find((model) => model.version === version)?.artifacts ?? []).filter(
      (artifact) => artifact.symbol === symbol && artifact.timeframe === timeframe,
    )
    if (artifacts.length === 0) return null
    // The candle where a hold-out begins is the outcome of the forecast before it. What an upload has seen is known from
    // its author at most: any candle up to there may be of it.
    for (const { holdoutFrom } of artifacts) from = Math.max(from ?? 0, holdoutFrom + TIMEFRAME_MS[timeframe])
  }
  return from
}

/** The unseen part of a range, which ends where the range ends; null where the range has none, or where nothing is known of it. */
export function unseenPart(range: TimeRange, fromMs: number | null, timeframe: Timeframe) {
  if (fromMs === null || fromMs >= range.toMs) return null
  const part = { fromMs: Math.max(range.fromMs, fromMs), toMs: range.toMs }
  return { range: part, candles: Math.ceil((part.toMs - part.fromMs) / TIMEFRAME_MS[timeframe]) }
}
