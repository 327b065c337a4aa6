import { ApiError, type Call, createClient } from '@shapecast/contracts/client'
import { browserToken, UNAUTHORIZED_EVENT } from '../session/session-token.ts'

/** What public/first-calls.js has asked for, by address, and with which header. */
interface FirstCalls {
  readonly authorization: string
  readonly answers: Map<string, Promise<Response>>
}

declare global {
  interface Window {
    firstCalls?: FirstCalls
  }
}

/**
 * As `fetch`, with the answers to what the page itself has asked for, each once. One that failed, or was asked for by
 * somebody else, is asked for again.
 */
export const fetchOnce: typeof fetch = async (input, init) => {
  const { firstCalls } = window
  const answer = typeof input === 'string' ? firstCalls?.answers.get(input) : undefined
  const isSame = init?.method === 'GET' && new Headers(init.headers).get('authorization') === firstCalls?.authorization
  if (answer !== undefined && isSame) {
    firstCalls?.answers.delete(input as string)
    const early = await answer.catch(() => null)
    init?.signal?.throwIfAborted()
    if (early?.ok) return early
  }
  return window.fetch(input, init)
}

/** What follows a 401 on any call: no token, and everybody who listens is told. */
export function onUnauthorized(): void {
  browserToken.clear()
  window.dispatchEvent(new Event(UNAUTHORIZED_EVENT))
}

const client = createClient({
  origin: '',
  token: browserToken.read,
  onUnauthorized,
  fetch: fetchOnce,
})

/** The one typed caller of both services, on the page's own origin. What takes fresh proof asks for it and goes on. */
export const call: Call = async (endpoint, input) => {
  try {
    return await client.call(endpoint, input)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'confirmation_required') throw error
    if (!(await askForProof())) throw error
    return client.call(endpoint, input)
  }
}

/** The same for files. */
export const { file } = client

/** Asks the person once more who it is; false where they would not say. */
type AskForProof = () => Promise<boolean>

let asker: AskForProof | null = null
let asking: Promise<boolean> | null = null

/** Who draws the question. Returns what takes it away again. */
export function askForProofBy(ask: AskForProof): () => void {
  asker = ask
  return () => {
    if (asker === ask) asker = null
  }
}

/** Asks once, however many calls wait for it. */
async function askForProof(): Promise<boolean> {
  if (asker === null) return false
  asking ??= asker().finally(() => {
    asking = null
  })
  return asking
}
