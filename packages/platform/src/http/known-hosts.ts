import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { AppError } from '@shapecast/contracts/errors'
import type { FastifyInstance } from 'fastify'

/** The name in a Host header, without its port, in lower case. */
const nameIn = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

/**
 * Refuses requests to a name that is not ours, with `unknown_host`: a web page whose name is made to point at this
 * machine (DNS rebinding) cannot speak to it. Addresses are nobody's name; `localhost`, what is under it and this
 * machine's own name are ours; `allowed` names others, `*` any.
 */
export function refuseUnknownHosts(fastify: FastifyInstance, allowed: readonly string[]): void {
  if (allowed.includes('*')) return
  const names = new Set(['localhost', hostname().toLowerCase(), ...allowed])
  fastify.addHook('onRequest', (request, _reply, done) => {
    // Every browser names the host; only the oldest of other programs do not.
    const name = nameIn(request.headers.host ?? 'localhost')
    if (names.has(name) || name.endsWith('.localhost') || isIP(name) !== 0) return done()
    done(new AppError('unknown_host', 'Shapecast does not answer to this name. If it should, set ALLOWED_HOSTS to it.'))
  })
}
