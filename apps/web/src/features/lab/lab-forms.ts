import { withoutNumbers } from '@shapecast/engine/rules/rule-numbers'
import type { z } from 'zod'
import type { RuleDraft } from '#entities/bots/rule-draft.ts'

/**
 * What the contract finds wrong with a body, by the first word of its path that is in `said`: in those words, or in the
 * contract's own where they are null. `places` are the fields of what has another name in the body.
 */
export function wrongFields<Field extends string>(
  schema: z.ZodType,
  body: unknown,
  said: Readonly<Record<Field, string | null>>,
  places: Readonly<Record<string, NoInfer<Field>>> = {},
): Partial<Record<Field, string>> {
  const wrong: Partial<Record<Field, string>> = {}
  for (const { path, message } of schema.safeParse(body).error?.issues ?? []) {
    const field = path.map((part) => places[String(part)] ?? String(part)).find((part): part is Field => part in said)
    if (field !== undefined) wrong[field] ??= said[field] ?? message
  }
  return wrong
}

export type OfRule = Pick<RuleDraft, 'rule' | 'ruleOrigin'>

/** Other numbers are what is searched or walked; another rule is not the stored one. */
export const withRule = ({ rule: before, ruleOrigin }: OfRule, rule: string): OfRule => ({
  rule,
  ruleOrigin: withoutNumbers(before) === withoutNumbers(rule) ? ruleOrigin : undefined,
})
