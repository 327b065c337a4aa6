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
