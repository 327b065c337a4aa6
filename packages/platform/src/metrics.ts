import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Database } from './database/database.ts'
import type { Queue } from './queue.ts'
import { RequestTimes } from './request-times.ts'

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
  const requests = new RequestTimes()
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
    observe: (fastify, listener) => requests.observe(fastify, listener),
    contentType: registry.contentType,
    text: async () => `${await registry.metrics()}\n${requests.text()}`,
  }
}
