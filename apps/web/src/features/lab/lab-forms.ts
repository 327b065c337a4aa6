import { inputDemand } from '@shapecast/contracts/input-complaint'
import { withoutNumbers } from '@shapecast/engine/rules/rule-numbers'
import type { z } from 'zod'
import type { RuleDraft } from '#entities/bots/rule-draft.ts'

/** What the contract finds wrong with the body of a form, by field; `places` are the fields of what has another name there. */
export function wrongFields(
  schema: z.ZodType,
  body: unknown,
  form: object,
  places: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const wrong: Record<string, string> = {}
  for (const { path, message } of schema.safeParse(body, { error: inputDemand }).error?.issues ?? []) {
    const part = path.map(String).find((one) => one in places || one in form)
    if (part !== undefined) wrong[places[part] ?? part] ??= part === 'feeRate' ? 'Must be from 0 to 10' : message
  }
  return wrong
}

/** A fee stands in a form in percent. */
export const FEE_PLACE = { feeRate: 'feePct' }

export type OfRule = Pick<RuleDraft, 'rule' | 'ruleOrigin'>

/** Other numbers are what is searched or walked; another rule is not the stored one. */
export const withRule = ({ rule: before, ruleOrigin }: OfRule, rule: string): OfRule => ({
  rule,
  ruleOrigin: withoutNumbers(before) === withoutNumbers(rule) ? ruleOrigin : undefined,
})
