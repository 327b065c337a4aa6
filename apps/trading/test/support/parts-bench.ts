import { silentLogger } from '@shapecast/platform/logging'
import { createQueue, type Queue } from '@shapecast/platform/queue'
import type { Venue } from '@shapecast/venues/venue'
import { createParts, type Parts } from '../../src/parts.ts'
import { createServiceBench, type ServiceBench } from './service-bench.ts'

/** A service bench with the rooms of this service on a venue. `now` is a clock in ms. */
export interface PartsBench extends ServiceBench {
  queue: Queue
  parts: Parts
}

export async function createPartsBench(venue: Venue, now?: () => number): Promise<PartsBench> {
  const bench = await createServiceBench()
  const queue = await createQueue(bench.db, silentLogger())
  const parts = createParts({ db: bench.db, queue, venue, log: silentLogger(), now })
  return {
    ...bench,
    queue,
    parts,
    async close() {
      await queue.stop()
      await parts.models().predictors.close()
      await bench.close()
    },
  }
}
