/** What the HTTP reply behind an error said in addition to its body. */
export interface ReplyFacts {
  readonly status: number
  readonly retryAfterS: number | undefined
}

interface RestReply {
  readonly status: number
}

interface HandlesReplies {
  /** Named in title case, whatever the transport. */
  getResponseHeaders(response: RestReply): Readonly<Record<string, string>>
  handleRestResponse(response: RestReply, ...rest: unknown[]): Promise<unknown>
}

/**
 * Has an exchange remember status and Retry-After of the reply behind each of its errors: ccxt's errors carry neither,
 * and its "last headers" may be those of another request by the time the error is caught.
 */
export function keepReplyFacts(exchange: object): (error: unknown) => ReplyFacts | undefined {
  const facts = new WeakMap<object, ReplyFacts>()
  const target = exchange as Partial<HandlesReplies>
  const handle = target.handleRestResponse?.bind(exchange)
  const headersOf = target.getResponseHeaders?.bind(exchange)
  if (handle !== undefined && headersOf !== undefined)
    target.handleRestResponse = async (response, ...rest) => {
      try {
        return await handle(response, ...rest)
      } catch (error) {
        if (typeof error === 'object' && error !== null)
          facts.set(error, { status: response.status, retryAfterS: secondsOf(headersOf(response)['Retry-After']) })
        throw error
      }
    }
  return (error) => (typeof error === 'object' && error !== null ? facts.get(error) : undefined)
}

/** Retry-After in seconds; it may be a date. */
function secondsOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000)
}
