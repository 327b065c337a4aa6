import { silentLogger } from '@shapecast/platform/logging'
import { createQueue, type Queue } from '@shapecast/platform/queue'
import type { Venue } from '@shapecast/venues/venue'
import { createRooms, type Rooms } from '../../src/rooms.ts'
import { createServiceBench, type ServiceBench } from './service-bench.ts'

/** A service bench with the rooms of this service on a venue. `now` is a clock in ms. */
export interface RoomsBench extends ServiceBench {
  queue: Queue
  rooms: Rooms
}

export async function createRoomsBench(venue: Venue, now?: () => number): Promise<RoomsBench> {
  const bench = await createServiceBench()
  const queue = await createQueue(bench.db, silentLogger())
  const rooms = createRooms({ db: bench.db, queue, venue, log: silentLogger(), now })
  return {
    ...bench,
    queue,
    rooms,
    async close() {
      await queue.stop()
      await rooms.predictors.close()
      await bench.close()
    },
  }
}
