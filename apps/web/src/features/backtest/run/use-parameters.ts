import type { BacktestRun } from '@shapecast/contracts/backtest'
import { BacktestRequest } from '@shapecast/contracts/backtest-request'
import { type Bot, bots, STRATEGY_LABEL } from '@shapecast/contracts/bots'
import { type Market, seriesList } from '@shapecast/contracts/market'
import { type Model, models } from '@shapecast/contracts/ml'
import { useEffect, useMemo } from 'react'
import { useLocation } from 'react-router'
import { type Basket, basketIn } from '#entities/bots/basket.ts'
import { selectableSymbols, useMarkets } from '#entities/markets/use-market-of.ts'
import { formatShareRatioShort } from '#kit/format/percent.ts'
import { useContractForm } from '#wire/calls/use-contract-form.ts'
import { isSettled, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { useDraft, useKeepDraft } from '#wire/session/kept-draft.ts'
import { type Choices, PLACES, requestOf, settle, wrongChoices } from './backtest-request.ts'
import { changeParameters, INITIAL_PARAMETERS, type Parameters, parametersOfRun } from './parameters.ts'

/** The parameters of a test, with the limits of the contract and of what there is to choose from. */
export function useParameters(choices: Choices) {
  const given = basketIn(useLocation().state)
  const form = useContractForm(BacktestRequest, {
    start: given?.version === undefined ? INITIAL_PARAMETERS : modelTest(given.version, given),
    draft: useDraft<Parameters>('backtest'),
    follow: changeParameters,
    toBody: (chosen) => requestOf(settle(chosen, choices)),
    check: (chosen) => wrongChoices(settle(chosen, choices)),
    places: PLACES,
    valueIn: (chosen, field) => (field === 'range' ? [chosen.fromMs, chosen.toMs] : chosen[field]),
  })
  useKeepDraft('backtest', form.isDirty ? form.values : null)
  return form
}
const modelTest = (version: string, { tradingPairs, timeframe }: Basket): Parameters => ({
  ...INITIAL_PARAMETERS,
  mode: 'model',
  version,
  symbol: tradingPairs[0] ?? null,
  timeframe,
})
type ParametersForm = ReturnType<typeof useParameters>

/**
 * Puts the parameters of a run that is opened in the fields, so that it can be run again; null is no run. Where it opens by
 * itself, at the end of its job, what was typed meanwhile stays.
 */
export function useParametersOfRun(
  form: ParametersForm,
  opened: BacktestRun | null | undefined,
  jobsRunId?: string | null,
) {
  const { runId, state } = form.values
  useEffect(() => {
    if (opened === undefined || (opened?._id ?? null) === runId) return
    if (opened === null) form.change({ runId: null, state })
    else if (opened._id === jobsRunId && state === 'typed') form.change({ runId: opened._id })
    else form.reset(parametersOfRun(opened))
  })
}

const MAX_SYMBOLS = 50

/** What can be tested on which candles, as far as it is known. */
export function useChoices() {
  const health = useHealth()
  const botList = useEndpointQuery(bots, {})
  const modelList = useEndpointQuery(models, {})
  const marketList = useMarkets().data
  const series = useEndpointQuery(seriesList, {}, { staleTime: 30_000 })
  const choices: Choices = {
    bots: botList.data,
    models: modelList.data?.models,
    current: modelList.data?.current ?? null,
    symbols: useMemo(() => selectableSymbols(marketList ?? [], MAX_SYMBOLS), [marketList]),
    series: series.data,
    kind: health.data?.market ?? 'live',
    // Without the market's clock, the browser's own to the minute, so that a render does not move the range.
    nowMs: health.data?.marketTime ?? Math.floor(Date.now() / 60_000) * 60_000,
  }
  return {
    ...choices,
    botList,
    modelList,
    /** Whether the form can be drawn as it will stay: what it begins with is known, or could not be learnt so far. */
    isKnown: [health, botList, modelList, series].every(isSettled),
  }
}

type KnownChoices = ReturnType<typeof useChoices>

const FAILED = { bot: 'The bots could not be loaded.', model: 'The models could not be loaded.' } as const
const NONE = {
  bot: 'There is no bot yet. Create one on the Bots page.',
  model: 'There is no model yet. Train one on the Lern page.',
} as const

/** Why there is nothing to test; undefined where there is, or where that is not known yet. */
export function whyNothing(mode: 'bot' | 'model', choices: KnownChoices): string | undefined {
  const [reply, all] = mode === 'bot' ? [choices.botList, choices.bots] : ([choices.modelList, choices.models] as const)
  if (all === undefined) return reply.isError ? FAILED[mode] : undefined
  return all.length === 0 ? NONE[mode] : undefined
}

/** `Northwind BTC · ML · BTCUSDT` */
export const botLabel = (bot: Bot): string =>
  [bot.name, STRATEGY_LABEL[bot.strategy], bot.tradingPairs[0]].filter((part) => part !== undefined).join(' · ')

/** `v3.2 · production · acc 57%`; a stage or accuracy that is not known is said so. */
export function modelLabel(model: {
  version: string
  stage?: string
  stats: Pick<Model['stats'], 'accuracy'>
}): string {
  const accuracy = model.stats.accuracy
  const acc = accuracy === null ? 'not trained' : `acc ${formatShareRatioShort(accuracy)}`
  return `${model.version} · ${model.stage ?? 'none'} · ${acc}`
}

/** Base and quote of a symbol whose market is not known: `BTC` and `USDT` of `BTCUSDT`. */
export function assetsOf(symbol: string, market: Market | undefined): { base: string; quote: string } {
  if (market !== undefined) return { base: market.base, quote: market.quote }
  const quote = ['USDT', 'USDC', 'BUSD', 'EUR', 'USD', 'BTC', 'ETH'].find((q) => symbol.endsWith(q) && symbol !== q)
  return quote === undefined ? { base: symbol, quote: '' } : { base: symbol.slice(0, -quote.length), quote }
}
