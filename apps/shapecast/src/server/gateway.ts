import { createHash, timingSafeEqual } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import serveStatic from '@fastify/static'
import { SERVICE_BASE } from '@shapecast/contracts/client'
import { AppError } from '@shapecast/contracts/errors'
import { createHttp } from '@shapecast/platform/http/build-service'
import { inlineHash, inlineHashes } from '@shapecast/platform/http/inline-hashes'
import { refuseUnknownHosts } from '@shapecast/platform/http/known-hosts'
import { limitRate } from '@shapecast/platform/http/rate-limit'
import type { Logger } from '@shapecast/platform/logging'
import type { Metrics } from '@shapecast/platform/metrics'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'

const PAGE = 'index.html'

/** Files with a hash in their name never change; everything else is asked for again each time, which may be a 304. */
const FOR_EVER = 'public, max-age=31536000, immutable'
const ASK_AGAIN = 'no-cache'

/** Scripts and styles that stand in the page itself, as a content security policy calls them. */
interface InPage {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

function readInPage(folder: string): InPage {
  const file = join(folder, PAGE)
  const html = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return { scripts: inlineHashes(html, 'script'), styles: inlineHashes(html, 'style') }
}

/**
 * The built web client: its files at their paths, compressed where the build has left them so beside the plain one, and
 * a page at every address that is none: the one that the address begins with, or else index.html.
 */
async function serveWebClient(fastify: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, PAGE))) {
    fastify.setNotFoundHandler(() => {
      throw new AppError('not_found', 'The web client is not built here. Start Shapecast with npm start.')
    })
    return
  }
  const names = readdirSync(folder).filter((name) => name.endsWith('.html'))
  const pages = new Map(names.map((name) => [name.slice(0, -'.html'.length), name]))
  const hashed = join(folder, 'assets') + sep
  await fastify.register(serveStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    // Those go out in place of the file that they hold, with its type, and never by a name of their own.
    globIgnore: ['**/*.br', '**/*.gz'],
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.startsWith(hashed) ? FOR_EVER : ASK_AGAIN)
    },
  })
  fastify.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!
    const wantsPage = request.method === 'GET' || request.method === 'HEAD'
    const page = pages.get(path.split('/')[1]!)
    // A missing file must stay missing: a page in place of a script would only confuse the browser. A model may be v3.1.
    if (!wantsPage || (page === undefined && /\.[a-z0-9]+$/i.test(path)))
      throw new AppError('not_found', `There is nothing at ${path}.`)
    return reply.sendFile(page ?? PAGE)
  })
}

export interface ListenerDeps {
  readonly log: Logger
  readonly metrics: Metrics
  /** How many proxies in front of us say in X-Forwarded-For who called them. */
  readonly proxies: number
  /** Names that it answers to beyond this machine's own. */
  readonly allowedHosts: readonly string[]
  /** Calls of one address a minute, before it is asked to wait; 1,200 where it is left out. */
  readonly callsAMinute?: number
}

export interface GatewayDeps extends ListenerDeps {
  readonly trading: FastifyPluginAsync
  readonly social: FastifyPluginAsync
  /** The built web client. */
  readonly webClient: string
  /** What /metrics asks for as a bearer token; null where anybody may read it. */
  readonly metricsToken: string | null
}

/** A page that polls makes about 60. */
const CALLS_A_MINUTE = 1_200
const OF_A_SERVICE = /^\/(bot|soc|api|public)\//
/** Monitors ask often. */
const HEALTH = /^\/(bot|soc)\/health$/

/** Emotion adds empty style elements and puts its rules into them by script, which no policy is about. */
const EMPTY_STYLE = inlineHash('')

/** Everything comes from our own origin, or stands in our page. */
const contentSecurityPolicy = ({ scripts, styles }: InPage) => ({
  useDefaults: false,
  directives: {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...scripts],
    'style-src': ["'self'", EMPTY_STYLE, ...styles],
    'img-src': ["'self'", 'data:', 'blob:'],
    'object-src': ["'none'"],
    'base-uri': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  },
})

/** One service by itself, as on TRADING_PORT and SOCIAL_PORT. */
export async function buildServiceListener(
  name: string,
  service: FastifyPluginAsync,
  deps: ListenerDeps,
): Promise<FastifyInstance> {
  const fastify = await buildListener(name, deps)
  await compressReplies(fastify)
  await fastify.register(service)
  return fastify
}

/** PORT: the web client at /, the services at /bot and /soc, /metrics for Prometheus. */
export async function buildGateway(deps: GatewayDeps): Promise<FastifyInstance> {
  const fastify = await buildListener('gateway', deps, readInPage(deps.webClient))
  // Before replies are compressed: the client's files are so already.
  await serveWebClient(fastify, deps.webClient)
  await compressReplies(fastify)
  await fastify.register(deps.trading, { prefix: SERVICE_BASE.trading })
  await fastify.register(deps.social, { prefix: SERVICE_BASE.social })
  fastify.get('/metrics', async ({ headers }, reply) => {
    const { metrics, metricsToken } = deps
    if (metricsToken !== null && !isSame(headers.authorization ?? '', `Bearer ${metricsToken}`))
      throw new AppError('unauthorized', 'Send the METRICS_TOKEN of this installation as a bearer token.')
    return reply.type(metrics.contentType).send(await metrics.text())
  })
  return fastify
}

/** Takes the same time whatever the difference is. */
const isSame = (given: string, wanted: string): boolean => {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}

async function buildListener(
  name: string,
  deps: ListenerDeps,
  inPage: InPage = { scripts: [], styles: [] },
): Promise<FastifyInstance> {
  const fastify = createHttp(deps.log, { proxies: deps.proxies, headers: await securityHeaders(inPage) })
  refuseUnknownHosts(fastify, deps.allowedHosts)
  deps.metrics.observe(fastify, name)
  await limitRate(fastify, {
    callsAMinute: deps.callsAMinute ?? CALLS_A_MINUTE,
    counts: (path) => OF_A_SERVICE.test(path) && !HEALTH.test(path),
  })
  return fastify
}

/** Of the routes that are added from here on. */
async function compressReplies(fastify: FastifyInstance): Promise<void> {
  await fastify.register(compress, { threshold: 1024, encodings: ['gzip', 'deflate', 'identity'] })
}

/** Helmet's headers are the same for every request, and making them again took longer than the rest of a short one. */
async function securityHeaders(inPage: InPage): Promise<Record<string, string>> {
  const probe = Fastify()
  // Whether the way to us is encrypted is not ours to say: a proxy in front may, so no HSTS from here.
  await probe.register(helmet, {
    contentSecurityPolicy: contentSecurityPolicy(inPage),
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  })
  const own = new Set(['connection', 'content-length', 'content-type', 'date'])
  probe.get('/', async () => '')
  const { headers } = await probe.inject('/')
  await probe.close()
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (own.has(name) ? [] : [[name, String(value)]])),
  )
}
