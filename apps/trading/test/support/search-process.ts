import { connect } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import type { Queue } from '@shapecast/platform/queue'
import { carryOut } from '../../src/ground/jobs/carry-out.ts'
import { createParts } from '../../src/parts.ts'
import { SEARCH } from '../../src/search/search-kind.ts'
import { searchWork } from '../../src/search/search-work.ts'
import { searchedVenue } from './searched-venue.ts'

// A worker to be killed: carries one search out in one thread.
const [url = '', id = '', queueId = ''] = process.argv.slice(2)
const db = await connect(url, silentLogger(), { max: 4 })
const parts = createParts({ db, queue: {} as Queue, venue: searchedVenue(), log: silentLogger() })
const deps = { orm: db.orm, log: silentLogger(), now: Date.now }
await carryOut(
  deps,
  SEARCH,
  searchWork({ ...parts.backtest(), db, threads: 1 }),
  { id, queueId },
  new AbortController().signal,
)
await db.close()
