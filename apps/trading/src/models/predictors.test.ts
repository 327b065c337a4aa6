import { type Predictions, reasonFor } from '@shapecast/ml/forecast/predictions'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import type { Thread } from '@shapecast/platform/threads/open-thread'
import { afterAll, describe, expect, it } from 'vitest'
import { MODEL_CANDLES, quickModel } from '../../test/support/small-model.ts'
import type { ModelCalls } from './model-thread.ts'
import { openPredictor } from './open-predictor.ts'
import { createPredictors, openModelThread } from './predictors.ts'

const BTC = generateCandles({ candles: 2400, seed: 5 })
const threads: Thread<ModelCalls>[] = []

const artifact = await quickModel('v3', 'BTCUSDT', MODEL_CANDLES)
const predictors = createPredictors(
  {
    active: async (version) => (['v3', 'v4', 'gone'].includes(version) ? { id: version, hash: 'its hash' } : undefined),
    // Memory of its own, as from the database: the thread takes it.
    stored: async (id) => (id === 'gone' ? undefined : { bytes: artifact.bytes.slice(), card: artifact.card }),
  } as Parameters<typeof createPredictors>[0],
  { load: async () => BTC },
  () => {
    const thread = openModelThread()
    threads.push(thread)
    return thread
  },
)
afterAll(() => predictors.close())

const forecast = (range?: { from: number; to: number }, version = 'v3') =>
  predictors.use(version, 'BTCUSDT', '1h', ({ predictor }) => predictor.predict(BTC, range))

describe('forecasts of a thread', () => {
  it('come with what is known of their model', async () => {
    const told = await predictors.use('v3', 'BTCUSDT', '1h', async ({ predictor: _, ...told }) => told)
    expect(told).toEqual({ version: 'v3', artifactId: 'v3', hash: 'its hash' })
  })

  it('are to the bit those that the model makes here, and leave the candles as they were', async () => {
    const before = BTC.close.slice()
    const here = await openPredictor(artifact)
    const range = { from: 2300, to: 2390 }
    const expected = await here.predict(BTC, range)
    await here.close()
    const made = await forecast(range)
    expect(made).toEqual<Predictions>(expected)
    expect(reasonFor(made, 2389)).toBe(reasonFor(expected, 2389))
    expect(BTC.close).toEqual(before)
  })

  it('are of all candles where no range is given, and refused outside of them', async () => {
    expect(await forecast()).toMatchObject({ from: 0, to: 2400 })
    await expect(forecast({ from: 10, to: 2401 })).rejects.toThrow('does not lie within the 2400 candles')
  })

  it('go on in another thread where one has ended', async () => {
    const [before] = threads
    const last = { from: 2399, to: 2400 }
    for (const version of ['v3', 'v4']) await forecast(last, version)
    await before!.close()
    // The one that was used last is asked first: it, too, is gone with the thread.
    for (const version of ['v4', 'v3']) expect((await forecast(last, version)).pUp).toHaveLength(1)
    expect(threads).toHaveLength(2)
  })

  it('say which version is not trained, and what to do', async () => {
    const asked = (version: string) => predictors.use(version, 'BTCUSDT', '1h', async () => {})
    await expect(asked('v9')).rejects.toMatchObject({
      code: 'model_not_trained',
      message: 'v9 is not trained on BTCUSDT 1h. Train it on that series first, or choose one that is.',
    })
    // Deleted after it was looked up.
    await expect(asked('gone')).rejects.toMatchObject({ code: 'model_not_trained' })
    await expect(predictors.find('v9', 'BTCUSDT', '1h')).rejects.toMatchObject({ code: 'model_not_trained' })
    await predictors.find('v3', 'BTCUSDT', '1h')
  })

  it('end with their thread', async () => {
    await predictors.close()
    expect(threads.map(({ alive }) => alive)).toEqual([false, false])
  })
})
