import type { BacktestRun } from '@shapecast/contracts/backtest'
import { BacktestRequest } from '@shapecast/contracts/backtest-request'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { type Basket, basketIn } from '#entities/bots/basket.ts'
import { useContractForm } from '#wire/calls/use-contract-form.ts'
import { useDraft, useKeepDraft } from '#wire/session/kept-draft.ts'
import { type Choices, PLACES, requestOf, type Settled, settle, wrongChoices } from './backtest-request.ts'
import { changeParameters, INITIAL_PARAMETERS, type Parameters, parametersOfRun } from './parameters.ts'
import type { KnownChoices } from './use-choices.ts'

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
export type ParametersForm = ReturnType<typeof useParameters>

/** What each part of the form is given: what stands in the fields, what follows from it, and what can be chosen. */
export interface PartProps {
  form: ParametersForm
  test: Settled
  choices: KnownChoices
}

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
