import type { Service } from '@shapecast/contracts/endpoint'
import { openApiOf } from '@shapecast/contracts/openapi'
import type { FastifyInstance } from 'fastify'
import { VERSION } from '../version.ts'
import { inlineHashes } from './inline-hashes.ts'
import { referencePage } from './reference-page.ts'

/** `/openapi.json` and the reference page at `/docs`, both from the endpoint table; nothing comes from outside. */
export async function serveApiReference(fastify: FastifyInstance, service: Service): Promise<void> {
  const document = openApiOf(service, VERSION, fastify.prefix === '' ? '/' : fastify.prefix)
  const text = JSON.stringify(document)
  const page = referencePage(document, service, fastify.prefix)
  const policy = `default-src 'self'; style-src ${inlineHashes(page, 'style').join(' ')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  fastify.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
  fastify.get('/docs', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page),
  )
}
