import { bots } from '@shapecast/contracts/bots'
import { markets, seriesList } from '@shapecast/contracts/market'
import { models } from '@shapecast/contracts/ml'
import { Timeframe } from '@shapecast/contracts/timeframes'
import { useCallback, useMemo, useReducer } from 'react'
import { useEndpointQuery } from '../../../shared/api/use-endpoint.ts'
import { useHealth } from '../../../shared/api/use-health.ts'
import { defaultRange, seriesFor } from '../../../shared/markets/market-range.ts'
import { selectableSymbols } from '../../../shared/markets/selectable-symbols.ts'
import { checkParameters } from './check-parameters.ts'
import { effectiveRange, rangeHint } from './date-range.ts'
import { changeParameters, INITIAL_PARAMETERS, type Parameters } from './parameters.ts'

const FALLBACK_TIMEFRAME = '1h'
const MAX_SYMBOLS = 50

/** What can be chosen, what is chosen, and whether it can be run. Where there is one choice only, it is made. */
export function useParameters() {
  const [chosen, change] = useReducer(changeParameters, INITIAL_PARAMETERS)
  const health = useHealth()
  const botList = useEndpointQuery(bots, {})
  const modelList = useEndpointQuery(models, {})
  const marketList = useEndpointQuery(markets, {}, { staleTime: 5 * 60_000 })
  const seriesReply = useEndpointQuery(seriesList, {}, { staleTime: 30_000 })

  const symbols = useMemo(() => selectableSymbols(marketList.data ?? [], MAX_SYMBOLS), [marketList.data])
  const onlyBot = botList.data?.length === 1 ? botList.data[0] : undefined
  const parameters: Parameters = {
    ...chosen,
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
  const followMarket = useCallback(() => change({ fromMs: null, toMs: null }), [])
  return {
    parameters,
    change,
    range,
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
    checked: checkParameters(parameters, range, botList.data),
    botList,
    modelList,
    marketList,
  }
}

export type ParametersControl = ReturnType<typeof useParameters>
