import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Viewer } from '../screens.ts'
import { type About, callOf, keyOf, readReplies } from './replies.ts'

const API = /^\/(bot|soc)\//
const STREAM = /\/stream$/
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const NO_REPLY = { error: 'This call has no stored reply.', code: 'not_found' }

export interface ReplayServer {
  readonly origin: string
  readonly about: About
  close(): Promise<void>
}

/** Whose replies a call gets: the name of the viewer stands in place of a token. */
const viewerOf = ({ headers }: IncomingMessage): Viewer => {
  const [, name] = /^Bearer (user|admin)$/.exec(headers.authorization ?? '') ?? []
  return (name as Viewer | undefined) ?? 'nobody'
}

/** Serves a built client, and answers its calls with the stored replies. Its event stream is open and says nothing. */
export async function startReplay(client: string): Promise<ReplayServer> {
  const { about, replies } = await readReplies()
  const stored = new Map(replies.map((one) => [keyOf(one.as, one.call), one]))

  async function answer(request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
    if (STREAM.test(url.pathname)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
      return
    }
    const call = callOf(request.method!, url, await text(request))
    const { status, reply } = stored.get(keyOf(viewerOf(request), call)) ?? { status: 404, reply: NO_REPLY }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  }

  async function serve(url: URL, response: ServerResponse): Promise<void> {
    const extension = extname(url.pathname)
    const page = `${url.pathname.split('/')[1]}.html`
    const file = extension !== '' ? url.pathname : existsSync(join(client, page)) ? page : 'index.html'
    const content = await readFile(join(client, file)).catch(() => null)
    if (content === null) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(content)
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://localhost')
    const done = API.test(url.pathname) ? answer(request, url, response) : serve(url, response)
    done.catch((error) => response.destroy(error))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    about,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
