import type { Strategy } from '@shapecast/contracts/bots'
import type { Plan } from '@shapecast/engine/policies/plan'
import type { DecidedBot, Decider } from './decider.ts'
import { model } from './model.ts'
import { openai } from './openai.ts'
import { policy } from './policy.ts'
import { rule } from './rule.ts'

export const DECIDERS: Readonly<Record<Strategy, Decider>> = { ml: model, openai }

/** What decides for a bot. */
export function deciderOf({ strategy }: Pick<DecidedBot, 'strategy'>, plan: Plan): Decider {
  if (plan.rule !== undefined) return rule
  return plan.targets === undefined ? DECIDERS[strategy] : policy
}

/** The strategies whose deciders are so. */
export const strategiesOf = (are: (decider: Decider) => boolean): Strategy[] =>
  (Object.keys(DECIDERS) as Strategy[]).filter((strategy) => are(DECIDERS[strategy]))
