import swagger, { type StaticDocumentSpec } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { Service } from '@shapecast/contracts/endpoint'
import { openApiOf } from '@shapecast/contracts/openapi'
import type { FastifyInstance } from 'fastify'
import { VERSION } from '../version.ts'

/** `/openapi.json` and the reference page at `/docs`, both from the endpoint table; nothing comes from outside. */
export async function serveApiReference(fastify: FastifyInstance, service: Service): Promise<void> {
  const document = openApiOf(service, VERSION, fastify.prefix === '' ? '/' : fastify.prefix)
  const text = JSON.stringify(document)
  fastify.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
  await fastify.register(swagger, {
    mode: 'static',
    specification: { document: document as unknown as Extract<StaticDocumentSpec, { document: unknown }>['document'] },
  })
  await fastify.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: fastify.prefix,
    // The page is ours: without the library's own bar.
    theme: { title: `Shapecast ${service}`, css: [{ filename: 'theme.css', content: '.topbar { display: none }' }] },
    uiConfig: { docExpansion: 'list', tryItOutEnabled: false },
  })
}
