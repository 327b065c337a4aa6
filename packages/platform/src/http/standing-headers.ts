import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Names and values in turns of the headers that every reply of this listener carries. */
    standingHeaders: string[]
  }
}

/**
 * Lets every reply carry `headers`, unless it has said otherwise itself. They are set as a reply goes out; one that is
 * hijacked has to bring them along (see `headersSoFar`).
 */
export function setStandingHeaders(fastify: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  const entries = Object.entries(headers)
  fastify.decorate('standingHeaders', entries.flat())
  if (entries.length === 0) return
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    for (const [name, value] of entries) if (!reply.hasHeader(name)) reply.header(name, value)
    done()
  })
}
