import { createHttp } from '@shapecast/platform/http/build-service'
import { silentLogger } from '@shapecast/platform/logging'
import { createQueue } from '@shapecast/platform/queue'
import type { Venue } from '@shapecast/venues/venue'
import { afterAll } from 'vitest'
import { compose } from '../../src/compose.ts'
import { memoryVenue } from './memory-venue.ts'
import { createServiceBench } from './service-bench.ts'

/** The service of all tests of a file as it is mounted, nobody at work behind it. Closed after the last test. */
export async function wholeService({
  venue = memoryVenue({}),
  prefix = '/bot',
}: {
  venue?: Venue
  prefix?: string
} = {}) {
  const { close, ...bench } = await createServiceBench()
  const { db, sessions } = bench
  const queue = await createQueue(db, silentLogger())
  const app = createHttp(silentLogger())
  afterAll(async () => {
    await app.close()
    await queue.stop()
    await close()
  })
  await app.register(compose({ db, queue, venue, log: silentLogger() }).api({ sessions }), { prefix })
  return { ...bench, app }
}
