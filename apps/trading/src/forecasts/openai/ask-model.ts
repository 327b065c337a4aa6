import { AppError } from '@shapecast/contracts/errors'
import { Signal } from '@shapecast/contracts/ml'
import { z } from 'zod'

/** All that a language model may say: no size, no order, no other field. */
const ModelDecision = z.strictObject({
  signal: Signal,
  /** 0–1. */
  confidence: z.number().min(0).max(1),
  /** Quote per base; null for none. */
  stopLoss: z.number().positive().nullable(),
  reasoning: z.string().max(10_000),
})
type ModelDecision = z.infer<typeof ModelDecision>

/** The same for servers that hold a model to a schema. Bounds are left out: not every server knows them. */
const MODEL_DECISION_FORMAT = {
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
const Completion = z.object({
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

/** Why there is no decision. `rejected`: the server refused the request, as for a wrong key. */
export type Failure = 'refused' | 'bad_output' | 'timed_out' | 'unreachable' | 'rejected'

export interface Answer {
  readonly decision: ModelDecision | null
  /** Null where the decision is there. */
  readonly failure: Failure | null
  /** HTTP status of a rejection. */
  readonly status: number | null
  /** As the server counts them; 0 where it does not say. */
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface ModelServer {
  readonly apiKey: string
  /** Any server that speaks the chat completions of OpenAI; null: OpenAI itself. */
  readonly baseUrl: string | null
  readonly model: string
  /** One try, ms. */
  readonly tryMs?: number
  /** All tries together, to the last byte, ms. */
  readonly totalMs?: number
  readonly retries?: number
}

export type AskModel = (messages: readonly { role: 'system' | 'user'; content: string }[]) => Promise<Answer>

const MOST_BYTES = 256 * 1024
/** Reasoning models think in these too. */
const MOST_OUTPUT_TOKENS = 4000

/** As fetch, but no redirect takes the key elsewhere, and no reply grows beyond 256 KiB. */
async function boundedFetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const reply = await fetch(url, { ...init, redirect: 'error' })
  if (reply.body === null) return reply
  let bytes = 0
  const bounded = reply.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes > MOST_BYTES) controller.error(new AppError('unprocessable', 'The reply is larger than 256 KiB.'))
        else controller.enqueue(chunk)
      },
    }),
  )
  return new Response(bounded, { status: reply.status, headers: reply.headers })
}

const nothing = (failure: Failure, status: number | null = null): Answer => ({
  decision: null,
  failure,
  status,
  inputTokens: 0,
  outputTokens: 0,
})

/** Asks one server. What comes back is a decision of the closed schema or the reason why there is none; never throws. */
export async function openModel(server: ModelServer): Promise<AskModel> {
  const { tryMs = 20_000, totalMs = 45_000, retries = 2 } = server
  const { default: OpenAI, APIConnectionError, APIConnectionTimeoutError, APIError } = await import('openai')
  const client = new OpenAI({
    apiKey: server.apiKey,
    // Named, so that none of the library's own environment variables changes where the key goes.
    baseURL: server.baseUrl ?? 'https://api.openai.com/v1',
    organization: null,
    project: null,
    timeout: tryMs,
    maxRetries: retries,
    logLevel: 'off',
    fetch: boundedFetch,
  })
  return async (messages) => {
    const signal = AbortSignal.timeout(totalMs)
    try {
      const reply: unknown = await client.chat.completions.create(
        {
          model: server.model,
          messages: [...messages],
          response_format: MODEL_DECISION_FORMAT,
          max_completion_tokens: MOST_OUTPUT_TOKENS,
        },
        { signal },
      )
      return answerOf(reply)
    } catch (error) {
      if (signal.aborted || error instanceof APIConnectionTimeoutError) return nothing('timed_out')
      if (error instanceof APIConnectionError) return nothing('unreachable')
      if (error instanceof APIError) {
        const status: unknown = error.status
        if (typeof status !== 'number') return nothing('bad_output')
        return nothing(status >= 500 || status === 429 ? 'unreachable' : 'rejected', status)
      }
      return nothing('bad_output')
    }
  }
}

function answerOf(reply: unknown): Answer {
  const completion = Completion.safeParse(reply)
  if (!completion.success) return nothing('bad_output')
  const { choices, usage } = completion.data
  const [{ finish_reason, message }] = choices as [(typeof choices)[number]]
  const counted = { inputTokens: usage?.prompt_tokens ?? 0, outputTokens: usage?.completion_tokens ?? 0 }
  const failed = (failure: Failure): Answer => ({ ...nothing(failure), ...counted })
  if ((message.refusal ?? '') !== '' || finish_reason === 'content_filter') return failed('refused')
  if (finish_reason === 'length') return failed('bad_output')
  const decision = ModelDecision.safeParse(jsonOf(message.content ?? ''))
  if (!decision.success) return failed('bad_output')
  return { decision: decision.data, failure: null, status: null, ...counted }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
