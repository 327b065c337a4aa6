import { BacktestRequest, type BacktestRun } from '@shapecast/contracts/backtest'
import { bots } from '@shapecast/contracts/bots'
import { markets, seriesList } from '@shapecast/contracts/market'
import { models } from '@shapecast/contracts/ml'
import { useEffect, useMemo } from 'react'
import { selectableSymbols } from '#entities/markets/selectable-symbols.ts'
import { isSettled } from '#wire/calls/read-state.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { useContractForm } from '#wire/form/use-contract-form.ts'
import { useDraft, useKeepDraft } from '#wire/session/kept-draft.ts'
import { type Choices, PLACES, requestOf, settle, wrongChoices } from './backtest-request.ts'
import { rangeHint } from './date-range.ts'
import { changeParameters, INITIAL_PARAMETERS, type Parameters, parametersOfRun } from './parameters.ts'

const MAX_SYMBOLS = 50

/** What can be chosen, what is chosen, and whether it can be run. `opened` puts its own parameters in the fields; null is no run. */
export function useParameters(opened: BacktestRun | null | undefined) {
  const health = useHealth()
  const botList = useEndpointQuery(bots, {})
  const modelList = useEndpointQuery(models, {})
  const marketList = useEndpointQuery(markets, {}, { staleTime: 5 * 60_000 })
  const seriesReply = useEndpointQuery(seriesList, {}, { staleTime: 30_000 })
  const symbols = useMemo(() => selectableSymbols(marketList.data ?? [], MAX_SYMBOLS), [marketList.data])
  const choices: Choices = {
    bots: botList.data,
    models: modelList.data?.models,
    current: modelList.data?.current ?? null,
    symbols,
    series: seriesReply.data ?? [],
    kind: health.data?.market ?? 'live',
    // Without the market's clock, the browser's own to the minute, so that a render does not move the range.
    nowMs: health.data?.marketTime ?? Math.floor(Date.now() / 60_000) * 60_000,
  }
  const form = useContractForm(BacktestRequest, {
    start: INITIAL_PARAMETERS,
    draft: useDraft<Parameters>('backtest'),
    follow: changeParameters,
    toBody: (chosen) => requestOf(settle(chosen, choices)),
    check: (chosen) => wrongChoices(settle(chosen, choices)),
    places: PLACES,
    valueIn: (chosen, field) => (field === 'range' ? [chosen.fromMs, chosen.toMs] : chosen[field]),
  })
  useKeepDraft('backtest', form.isDirty ? form.values : null)
  useEffect(() => {
    // What was typed over its parameters stays while it is open.
    if (opened === undefined || (opened?._id ?? null) === form.values.runId) return
    if (opened === null) form.change({ runId: null })
    else form.reset(parametersOfRun(opened))
  })
  const settled = settle(form.values, choices)
  const { range, symbol, timeframe } = settled
  return {
    ...settled,
    form,
    change: form.change,
    /** Whether the form can be drawn as it will stay: what it begins with is known, or could not be learnt so far. */
    isKnown: [health, botList, modelList, seriesReply].every(isSettled),
    symbols,
    hint:
      symbol === undefined || seriesReply.data === undefined || !settled.isTimeframe
        ? null
        : rangeHint(range, settled.stored, choices.kind, symbol, timeframe),
    botList,
    modelList,
    marketList,
  }
}

export type ParametersControl = ReturnType<typeof useParameters>
