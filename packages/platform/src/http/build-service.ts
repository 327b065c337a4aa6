import type { Service } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import { endpointsOf } from '@shapecast/contracts/table'
import Fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyReply, LogController } from 'fastify'
import type { Logger } from '../logging.ts'
import type { Sessions } from '../sessions.ts'
import { type BodyLimits, limitBodies, limitConnections, OPEN_BODY_BYTES } from './body-limits.ts'
import { handleError } from './errors.ts'
import { serveApiReference } from './reference-page.ts'
import type { ServiceApp } from './register-endpoint.ts'
import { setStandingHeaders } from './shared-reply.ts'

/** How long a client may take to say what it asks for, before any body. */
const HEADERS_MS = 15_000
const LOOK_AT_CONNECTIONS_EVERY_MS = 5_000
/** On one listener. Each open page holds one for its live updates. */
const MOST_CONNECTIONS = 10_000
const MOST_CONNECTIONS_OF_AN_ADDRESS = 2_500

export interface HttpOptions {
  /** Proxies in front of us, each of which adds to X-Forwarded-For who called it; none where it is left out. */
  readonly proxies?: number
  /** What every reply carries, unless it says otherwise itself. */
  readonly headers?: Readonly<Record<string, string>>
  /** What bodies may take up; ours where it is left out. */
  readonly bodies?: BodyLimits
}

/** A Fastify instance as every listener and every test of ours has it. What answers where nothing is, is not set yet. */
export function createHttp(log: Logger, options: HttpOptions = {}): FastifyInstance {
  const { headers = {}, proxies = 0 } = options
  const fastify = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs more than to route it; the one line of a request, its failure, names the id.
    childLoggerFactory: (logger) => logger,
    // An address that cannot be read belongs to no route, and so no hook sees it.
    frameworkErrors: (error, request, reply) => handleError(error, request, reply.headers(headers)),
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: LOOK_AT_CONNECTIONS_EVERY_MS },
    bodyLimit: OPEN_BODY_BYTES,
    // What stands before the entries of our own proxies was written by the caller, who may write anything.
    trustProxy: (_address: string, hop: number) => hop < proxies,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
  }) as unknown as FastifyInstance
  fastify.setErrorHandler(handleError)
  setStandingHeaders(fastify, headers)
  limitBodies(fastify, options.bodies)
  limitConnections(fastify, {
    connections: MOST_CONNECTIONS,
    connectionsOfAddress: proxies === 0 ? MOST_CONNECTIONS_OF_AN_ADDRESS : null,
  })
  const parseJson = fastify.getDefaultJsonParser('error', 'error')
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // A POST without a body often carries the content type all the same.
    if (body.length === 0) done(null, undefined)
    else parseJson(request, body as string, done)
  })
  return fastify
}

/**
 * A service as a Fastify plugin that can be mounted under a prefix and alone. `routes` registers its endpoints; one of
 * the table that is missing keeps it from starting.
 */
export const buildService =
  (
    name: Service,
    deps: { sessions: Sessions },
    routes: (app: ServiceApp) => void | Promise<void>,
  ): FastifyPluginAsync =>
  async (fastify) => {
    const app: ServiceApp = { name, fastify, sessions: deps.sessions, registered: new Set() }
    fastify.setErrorHandler(handleError)
    fastify.setNotFoundHandler(refuseUnknown(app))
    await routes(app)
    assertAllRegistered(app)
    serveApiReference(fastify, name)
  }

/** Throws with the names of the table's endpoints that the service has not registered. */
export function assertAllRegistered(app: ServiceApp): void {
  const missing = endpointsOf(app.name).filter(([, endpoint]) => !app.registered.has(endpoint))
  if (missing.length > 0) throw new Error(`The ${app.name} service lacks ${missing.map(([name]) => name).join(', ')}.`)
}

const refuseUnknown = (app: ServiceApp) => {
  const patternOf = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`)
  return (request: { method: string; url: string }, reply: FastifyReply) => {
    const path = request.url.split('?')[0]!.slice(app.fastify.prefix.length)
    const there = [...app.registered].filter((e) =>
      [e.path, e.publicPath].some((p) => p !== undefined && patternOf(p).test(path)),
    )
    const methods: string[] = [...new Set(there.map((e) => e.method))]
    if (methods.length > 0 && !methods.includes(request.method)) {
      reply.header('allow', methods.join(', '))
      throw new AppError('method_not_allowed', `${request.method} is not possible here; use ${methods.join(' or ')}.`)
    }
    throw new AppError('not_found', `There is nothing at ${request.method} ${path}.`)
  }
}
