import { randomUUID } from 'node:crypto'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import type { TrainCheckpoint } from '@shapecast/ml/train/train-networks'
import { silentLogger } from '@shapecast/platform/logging'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryVenue } from '../../test/support/memory-venue.ts'
import { createServiceBench, type ServiceBench } from '../../test/support/service-bench.ts'
import { createTraders } from '../bots/bots-on-model.ts'
import { carryOut } from '../ground/jobs/carry-out.ts'
import { endJob, findJob, insertJob } from '../ground/jobs/job-rows.ts'
import { marketOf } from '../market/series-market.ts'
import { createCheckpointStore } from './checkpoint-store.ts'
import { type TrainArtifactInput, trainArtifact } from './train-artifact.ts'
import { TRAINING, type TrainingRequest } from './training-kind.ts'
import { trainingWork } from './training-run.ts'

const BTC = generateCandles({ candles: 1500, seed: 4 })
const PARAMS = { epochs: 4, lstmHidden: 8, transformerWidth: 8, transformerLayers: 1, lookback: 8 }
const candles = marketOf(memoryVenue({ 'BTCUSDT 1h': BTC }))
let bench: ServiceBench
let uninterrupted: string

beforeAll(async () => {
  bench = await createServiceBench()
  const series = { venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h' }
  uninterrupted = (await trainArtifact({ series, version: 'v', candles: BTC, params: PARAMS, createdAtMs: 1 })).hash
})
afterAll(() => bench.close())

let version = 0
const queued = async (): Promise<string> => {
  const id = randomUUID()
  const payload: TrainingRequest = {
    venue: 'replay',
    symbol: 'BTCUSDT',
    timeframe: '1h',
    version: `v${version++}`,
    fromMs: BTC.ts[0]!,
    toMs: BTC.ts[1499]!,
    params: PARAMS,
    byManager: true,
  }
  await insertJob(bench.db.orm, TRAINING, { id, key: id, title: '', userId: null, payload, turn: 0, queueId: id }, 1)
  return id
}
const run = (
  id: string,
  train: (input: TrainArtifactInput) => ReturnType<typeof trainArtifact>,
  signal = new AbortController().signal,
) => {
  const log = silentLogger()
  const now = () => 1
  const work = trainingWork({
    checkpoints: createCheckpointStore(bench.db.orm),
    candles,
    train,
    judge: async () => null,
    traders: createTraders(bench.db.orm, 'replay'),
    log,
    now,
  })
  return carryOut({ orm: bench.db.orm, log, now }, TRAINING, work, { id, queueId: id }, signal)
}
const hashOf = async (id: string) => {
  const { rows } = await bench.db.pool.query(
    "select a.hash from trading.jobs j join trading.artifacts a on a.id = (j.result->>'artifactId')::uuid where j.id = $1",
    [id],
  )
  return rows[0]?.hash
}
const statusOf = async (id: string) => (await findJob(bench.db.orm, TRAINING, id))!.status
const checkpointsOf = (id: string) => createCheckpointStore(bench.db.orm).load(id)

/** Trains until both networks have done two epochs, then dies as its worker would. */
async function interrupted(id: string): Promise<void> {
  const stop = new AbortController()
  let saved = 0
  const dying = (input: TrainArtifactInput) =>
    trainArtifact({
      ...input,
      async onCheckpoint(checkpoint) {
        await input.onCheckpoint?.(checkpoint)
        if (++saved === 4) stop.abort(new Error('the worker died'))
      },
    })
  await expect(run(id, dying, stop.signal)).rejects.toThrow('the worker died')
}

describe('a training whose worker died', () => {
  it('goes on after its last whole epoch and comes to the same model as an uninterrupted one', async () => {
    const id = await queued()
    await interrupted(id)
    expect(await statusOf(id)).toBe('running')
    const left = await checkpointsOf(id)
    expect(Object.keys(left).sort()).toEqual(['lstm', 'transformer'])

    let resumed: TrainCheckpoint | undefined
    const epochs: number[] = []
    await run(id, (input) => {
      resumed = input.resume
      return trainArtifact({ ...input, onProgress: (progress) => epochs.push(progress.epoch ?? 0) })
    })
    expect(resumed).toEqual(left)
    expect(epochs.filter((epoch) => epoch > 0)[0]).toBeGreaterThan(1)
    expect(await statusOf(id)).toBe('completed')
    expect(await hashOf(id)).toBe(uninterrupted)
    expect(await checkpointsOf(id)).toEqual({})
  })

  it('starts over where what it left cannot be read, to the same model', async () => {
    const id = await queued()
    await interrupted(id)
    await bench.db.pool.query("update trading.training_checkpoints set state = '\\x00' where training_id = $1", [id])
    await run(id, trainArtifact)
    expect(await hashOf(id)).toBe(uninterrupted)
  })

  it('leaves nothing behind once it is cancelled', async () => {
    const id = await queued()
    await interrupted(id)
    await endJob(bench.db.orm, TRAINING, { id }, { status: 'cancelled', error: null }, 1)
    await run(id, trainArtifact)
    expect(await statusOf(id)).toBe('cancelled')
    expect(await checkpointsOf(id)).toEqual({})
  })
})
