import { createHmac } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { isPublicAddress, literalAddress, lookUpPublic, REFUSED_ADDRESS } from './public-address.ts'

const PATIENCE_MS = 10_000

/** The value of the header Shapecast-Signature: the time in seconds, and the HMAC-SHA-256 of time, point and body. */
export function signatureOf(secret: string, body: string, atMs: number): string {
  const seconds = Math.floor(atMs / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

export interface Message {
  readonly url: string
  readonly secret: string
  readonly body: string
  /** Whether it may go to this machine and private networks. */
  readonly allowPrivate: boolean
  readonly atMs: number
  /** Addresses of names; the system's, checked, where it is left out. */
  readonly lookup?: LookupFunction
}

/** Posts a signed message and gives the status of its reply, which is not followed anywhere. Throws where none came. */
export function postMessage({ url, secret, body, allowPrivate, atMs, lookup }: Message): Promise<number> {
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
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Shapecast',
        'shapecast-signature': signatureOf(secret, body, atMs),
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
