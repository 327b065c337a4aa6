import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { AppError } from '@shapecast/contracts/errors'
import { PreparedReply, SharedReply, sendShared } from '@shapecast/platform/http/shared-reply'
import type { FastifyInstance } from 'fastify'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Files with a hash in their name never change; everything else is asked for anew each time, which may be a 304. */
const FOR_EVER = 'public, max-age=31536000, immutable'
const ASK_AGAIN = 'no-cache'

/**
 * The built web client, two megabytes that are read once and compressed once: its files at their paths, and the page at
 * every address that is none.
 */
export async function serveWebClient(fastify: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    fastify.setNotFoundHandler(() => {
      throw new AppError('not_found', 'The web client is not built here. Start Shapecast with npm start.')
    })
    return
  }
  for (const path of await filesOf(folder)) {
    const file = await read(folder, path)
    const reply = new SharedReply(file, path.startsWith('assets/') ? FOR_EVER : ASK_AGAIN)
    fastify.get(`/${path}`, (request, answer) => sendShared(request, answer, reply))
  }
  const page = new SharedReply(await read(folder, 'index.html'), ASK_AGAIN)
  fastify.setNotFoundHandler((request, answer) => {
    const path = request.url.split('?')[0]!
    const wantsPage = request.method === 'GET' || request.method === 'HEAD'
    // A missing file must stay missing: a page in place of a script would only confuse the browser.
    if (!wantsPage || /\.[a-z0-9]+$/i.test(path)) throw new AppError('not_found', `There is nothing at ${path}.`)
    return sendShared(request, answer, page)
  })
}

/** Paths of all files below `folder`, with forward slashes. */
async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
}

const read = async (folder: string, path: string): Promise<PreparedReply> =>
  new PreparedReply(await readFile(join(folder, path)), TYPES[extname(path)] ?? 'application/octet-stream')
