import type { Service } from '@shapecast/contracts/endpoint'
import { openApiOf } from '@shapecast/contracts/openapi'
import type { FastifyInstance } from 'fastify'
import { VERSION } from '../version.ts'
import { inlineHashes } from './inline-hashes.ts'
import { referencePage } from './reference-page.ts'

/**
 * `/openapi.json` and the reference page at `/docs`, both from the endpoint table; nothing comes from outside. Written when
 * one of them is first asked for: few starts need them, and each would wait for them.
 */
export function serveApiReference(fastify: FastifyInstance, service: Service): void {
  let written: ReturnType<typeof write> | undefined
  const write = () => {
    const document = openApiOf(service, VERSION, fastify.prefix === '' ? '/' : fastify.prefix)
    const page = referencePage(document, service, fastify.prefix)
    const policy = `default-src 'self'; style-src ${inlineHashes(page, 'style').join(' ')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
    return { text: JSON.stringify(document), page, policy }
  }
  fastify.get('/openapi.json', (_request, reply) => {
    written ??= write()
    return reply.type('application/json; charset=utf-8').send(written.text)
  })
  fastify.get('/docs', (_request, reply) => {
    written ??= write()
    const { page, policy } = written
    return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page)
  })
}
