import type { Model } from '@shapecast/contracts/ml'
import { type BotForm, type FormErrors, formAsksModels } from './bot-form.ts'

/** Pairs of a form that its models are not trained on in this market; none while that is not known. */
export function untrainedPairs(
  form: BotForm,
  models: readonly Model[] | undefined,
  venue: string | undefined,
): string[] {
  if (!formAsksModels(form) || models === undefined || venue === undefined) return []
  const isTrained = (pair: string, isMeant: (model: Model) => boolean) =>
    models.some(
      (model) =>
        isMeant(model) &&
        model.artifacts.some(
          ({ venue: where, symbol, timeframe }) => where === venue && symbol === pair && timeframe === form.timeframe,
        ),
    )
  const versions = form.isEnsemble ? form.versions : form.version === '' ? [] : [form.version]
  return form.tradingPairs.filter((pair) =>
    versions.length === 0
      ? !form.isEnsemble && !isTrained(pair, ({ stage }) => stage === 'production')
      : versions.some((version) => !isTrained(pair, (model) => model.version === version)),
  )
}

export function untrainedError(...of: Parameters<typeof untrainedPairs>): FormErrors {
  const pairs = untrainedPairs(...of)
  if (pairs.length === 0) return {}
  const series = `${pairs.join(' and ')} ${of[0].timeframe}`
  return { tradingPairs: `No model is trained on ${series}. Train one, or choose a policy that asks no model.` }
}
