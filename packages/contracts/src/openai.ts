import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'

/** Calls of a language model that a bot may make a day (UTC) where its parameters name no other number. */
export const OPENAI_CALLS_A_DAY = 100

export const OpenaiUse = z.object({
  /** Whether this installation has a key; without one every decision is HOLD. */
  configured: z.boolean(),
  model: z.string().nullable(),
  callsToday: z.number().int(),
  limitADay: z.number().int(),
  /** Since the bot was created. */
  calls: z.number().int(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** Null where no prices are set (OPENAI_PRICES). */
  costUsd: z.number().nullable(),
})
export type OpenaiUse = z.infer<typeof OpenaiUse>

export const botOpenaiUse = tradingEndpoint('GET /api/bots/:id/openai', {
  summary: "What a bot's calls of the language model came to: how many today, tokens, cost. Its owner or an admin.",
  reply: OpenaiUse,
})
