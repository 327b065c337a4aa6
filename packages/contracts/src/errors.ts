import { z } from 'zod'

/** Every code that a service answers with, and its HTTP status. The text beside a code is for people. */
export const ERROR_STATUS = {
  bad_input: 400,
  unauthorized: 401,
  invalid_credentials: 401,
  forbidden: 403,
  account_disabled: 403,
  registration_code: 403,
  registration_closed: 403,
  second_factor_required: 403,
  second_factor_missing: 403,
  confirmation_required: 403,
  wrong_code: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  email_taken: 409,
  username_taken: 409,
  job_not_running: 409,
  voting_closed: 409,
  last_admin: 409,
  model_in_use: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  range_not_satisfiable: 416,
  unknown_host: 421,
  unprocessable: 422,
  no_candles: 422,
  too_few_candles: 422,
  model_not_trained: 422,
  needs_model: 422,
  simulated_market: 422,
  unknown_symbol: 422,
  insufficient_funds: 422,
  over_limit: 422,
  order_rejected: 422,
  venue_auth_failed: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  database_busy: 503,
  database_read_only: 503,
  venue_unreachable: 503,
  venue_rate_limited: 503,
  order_ambiguous: 503,
  disk_full: 507,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS
const codes = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]
export const ErrorCode = z.enum(codes)

export const ErrorReply = z.object({
  error: z.string().meta({ description: 'A sentence for people: what is wrong and what to do.' }),
  code: ErrorCode,
  field: z.string().optional().meta({ description: 'The field of the request that is wrong, where one is.' }),
  data: z
    .unknown()
    .optional()
    .meta({ description: 'What can be said all the same: of GET /health, what it says of itself.' }),
})
export type ErrorReply = z.infer<typeof ErrorReply>

/** An expected failure. One handler maps it to its status and to `{ error, code }`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  /** For `too_many_requests` and `venue_rate_limited`: how long to wait, in seconds. */
  readonly retryAfterS: number | undefined
  /** What can be said all the same; sent along. */
  readonly data: unknown

  constructor(
    code: ErrorCode,
    message: string,
    details: { field?: string; retryAfterS?: number; data?: unknown; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause })
    this.name = 'AppError'
    this.code = code
    this.field = details.field
    this.retryAfterS = details.retryAfterS
    this.data = details.data
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

/** For `catch`: gives `value` where the error has one of these codes, and throws any other on. */
export const orElse =
  <T>(value: T, ...codes: readonly ErrorCode[]) =>
  (error: unknown): T => {
    if (error instanceof AppError && codes.includes(error.code)) return value
    throw error
  }
