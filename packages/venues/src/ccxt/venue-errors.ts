import { AppError, type ErrorCode } from '@shapecast/contracts/errors'
import { classNames } from './calls/class-names.ts'

/** What is being done: a question can be asked again at will, an order cannot. */
export type Doing = 'reading' | 'ordering'

/**
 * What each of ccxt's error classes means here, for a question and for an order. A class that is not listed means what
 * its parent means. An order is refused only where the venue says so; anything that leaves open whether it was taken is
 * `order_ambiguous`.
 */
export const CODES_OF_CLASSES: Readonly<Record<string, { reading: ErrorCode; ordering: ErrorCode }>> = {
  BaseError: { reading: 'venue_unreachable', ordering: 'order_ambiguous' },

  ExchangeError: { reading: 'unprocessable', ordering: 'order_rejected' },
  RestrictedLocation: { reading: 'venue_unreachable', ordering: 'order_rejected' },
  AuthenticationError: { reading: 'venue_auth_failed', ordering: 'venue_auth_failed' },
  BadSymbol: { reading: 'unknown_symbol', ordering: 'unknown_symbol' },
  InsufficientFunds: { reading: 'insufficient_funds', ordering: 'insufficient_funds' },
  InvalidOrder: { reading: 'order_rejected', ordering: 'order_rejected' },
  OrderNotFound: { reading: 'not_found', ordering: 'not_found' },
  OrderNotCached: { reading: 'not_found', ordering: 'not_found' },
  InvalidProxySettings: { reading: 'venue_unreachable', ordering: 'venue_unreachable' },
  ExchangeClosedByUser: { reading: 'venue_unreachable', ordering: 'order_ambiguous' },

  OperationFailed: { reading: 'venue_unreachable', ordering: 'order_ambiguous' },
  DDoSProtection: { reading: 'venue_rate_limited', ordering: 'venue_rate_limited' },
  RateLimitExceeded: { reading: 'venue_rate_limited', ordering: 'venue_rate_limited' },
  // The venue refuses what is signed at another time than its own: nothing was done.
  InvalidNonce: { reading: 'venue_auth_failed', ordering: 'venue_auth_failed' },
  ChecksumError: { reading: 'venue_unreachable', ordering: 'order_ambiguous' },
}

/** Failures of a connection that was never made: nothing was sent. One that stood may end with the same codes. */
const NEVER_SENT = /\b(?:connect|getaddrinfo) E[A-Z_]+|Connect Timeout Error/

const NO_HINT_RETRY_S = 10

/**
 * An error of an exchange as ours. What is no error of a venue comes back as it is. `doubtful`: refusals of this venue,
 * in its words, after which an order may have been taken all the same.
 */
export function venueErrorOf(
  error: unknown,
  venue: string,
  doing: Doing,
  facts: ReplyFacts | undefined,
  doubtful?: RegExp,
): unknown {
  if (error instanceof AppError) return error
  const inDoubt = doing === 'ordering' && error instanceof Error && doubtful?.test(error.message) === true
  const named = inDoubt ? 'order_ambiguous' : codeOf(error, doing, facts)
  if (named === null) return error
  // ccxt takes a key of Binance's that is refused after it has worked for a ban by weight.
  const code = named === 'venue_rate_limited' && facts?.status === 401 ? 'venue_auth_failed' : named
  const details = { cause: error }
  switch (code) {
    case 'venue_rate_limited': {
      const retryAfterS = facts?.retryAfterS ?? NO_HINT_RETRY_S
      const text = `${venue} takes no requests for ${Math.ceil(retryAfterS)} s: too many were sent.`
      return new AppError(code, text, { ...details, retryAfterS })
    }
    case 'venue_unreachable':
      return new AppError(code, `${venue} does not answer. Try again in a moment.`, details)
    case 'order_ambiguous':
      return new AppError(code, `${venue} did not say what became of the order. It has to be looked up.`, details)
    case 'unknown_symbol':
      return new AppError(code, `${venue} has no such market.`, details)
    case 'venue_auth_failed':
      return new AppError(code, `${venue} refuses the key, its rights or the time: ${said(error)}`, details)
    case 'insufficient_funds':
      return new AppError(code, `The account at ${venue} has not enough for this.`, details)
    case 'not_found':
      return new AppError(code, `${venue} knows no such order.`, details)
    default:
      return new AppError(code, `${venue} refuses: ${said(error)}`, details)
  }
}

function codeOf(error: unknown, doing: Doing, facts: ReplyFacts | undefined): ErrorCode | null {
  const names = classNames(error)
  // Whatever such a reply says: it is no word of the matching engine, and the order may have been taken.
  if (doing === 'ordering' && facts !== undefined && facts.status >= 500) return 'order_ambiguous'
  if (doing === 'ordering' && names.includes('NetworkError') && NEVER_SENT.test((error as Error).message))
    return 'venue_unreachable'
  for (const name of names) {
    const codes = CODES_OF_CLASSES[name]
    if (codes !== undefined) return codes[doing]
  }
  // An error of the transport that ccxt passes on as it is; in an order, whatever it is, it may have been sent.
  if (doing === 'ordering') return 'order_ambiguous'
  return typeof (error as { code?: unknown } | null)?.code === 'string' ? 'venue_unreachable' : null
}

/**
 * Takes the queries out of all addresses that an error and its causes name, in place: those of signed requests hold the
 * signature and what was asked of the account.
 */
export function hideQueries(error: unknown): void {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { message, stack } = at
    if (!QUERY.test(message) && !QUERY.test(stack ?? '')) continue
    at.message = message.replaceAll(new RegExp(QUERY, 'g'), '$1?…')
    if (stack !== undefined) at.stack = stack.replaceAll(new RegExp(QUERY, 'g'), '$1?…')
  }
}
const QUERY = /(\b(?:https?|wss?):\/\/[^\s?"']+)\?[^\s"']+/

const said = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

/** What the HTTP reply behind an error said in addition to its body. */
interface ReplyFacts {
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
