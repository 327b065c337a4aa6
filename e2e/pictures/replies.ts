import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Viewer } from '../screens.ts'

/** What the services answered, one call a line: `e2e/pictures/record.ts` writes it. */
export const REPLIES = join(import.meta.dirname, 'replies.ndjson')

/** The first line: when they were recorded, and the ids in the addresses of the screens. */
export interface About {
  readonly nowMs: number
  readonly ids: Readonly<Record<string, string>>
}

export interface StoredReply {
  readonly as: Viewer
  /** `GET /bot/api/bots?…`, and the body of what has one. */
  readonly call: string
  readonly status: number
  readonly reply: unknown
}

/** A call as the replies are stored by. The order in which a page puts the parts of its query is of no matter. */
export function callOf(method: string, url: URL, body: string): string {
  const query = new URLSearchParams(url.searchParams)
  query.sort()
  return [method, url.pathname + (query.size > 0 ? `?${query}` : ''), body].filter((part) => part !== '').join(' ')
}

export const keyOf = (as: Viewer, call: string): string => `${as} ${call}`

export async function readReplies(): Promise<{ about: About; replies: readonly StoredReply[] }> {
  const [about, ...replies] = (await readFile(REPLIES, 'utf8')).trim().split('\n')
  return { about: JSON.parse(about!), replies: replies.map((line) => JSON.parse(line)) }
}
