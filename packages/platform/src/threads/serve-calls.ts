import { type MessagePort, parentPort } from 'node:worker_threads'
import { AppError } from '@shapecast/contracts/errors'

/** Answers to the calls that a thread takes, by name. An input and an output is what the structured clone can carry. */
// biome-ignore lint/suspicious/noExplicitAny: each call has an input of its own, which its caller's type holds it to.
export type Calls = Record<string, (input: any) => unknown>

export interface CallMessage {
  id: number
  name: string
  input: unknown
}

export type AnswerMessage =
  | { id: number; kind: 'done'; output: unknown }
  | { id: number; kind: 'refused'; code: AppError['code']; text: string; details: RefusalDetails }
  | { id: number; kind: 'failed'; error: unknown }

interface RefusalDetails {
  field?: string
  retryAfterS?: number
}

/**
 * Makes this thread answer the calls of its parent, several at a time where they wait for something. What throws
 * throws there: an AppError as one, with its code.
 */
export function serveCalls(calls: Calls, port: MessagePort | null = parentPort): void {
  port?.on('message', async ({ id, name, input }: CallMessage) => {
    const answer = await Promise.resolve()
      .then(() => calls[name]!(input))
      .then(
        (output): AnswerMessage => ({ id, kind: 'done', output }),
        (error: unknown): AnswerMessage => failure(id, error),
      )
    try {
      port.postMessage(answer, answer.kind === 'done' ? ownBuffers(answer.output) : [])
    } catch (error) {
      // Thrown here it would end the thread, and with it the calls of all others.
      port.postMessage(failure(id, new Error(String(answer.kind === 'failed' ? answer.error : error))))
    }
  })
}

function failure(id: number, error: unknown): AnswerMessage {
  if (!(error instanceof AppError)) return { id, kind: 'failed', error }
  const { code, message, field, retryAfterS } = error
  const details = { ...(field !== undefined && { field }), ...(retryAfterS !== undefined && { retryAfterS }) }
  return { id, kind: 'refused', code, text: message, details }
}

/** The memory of the columns in a value, to be handed over instead of copied: of those that fill their buffer. */
export function ownBuffers(value: unknown): ArrayBuffer[] {
  const buffers = columnsIn(value).flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && byteLength === buffer.byteLength ? [buffer] : [],
  )
  return [...new Set(buffers)]
}

function columnsIn(value: unknown): ArrayBufferView[] {
  if (ArrayBuffer.isView(value)) return [value]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.values(value).flatMap(columnsIn)
}
