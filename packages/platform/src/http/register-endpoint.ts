import multipart from '@fastify/multipart'
import { isManager } from '@shapecast/contracts/auth'
import { REQUEST_TIMEOUT_MS } from '@shapecast/contracts/client'
import type { AnyEndpoint, BodyOf, ParamsOf, QueryOf, ReplyInputOf, Service } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import { inputComplaint } from '@shapecast/contracts/input-complaint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { type TimeLimit, timeLimit, within } from '../database/time-limit.ts'
import type { Caller, Sessions } from '../sessions.ts'
import { BODY_BYTES, OPEN_BODY_BYTES } from './body-limits.ts'
import { formError, handleError } from './errors.ts'
import { SharedReply, sendShared } from './shared-reply.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Files may come slowly, as long as they come. */
    takesFiles?: boolean
  }
}

/** One service as it is being built: where its endpoints are registered. */
export interface ServiceApp {
  readonly name: Service
  /** For hooks that a service needs for itself. */
  readonly fastify: FastifyInstance
  readonly sessions: Sessions
  readonly registered: Set<AnyEndpoint>
  /** What asks the database later than this is refused; 28 s where it is left out. */
  readonly answerWithinMs?: number
}

/** The caller stops waiting a little later. */
const ANSWER_WITHIN_MS = REQUEST_TIMEOUT_MS - 2_000

/** Null is possible only where the contract lets people in without a token. */
export type CallerOf<E extends AnyEndpoint> = E['access'] extends 'public'
  ? Caller | null
  : E extends { readonly publicPath: string }
    ? Caller | null
    : Caller

export type Prove = () => Promise<void>

export interface Call<E extends AnyEndpoint> {
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  readonly caller: CallerOf<E>
  /** For an endpoint that takes proof of who calls `sometimes`: throws `confirmation_required` without. */
  readonly prove: Prove
  /** True at the `/public/...` twin: show public things only to every caller. */
  readonly viaPublicPath: boolean
  /** Whose view the reply is: the caller's, and nobody's at the public twin. */
  readonly viewer: Caller | null
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/**
 * What a handler gives back: the contract's reply, or one that it vouches for, as text or shared by many; a file; for
 * events nothing (it has sent them itself).
 */
export type Answer<E extends AnyEndpoint> = E extends { readonly replyKind: 'events' }
  ? FastifyReply | undefined
  : E extends { readonly replyKind: 'file' }
    ? FileToKeep
    : // biome-ignore lint/suspicious/noConfusingVoidType: nothing, where that is what was done
      ReplyInputOf<E> | CheckedJson | SharedReply | (undefined extends ReplyInputOf<E> ? void : never)

/** A file that a browser saves under its name, which is of letters, digits, points and hyphens. */
export interface FileToKeep {
  readonly name: string
  readonly content: string | NodeJS.ReadableStream
}

export type Handler<E extends AnyEndpoint> = (call: Call<E>) => Answer<E> | Promise<Answer<E>>

/** JSON text that the handler vouches for: sent as it is, not checked again. For replies that are large and plain. */
export class CheckedJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/**
 * Registers an endpoint, and its public twin, as the contract declares it: input parsed (400 with the field's name),
 * access enforced (401, 403), fresh proof asked for where it always takes one, the reply checked and stripped by its schema (a wrong one is our 500), trading replies
 * wrapped in `{ data }`.
 */
export function registerEndpoint<E extends AnyEndpoint>(app: ServiceApp, endpoint: E, handler: Handler<E>): void {
  if (endpoint.service !== app.name)
    throw new Error(
      `${endpoint.method} ${endpoint.path} belongs to the ${endpoint.service} service, not to ${app.name}.`,
    )
  if (endpoint.bodyLimit !== undefined && endpoint.access === 'public')
    throw new Error(`${endpoint.method} ${endpoint.path} is open to anybody, so it cannot take larger bodies.`)
  const route = (fastify: FastifyInstance, url: string, viaPublicPath: boolean) => {
    const isOpen = endpoint.access === 'public' || viaPublicPath
    // A page polls with an unchanged query; what many requests share is frozen. Most endpoints are never asked: no room before.
    let inputs: LRUCache<string, Input> | undefined
    const answered = (request: FastifyRequest, reply: FastifyReply, answer: unknown) => {
      if (endpoint.replyKind === 'events') return reply
      if (endpoint.replyKind === 'file') return sendFile(endpoint, reply, answer as FileToKeep)
      if (answer instanceof SharedReply) return sendShared(request, reply, answer)
      return send(endpoint, reply, answer)
    }
    fastify.route({
      method: endpoint.method,
      url,
      bodyLimit: endpoint.bodyLimit ?? (isOpen ? OPEN_BODY_BYTES : BODY_BYTES),
      config: { takesFiles: endpoint.bodyKind === 'multipart' },
      // Who may not call does not get to send a large body first.
      onRequest(request, _reply, done) {
        if (isOpen && request.headers.authorization === undefined) return done()
        within(limitOf(app, request), () => admit(app.sessions, endpoint, request, isOpen)).then((session) => {
          if (session !== null) callers.set(request, { ...session, address: request.ip })
          done()
        }, done)
      },
      // What is at hand is answered within the same turn of the event loop, without a promise.
      handler(request, reply) {
        let input = inputs?.get(request.url)
        if (input === undefined) {
          input = deepFreeze({
            params: parse(endpoint.params, request.params),
            query: parse(endpoint.query, withoutEmpty(request.query)),
          })
          inputs ??= new LRUCache({ max: 1_000 })
          if (request.url.length <= LONGEST_KEPT_URL) inputs.set(request.url, input)
        }
        const caller = callers.get(request) ?? null
        const prove: Prove = async () => {
          if (endpoint.proof === undefined || caller === null)
            throw new Error(`${endpoint.method} ${endpoint.path} does not declare that it takes proof.`)
          await app.sessions.requireProof(caller.sid)
        }
        const call = {
          ...input,
          body: endpoint.bodyKind === 'multipart' ? undefined : parse(endpoint.body, request.body),
          caller,
          prove,
          viaPublicPath,
          viewer: viaPublicPath ? null : caller,
          request,
          reply,
        } as unknown as Call<E>
        const limit = limitOf(app, request)
        // A file takes as long as it takes to arrive.
        if (endpoint.bodyKind === 'multipart') limit.over = true
        const answer: unknown = within(limit, () =>
          endpoint.proof === 'always' ? prove().then(() => handler(call)) : handler(call),
        )
        if (answer instanceof Promise)
          return answer
            .finally(() => {
              limit.over = true
            })
            .then((late: unknown): unknown => answered(request, reply, late))
        limit.over = true
        return answered(request, reply, answer)
      },
    })
  }
  const routes = (fastify: FastifyInstance) => {
    route(fastify, endpoint.path, false)
    if (endpoint.publicPath !== undefined) route(fastify, endpoint.publicPath, true)
  }
  // Its hooks wait for every request of the routes that they stand for: for those with files only.
  if (endpoint.bodyKind === 'multipart')
    app.fastify.register(async (fastify) => {
      await fastify.register(multipart)
      fastify.setErrorHandler((error, request, reply) => handleError(formError(error), request, reply))
      routes(fastify)
    })
  else routes(app.fastify)
  app.registered.add(endpoint)
}

interface Input {
  readonly params: unknown
  readonly query: unknown
}

/** Longer ones are seldom asked twice. */
const LONGEST_KEPT_URL = 256

function deepFreeze<T>(value: T): T {
  if (!Object.isFrozen(value)) for (const part of Object.values(Object.freeze(value) as object)) deepFreeze(part)
  return value
}

const callers = new WeakMap<FastifyRequest, Caller>()

const limits = new WeakMap<FastifyRequest, TimeLimit>()

function limitOf(app: ServiceApp, request: FastifyRequest): TimeLimit {
  let limit = limits.get(request)
  if (limit === undefined) {
    limit = timeLimit(app.answerWithinMs ?? ANSWER_WITHIN_MS)
    limits.set(request, limit)
  }
  return limit
}

async function admit(sessions: Sessions, endpoint: AnyEndpoint, request: FastifyRequest, isOpen: boolean) {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (isOpen) {
    if (token === undefined) return null
    // A token that has run out must not keep anybody from what everybody may read.
    return sessions.verify(token).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'unauthorized') return null
      throw error
    })
  }
  if (token === undefined) throw new AppError('unauthorized', 'Sign in first.')
  const session = await sessions.verify(token)
  if (session.isLimited && !endpoint.whileLimited)
    throw new AppError('second_factor_missing', 'Your role requires a second factor. Set one up in Settings, Security.')
  if (endpoint.access === 'manager' && !isManager(session.role))
    throw new AppError('forbidden', 'Only admins and bot managers may do this.')
  if (endpoint.access === 'admin' && session.role !== 'admin')
    throw new AppError('forbidden', 'Only admins may do this.')
  return session
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined
  const parsed = schema.safeParse(value ?? {}, { error: inputComplaint })
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const field = issue.path.map(String).join('.')
  throw new AppError('bad_input', issue.message, field === '' ? {} : { field })
}

/** A query without its empty parameters: `from=` leaves a time out, and does not mean 1970. */
const withoutEmpty = (query: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query as Record<string, unknown>).filter(
      ([, value]) => typeof value !== 'string' || value.trim() !== '',
    ),
  )

const sendFile = ({ fileType }: AnyEndpoint, reply: FastifyReply, { name, content }: FileToKeep): FastifyReply =>
  reply
    .type(fileType ?? 'application/octet-stream')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .send(content)

function send(endpoint: AnyEndpoint, reply: FastifyReply, answer: unknown): FastifyReply {
  let text: string
  if (answer instanceof CheckedJson) text = answer.text
  else {
    const checked = endpoint.reply.safeParse(answer)
    if (!checked.success)
      throw new Error(`The reply of ${endpoint.method} ${endpoint.path} breaks its contract: ${checked.error.message}`)
    text = JSON.stringify(checked.data)
  }
  return reply
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(endpoint.service === 'trading' ? `{"data":${text}}` : text)
}
