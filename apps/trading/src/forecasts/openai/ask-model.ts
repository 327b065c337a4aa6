import { AppError } from '@shapecast/contracts/errors'
import { Completion, MODEL_DECISION_FORMAT, ModelDecision } from './decision-schema.ts'

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
