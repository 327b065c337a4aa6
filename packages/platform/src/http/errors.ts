import { AppError, ERROR_STATUS, type ErrorCode, type ErrorReply } from '@shapecast/contracts/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { outageOf, outageReason } from '../database/unreachable.ts'
import { type Violation, violationOf } from '../database/violations.ts'
import { bringsMuch } from './body-limits.ts'

interface Answer {
  readonly status: number
  readonly body: ErrorReply
  readonly retryAfterS?: number | undefined
  /** Such as the length of a file without the range asked for. */
  readonly headers?: Headers | undefined
}
type Headers = Record<string, string>

const answer = (code: ErrorCode, error: string): Answer => ({ status: ERROR_STATUS[code], body: { error, code } })

/**
 * What a caller is told of any error at all. Only expected failures say their text; the rest shows no insides.
 * `changes`: whether the request asks for a change, which may have been made before the database was lost.
 */
export function answerTo(error: unknown, changes = false): Answer {
  if (error instanceof AppError) {
    const body: ErrorReply = { error: error.message, code: error.code }
    if (error.field !== undefined) body.field = error.field
    if (error.data !== undefined) body.data = error.data
    if (error.status >= 500 && error.code === 'internal') body.error = SORRY
    return { status: error.status, body, retryAfterS: error.retryAfterS }
  }
  const { statusCode, code, headers } = error as { statusCode?: number; code?: string; headers?: Headers }
  if (statusCode === 413) return answer('payload_too_large', 'The request is too large.')
  if (statusCode === 415) return answer('bad_input', 'Send the body as JSON (content-type: application/json).')
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY')
    return answer('bad_input', 'The body is not valid JSON, or it has a key that is not allowed, such as __proto__.')
  if (statusCode === 404) return answer('not_found', 'There is nothing here.')
  if (statusCode === 412) return answer('precondition_failed', 'The file is another one by now. Ask for it again.')
  if (statusCode === 416)
    return {
      ...answer('range_not_satisfiable', 'The file ends before this range begins. Ask for a part within it.'),
      headers,
    }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return answer('bad_input', 'The request cannot be understood.')
  const outage = outageOf(error)
  if (outage !== null) {
    const next = changes ? 'Look whether it was done before you try again.' : 'Try again in a moment.'
    return { ...answer(outage, `${outageReason(outage)} ${next}`), retryAfterS: 2 }
  }
  const violation = violationOf(error)
  return violation === null ? answer('internal', SORRY) : MEANWHILE[violation]
}

/** What somebody else did between our look and our writing. */
const MEANWHILE: Readonly<Record<Violation, Answer>> = {
  gone: answer('not_found', 'What this is about was deleted meanwhile. Look again.'),
  still_named: answer('conflict', 'Something else came to need it meanwhile, so it stays. Look again.'),
  twice: answer('conflict', 'The same was done at this very moment. Look again.'),
}

const SORRY = 'Something went wrong on our side. Try again; if it goes on, tell the operator of this server.'

/** What was at the bottom of an error, in its own words. */
function rootOf(error: unknown): string {
  let at = error
  while (at instanceof Error && at.cause instanceof Error) at = at.cause
  return at instanceof Error ? at.message : String(at)
}

/**
 * The one error handler of both services: answers `{ error, code, field? }`, logs what is ours to mend with its stack, and
 * what will pass by itself (an exchange or the database that is away, too much at once) as a line.
 */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const changes = request.method !== 'GET' && request.method !== 'HEAD'
  const { status, body, retryAfterS, headers = {} } = answerTo(error, changes)
  const about = { reqId: request.id, method: request.method, path: request.routeOptions.url }
  if (violationOf(error) !== null) request.log.warn({ ...about, why: rootOf(error) }, 'somebody else was first')
  if (status >= 500) {
    if (body.code === 'internal') request.log.error({ ...about, err: error }, 'failed')
    else request.log.warn({ ...about, code: body.code, why: rootOf(error) }, 'cannot be answered just now')
  }
  if (reply.sent) return
  if (retryAfterS !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterS))))
  if (!request.raw.complete && bringsMuch(request.raw)) reply.header('connection', 'close')
  // A reply that was about to be a file or a stream is JSON after all.
  reply.removeHeader('content-disposition')
  void reply
    .status(status)
    .headers(headers)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body))
}

/** What the reader of forms throws without any code: no boundary, or a useless one, or the end came too early. */
const UNREADABLE = /^(Multipart: Boundary not found|The needle can|.*[Uu]nexpected end of multipart data$)/
const NO_FORM = new Set(['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'FST_ERR_CTP_INVALID_JSON_BODY'])
const TOO_MANY = new Set(['FST_PARTS_LIMIT', 'FST_FILES_LIMIT', 'FST_FIELDS_LIMIT'])

/** What was thrown where files are taken: as `bad_input` where the form is to blame, else as it is. */
export function formError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code = '' } = error as { code?: string }
  const refuse = (text: string) => new AppError('bad_input', text, { cause: error })
  if (NO_FORM.has(code)) return refuse('Send the files as multipart/form-data.')
  if (TOO_MANY.has(code)) return refuse('The form has more parts than are asked for. Send these alone.')
  if (UNREADABLE.test(error.message))
    return refuse('The form cannot be read: it has no boundary, or did not arrive whole. Send it again.')
  return error
}
