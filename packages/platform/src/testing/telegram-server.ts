import http from 'node:http'
import type { AddressInfo } from 'node:net'

export const TELEGRAM_TOKEN = '123456:test-token-of-a-bot-that-is-none'

/** What a server does instead of answering. */
export type TelegramFault = 'blocked' | 'too_many' | 'slow' | 'broken' | 'no_json'

export interface TestTelegram {
  readonly url: string
  readonly said: { chat: string; text: string }[]
  fault: TelegramFault | null
  /** Somebody writes to the bot. */
  write(chat: number, text: string, other?: { dateMs?: number; type?: string; from?: number; username?: string }): void
  close(): Promise<void>
}

/** A server on this machine that answers as Telegram's Bot API does (core.telegram.org/bots/api). */
export async function startTelegram(now: () => number = Date.now): Promise<TestTelegram> {
  const said: TestTelegram['said'] = []
  let updates: { update_id: number; message: object }[] = []
  let next = 100
  const state: { fault: TelegramFault | null } = { fault: null }
  const server = http.createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const body = JSON.parse(text || '{}') as Record<string, unknown>
    const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url!) ?? []
    const answer = (status: number, reply: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
    const refuse = (error_code: number, description: string, parameters?: object) =>
      answer(error_code, { ok: false, error_code, description, ...(parameters && { parameters }) })
    if (token !== TELEGRAM_TOKEN) return refuse(401, 'Unauthorized')
    if (state.fault === 'slow') return
    if (state.fault === 'broken') return request.socket.destroy()
    if (state.fault === 'no_json') return response.writeHead(502).end('<html>bad gateway</html>')
    if (state.fault === 'too_many') return refuse(429, 'Too Many Requests: retry after 120', { retry_after: 120 })
    if (method === 'getMe') return answer(200, { ok: true, result: { id: 1, is_bot: true, username: 'shapecast_bot' } })
    if (method === 'getUpdates') {
      updates = updates.filter(({ update_id }) => update_id >= Number(body.offset))
      return answer(200, { ok: true, result: updates })
    }
    if (state.fault === 'blocked') return refuse(403, 'Forbidden: bot was blocked by the user')
    said.push({ chat: String(body.chat_id), text: String(body.text) })
    return answer(200, { ok: true, result: { message_id: 1 } })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    said,
    get fault() {
      return state.fault
    },
    set fault(fault) {
      state.fault = fault
    },
    write(chat, text, { dateMs = now(), type = 'private', from = chat, username } = {}) {
      const person = { id: from, first_name: 'Mira', ...(username !== undefined && { username }) }
      const message = { date: Math.floor(dateMs / 1_000), text, chat: { id: chat, type }, from: person }
      updates.push({ update_id: next++, message })
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
