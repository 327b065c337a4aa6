import { createHttp } from '@shapecast/platform/http/build-service'
import { silentLogger } from '@shapecast/platform/logging'
import { createQueue, type Queue } from '@shapecast/platform/queue'
import type { Venue } from '@shapecast/venues/venue'
import type { FastifyInstance } from 'fastify'
import { tradingApi } from '../../src/api.ts'
import { createParts, type Parts } from '../../src/parts.ts'
import { createServiceBench, type ServiceBench } from './service-bench.ts'

/** A service bench with the rooms of this service on a venue. `now` is a clock in ms. */
export interface PartsBench extends ServiceBench {
  queue: Queue
  parts: Parts
  /** The whole API of this service over these parts, at /bot. */
  serve(): Promise<FastifyInstance>
}

export async function createPartsBench(venue: Venue, now?: () => number): Promise<PartsBench> {
  const bench = await createServiceBench()
  const queue = await createQueue(bench.db, silentLogger())
  const parts = createParts({ db: bench.db, queue, venue, log: silentLogger(), now })
  let app: FastifyInstance | undefined
  return {
    ...bench,
    queue,
    parts,
    async serve() {
      const { sessions } = bench
      app = createHttp(silentLogger())
      await app.register(tradingApi(parts, { sessions, testnet: true }), { prefix: '/bot' })
      return app
    },
    async close() {
      await app?.close()
      await queue.stop()
      await parts.models().predictors.close()
      await bench.close()
    },
  }
}
