import { decisionOfSignal } from '@shapecast/engine/decisions'
import { asksModels, decide, decideColumns, type Plan } from '@shapecast/engine/policies/plan'
import type { Asked, DecidedClose, Decider } from './decider.ts'

/** The versions that a plan names; null for the current one. */
export const askedVersions = ({ versions }: Plan): readonly (string | null)[] =>
  versions.length === 0 ? [null] : versions

/** Follows what is said; `followed` names that rule where one alone speaks. */
export const followSignal =
  (followed: 'signal' | 'openai') =>
  ({ forecasts, plan }: Pick<DecidedClose, 'forecasts' | 'plan'>): Asked => {
    const { signal, rule } = decide(forecasts, plan)
    return {
      rule: rule === 'no_edge' ? 'below_cost' : (rule ?? followed),
      signal,
      pending: decisionOfSignal(signal),
      target: null,
    }
  }

/** One model, or an ensemble. */
export const model: Decider = {
  name: 'models',
  takesModels: true,
  pace: 'quick',
  requireReady: () => undefined,
  versions: (plan) => (asksModels(plan) ? askedVersions(plan) : []),
  history: () => 0,
  isDue: () => true,
  decide: followSignal('signal'),
  columns: ({ forecasts, plan }) => decideColumns(forecasts, plan),
}
