import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import serveStatic from '@fastify/static'
import { AppError } from '@shapecast/contracts/errors'
import { inlineHashes } from '@shapecast/platform/http/inline-hashes'
import type { FastifyInstance } from 'fastify'

const PAGE = 'index.html'

/** Files with a hash in their name never change; everything else is asked for again each time, which may be a 304. */
const FOR_EVER = 'public, max-age=31536000, immutable'
const ASK_AGAIN = 'no-cache'

/** Scripts and styles that stand in the page itself, as a content security policy calls them. */
export interface InPage {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

export function readInPage(folder: string): InPage {
  const file = join(folder, PAGE)
  const html = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return { scripts: inlineHashes(html, 'script'), styles: inlineHashes(html, 'style') }
}

/**
 * The built web client: its files at their paths, compressed where the build has left them so beside the plain one, and
 * a page at every address that is none: the one that the address begins with, or else index.html.
 */
export async function serveWebClient(fastify: FastifyInstance, folder: string): Promise<void> {
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
