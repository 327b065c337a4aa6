import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { PATIENCE_MS } from './channel.ts'
import { isPublicAddress, literalAddress, lookUpPublic, REFUSED_ADDRESS } from './public-address.ts'

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /** Whether it may go to this machine and private networks. */
  readonly allowPrivate: boolean
  /** Addresses of names; the system's, checked, where it is left out. */
  readonly lookup?: LookupFunction
}

/** Posts bytes and gives the status of its reply, which is not followed anywhere. Throws where none came. */
export function postBytes({ url, headers, body, allowPrivate, lookup }: Post): Promise<number> {
  const target = new URL(url)
  const literal = literalAddress(target)
  // A connection to a literal address looks nothing up.
  if (!allowPrivate && literal !== null && !isPublicAddress(literal)) return Promise.reject(new Error(REFUSED_ADDRESS))
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const request = (target.protocol === 'https:' ? https : http).request(
    target,
    {
      method: 'POST',
      headers: {
        ...headers,
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Shapecast',
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
      agent: false,
      ...(allowPrivate ? {} : { lookup: lookup ?? lookUpPublic }),
    },
    (response) => {
      resolve(response.statusCode ?? 0)
      // What it says beyond its status is of no interest, and may be endless.
      response.destroy()
    },
  )
  request.on('error', reject)
  request.end(body)
  return promise
}
