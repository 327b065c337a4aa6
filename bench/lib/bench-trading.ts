import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TrainParams } from '@shapecast/contracts/trainings'
import type { Candles } from '@shapecast/engine/candles'
import type { Database } from '@shapecast/platform/database/database'
import { createHttp } from '@shapecast/platform/http/build-service'
import { type Logger, silentLogger } from '@shapecast/platform/logging'
import { createQueue } from '@shapecast/platform/queue'
import { createSessions } from '@shapecast/platform/sessions'
import { compose } from '@shapecast/trading/compose'
import { importFile } from '@shapecast/trading/market/import-file'
import { openVenue } from '@shapecast/trading/market/open-venue'
import { createStoredCandles } from '@shapecast/trading/market/stored-candles'
import { INSTALLATION, insertArtifact } from '@shapecast/trading/models/active-artifacts'
import { trainArtifact } from '@shapecast/trading/models/train-artifact'
import { shapecastCsv } from '@shapecast/venues/testing/candle-files'

const SERIES = { venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h' } as const
/** The key of the benches' installation: anyone who has it can sign tokens that their servers take. */
export const BENCH_SECRET = 'a key that is long enough for a bench'

/** What the trading service needs over a bench's database: what is stored there is the market. */
export async function tradingParts(db: Database, log: Logger) {
  const replay = { market: 'replay', testnet: true, replayFrom: null, replaySpeed: 0 } as const
  const venue = await openVenue(replay, { db, stored: createStoredCandles(db), log })
  const sessions = createSessions({ db, secretKey: BENCH_SECRET })
  return { db, log, venue, queue: await createQueue(db, log), sessions }
}

/** Stores hours of BTCUSDT. */
export async function storeHours(db: Database, folder: string, candles: Candles): Promise<void> {
  const path = join(folder, 'candles.csv')
  writeFileSync(path, shapecastCsv(candles))
  await importFile({ db }, { path, symbol: SERIES.symbol, timeframe: SERIES.timeframe })
}

/** Trains a version for one epoch and stores it as the one that predicts. */
export async function addVersion(db: Database, version: string, candles: Candles, params: TrainParams = {}) {
  const given = { series: SERIES, version, candles, params: { epochs: 1, ...params }, createdAtMs: 1 }
  const artifact = await trainArtifact(given)
  await db.orm.transaction((tx) => insertArtifact(tx, artifact, INSTALLATION, 1))
  return artifact
}

/** The trading service over what is stored, and somebody signed in. */
export async function openTrading(db: Database) {
  const log = silentLogger()
  const parts = await tradingParts(db, log)
  const userId = randomUUID()
  const { accessToken } = await parts.sessions.issue({ userId, role: 'user' })
  const app = createHttp(log)
  await app.register(compose(parts).api(parts))
  return {
    ...parts,
    app,
    userId,
    accessToken,
    async close() {
      await app.close()
      await parts.queue.stop()
    },
  }
}
