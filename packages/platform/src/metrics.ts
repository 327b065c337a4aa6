import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from './database/database.ts'
import type { Queue } from './queue.ts'

export interface Metrics {
  /** Measures every request of a listener by route (never by address, which is unbounded). */
  observe(fastify: FastifyInstance, listener: string): void
  readonly contentType: string
  /** The figures in Prometheus' text format. */
  text(): Promise<string>
}

/** The process, its requests, its pool of connections and the queues, for Prometheus. */
export function createMetrics(deps: { db: Database; queue: Queue | null }): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Histogram({
    name: 'shapecast_http_request_seconds',
    help: 'Duration of HTTP requests in seconds',
    labelNames: ['listener', 'method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  new Gauge({
    name: 'shapecast_database_connections',
    help: 'Connections of this process to the database',
    labelNames: ['state'],
    registers,
    collect() {
      const { pool } = deps.db
      this.set({ state: 'open' }, pool.totalCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'wanted' }, pool.waitingCount)
    },
  })
  new Gauge({
    name: 'shapecast_jobs',
    help: 'Jobs in the queues of the whole installation',
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      this.reset()
      for (const { queue, waiting, active } of (await deps.queue?.counts().catch(() => [])) ?? []) {
        this.set({ queue, state: 'waiting' }, waiting)
        this.set({ queue, state: 'active' }, active)
      }
    },
  })
  return {
    observe(fastify, listener) {
      fastify.addHook('onResponse', (request, reply, done) => {
        const route = request.routeOptions.url ?? 'unknown'
        requests.observe(
          { listener, method: request.method, route, status: reply.statusCode },
          reply.elapsedTime / 1000,
        )
        done()
      })
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}
