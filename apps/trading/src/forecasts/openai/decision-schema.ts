import { Signal } from '@shapecast/contracts/ml'
import { z } from 'zod'

/** All that a language model may say: no size, no order, no other field. */
export const ModelDecision = z.strictObject({
  signal: Signal,
  /** 0–1. */
  confidence: z.number().min(0).max(1),
  /** Quote per base; null for none. */
  stopLoss: z.number().positive().nullable(),
  reasoning: z.string().max(10_000),
})
export type ModelDecision = z.infer<typeof ModelDecision>

/** The same for servers that hold a model to a schema. Bounds are left out: not every server knows them. */
export const MODEL_DECISION_FORMAT = {
  type: 'json_schema',
  json_schema: {
    name: 'decision',
    strict: true,
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['signal', 'confidence', 'stopLoss', 'reasoning'],
      properties: {
        signal: { type: 'string', enum: [...Signal.options] },
        confidence: { type: 'number', description: 'From 0 to 1.' },
        stopLoss: { type: ['number', 'null'], description: 'Price at which the call is given up; null for none.' },
        reasoning: { type: 'string', description: 'One or two sentences.' },
      },
    },
  },
} as const

/** A completion as far as we look at it. */
export const Completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: z.number().int().min(0).max(100_000_000),
      completion_tokens: z.number().int().min(0).max(100_000_000),
    })
    .nullish()
    .catch(null),
})
