import { z } from 'zod'
import { RuleText, Visibility } from './bots.ts'
import { tradingEndpoint } from './endpoint.ts'
import { PlainName } from './storable-text.ts'
import { epochMs } from './units.ts'

/** A rule of a user. Saving a changed text makes a new version; the old ones stay as they were. */
export const StoredRule = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  name: z.string(),
  /** Everybody sees a public one; its owner and admins change it. */
  visibility: Visibility,
  /** The newest, from 1 on, and its text. */
  version: z.number().int().positive(),
  text: z.string(),
  createdAt: epochMs(),
  /** When the newest version was saved, ms. */
  savedAt: epochMs(),
})
export type StoredRule = z.infer<typeof StoredRule>

export const RuleVersion = StoredRule.pick({ version: true, text: true, savedAt: true })
export type RuleVersion = z.infer<typeof RuleVersion>

const RuleWithVersions = StoredRule.extend({
  /** All of them, the newest first. */
  versions: z.array(RuleVersion),
})
export type RuleWithVersions = z.infer<typeof RuleWithVersions>

export const RuleNaming = z.object({
  name: PlainName.min(1, 'A name is required').max(60, 'A name has at most 60 characters'),
  visibility: Visibility,
})
export const storedRules = tradingEndpoint('GET /api/rules', {
  publicPath: '/public/rules',
  summary:
    "The caller's rules, then everybody's public ones (an admin sees all), the newest first, each with its newest text.",
  query: z.object({
    /** Part of the name or of the text, in any case. */
    search: z.string().trim().max(100).optional(),
    limit: z.coerce.number().int().min(1).max(500).default(200),
  }),
  reply: z.array(StoredRule),
})

export const storedRule = tradingEndpoint('GET /api/rules/:id', {
  publicPath: '/public/rules/:id',
  summary: 'One rule with all its versions. A private rule of somebody else is not found.',
  reply: RuleWithVersions,
})

const touches = [storedRules, storedRule]

export const createRule = tradingEndpoint('POST /api/rules', {
  summary:
    'Store a rule as its version 1. The text must be a rule that can be read. At most 200 a user, each with a name of its own.',
  touches,
  body: RuleNaming.extend({ text: RuleText, visibility: Visibility.default('private') }),
  reply: RuleWithVersions,
  errors: ['conflict', 'unprocessable'],
})

export const saveRule = tradingEndpoint('POST /api/rules/:id/versions', {
  summary:
    'Save a changed text as the next version. Its owner or an admin. `after` is the newest version that the caller has seen: where another was saved since, this is refused and changes nothing. A text that is the newest already makes no version.',
  touches,
  body: z.object({ text: RuleText, after: z.number().int().positive() }),
  reply: RuleWithVersions,
  errors: ['not_found', 'conflict', 'unprocessable'],
})

export const changeRule = tradingEndpoint('PATCH /api/rules/:id', {
  summary: 'Rename a rule, or share it with everybody or no longer. Its owner or an admin. Makes no version.',
  touches,
  body: RuleNaming.partial()
    .strict()
    .refine((patch) => Object.keys(patch).length > 0, 'Name at least one field to change'),
  reply: RuleWithVersions,
  errors: ['not_found', 'conflict'],
})

export const deleteRule = tradingEndpoint('DELETE /api/rules/:id', {
  summary:
    'Delete a rule with all its versions. Its owner or an admin. Bots and runs keep the text that they have, and name the rule and version that it was.',
  touches: [storedRules],
})
