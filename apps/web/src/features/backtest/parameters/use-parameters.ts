import type { BacktestRun } from '@shapecast/contracts/backtest'
import { bots } from '@shapecast/contracts/bots'
import { markets, seriesList } from '@shapecast/contracts/market'
import { models } from '@shapecast/contracts/ml'
import { Timeframe } from '@shapecast/contracts/timeframes'
import { useCallback, useMemo, useReducer } from 'react'
import { versionsOf } from '#entities/bots/bot-words.ts'
import { defaultRange, seriesFor } from '#entities/markets/market-range.ts'
import { selectableSymbols } from '#entities/markets/selectable-symbols.ts'
import { isTold } from '#wire/calls/is-told.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { useDraft, useKeepDraft } from '#wire/session/kept-draft.ts'
import { type Checked, checkParameters } from './check-parameters.ts'
import { effectiveRange, rangeHint } from './date-range.ts'
import { parametersOfRun } from './of-run.ts'
import { changeParameters, INITIAL_PARAMETERS, type Parameters } from './parameters.ts'
import { unseenFromMs, unseenPart } from './unseen-range.ts'

interface Choice {
  readonly chosen: Parameters
  readonly isModeChosen: boolean
  /** The run that is open, whose parameters were put in the fields. */
  readonly runId: string | null
}
type ChoiceAction = { readonly change: Partial<Parameters> } | { readonly run: BacktestRun | null } | 'reset'

const INITIAL_CHOICE: Choice = { chosen: INITIAL_PARAMETERS, isModeChosen: false, runId: null }

function choose(before: Choice, action: ChoiceAction): Choice {
  if (action === 'reset') return INITIAL_CHOICE
  if ('change' in action)
    return {
      ...before,
      chosen: changeParameters(before.chosen, action.change),
      isModeChosen: before.isModeChosen || 'mode' in action.change,
    }
  // What was typed over its parameters stays while it is open.
  if ((action.run?._id ?? null) === before.runId) return before
  if (action.run === null) return { ...before, runId: null }
  return { chosen: parametersOfRun(action.run), isModeChosen: true, runId: action.run._id }
}

const FALLBACK_TIMEFRAME = '1h'
const MAX_SYMBOLS = 50

/** What can be chosen, what is chosen, and whether it can be run. Where there is one choice only, it is made. */
export function useParameters() {
  const draft = useDraft<Choice>('backtest')
  const [choice, dispatch] = useReducer(choose, { ...INITIAL_CHOICE, ...draft })
  const { chosen, isModeChosen } = choice
  useKeepDraft('backtest', chosen === INITIAL_PARAMETERS ? null : choice)
  const health = useHealth()
  const botList = useEndpointQuery(bots, {})
  const modelList = useEndpointQuery(models, {})
  const marketList = useEndpointQuery(markets, {}, { staleTime: 5 * 60_000 })
  const seriesReply = useEndpointQuery(seriesList, {}, { staleTime: 30_000 })

  const symbols = useMemo(() => selectableSymbols(marketList.data ?? [], MAX_SYMBOLS), [marketList.data])
  const onlyBot = botList.data?.length === 1 ? botList.data[0] : undefined
  const parameters: Parameters = {
    ...chosen,
    // Without a bot there is nothing to choose in the other mode.
    mode: !isModeChosen && botList.data?.length === 0 ? 'model' : chosen.mode,
    botId: chosen.botId ?? onlyBot?.id ?? null,
    version: chosen.version ?? modelList.data?.current ?? null,
    symbol: chosen.symbol ?? (symbols.includes('BTCUSDT') ? 'BTCUSDT' : (symbols[0] ?? null)),
  }
  const bot = botList.data?.find((candidate) => candidate.id === parameters.botId)
  const symbol = parameters.mode === 'bot' ? bot?.tradingPairs[0] : (parameters.symbol ?? undefined)
  const known = Timeframe.safeParse(parameters.timeframe.trim())
  const timeframe = known.success ? known.data : FALLBACK_TIMEFRAME
  const series = seriesFor(seriesReply.data ?? [], symbol, timeframe)
  const kind = health.data?.market ?? 'live'
  const clockMs = health.data?.marketTime ?? null
  // Without the market's clock, the browser's own to the minute, so that a render does not move the range.
  const nowMs = clockMs ?? Math.floor(Date.now() / 60_000) * 60_000
  const byDefault = defaultRange({ kind, nowMs }, timeframe, series)
  const range = effectiveRange(parameters, byDefault, timeframe)
  const versions = parameters.mode === 'model' ? [parameters.version ?? ''] : bot === undefined ? [] : versionsOf(bot)
  const unseenFrom = unseenFromMs(modelList.data?.models, versions, symbol, timeframe)
  const unseen = unseenPart(range, unseenFrom, timeframe)
  const check = (part: Partial<Parameters>) => {
    const wanted = { ...parameters, ...part }
    const isCut = wanted.unseenOnly && unseen !== null && unseen.range.fromMs > range.fromMs
    return checkParameters(wanted, isCut ? unseen.range : range, botList.data, modelList.data?.models, nowMs)
  }
  const checked = check({})
  const change = useCallback((part: Partial<Parameters>) => dispatch({ change: part }), [])
  const fillFrom = useCallback((run: BacktestRun | null) => dispatch({ run }), [])
  const reset = useCallback(() => dispatch('reset'), [])
  const followMarket = useCallback(() => change({ fromMs: null, toMs: null }), [change])
  return {
    /** Whether the form can be drawn as it will stay: what it begins with is known, or could not be learnt so far. */
    isKnown: [health, botList, modelList, seriesReply].every(isTold),
    parameters,
    change,
    /** Puts the parameters of a run in all fields when it is opened; null once it is closed. */
    fillFrom,
    /** Back to what the page begins with. */
    reset,
    range,
    unseen,
    unseenFrom,
    timeframe,
    nowMs,
    bot,
    symbol,
    symbols,
    series,
    followMarket,
    hint:
      symbol === undefined || seriesReply.data === undefined || !known.success
        ? null
        : rangeHint(range, series, kind, symbol, timeframe),
    checked,
    /** As `checked`, with another size, or with or without what the model has seen. */
    check: check as (part: Partial<Pick<Parameters, 'positionSize' | 'unseenOnly'>>) => Checked,
    botList,
    modelList,
    marketList,
  }
}

export type ParametersControl = ReturnType<typeof useParameters>
