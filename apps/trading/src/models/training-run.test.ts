import { AppError } from '@shapecast/contracts/errors'
import type { ArtifactComparison } from '@shapecast/contracts/ml'
import { emptyCandles } from '@shapecast/engine/candles'
import type { TrainCheckpoint } from '@shapecast/ml/train/train-networks'
import { silentLogger } from '@shapecast/platform/logging'
import { beforeEach, describe, expect, it } from 'vitest'
import type { NewArtifact } from './artifact-rows.ts'
import type { TrainArtifactInput } from './train-artifact.ts'
import type { Shown, Training } from './training-kind.ts'
import { type TrainingWorkDeps, trainingWork } from './training-run.ts'

const ARTIFACT = { hash: 'a' } as NewArtifact
const bytes = (n: number) => new Uint8Array([n])

/** What is done, in order. */
let done: string[]
/** What a worker that died left behind. */
let left: TrainCheckpoint
let train: (input: TrainArtifactInput) => Promise<NewArtifact>
beforeEach(() => {
  done = []
  left = {}
  train = async () => ARTIFACT
})

const REQUEST = { venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h', version: 'v3', fromMs: 7, toMs: 9, params: {} }
const run = async (changed: Partial<TrainingWorkDeps> = {}) => {
  const work = trainingWork({
    candles: {
      load: async (symbol, timeframe, { fromMs, toMs }) => {
        done.push(`load ${symbol} ${timeframe} ${fromMs} ${toMs}`)
        return emptyCandles(0)
      },
    },
    train: (input) => train(input),
    checkpoints: {
      load: async () => left,
      save: async (_id, network, state) => {
        done.push(`save ${network} ${state[0]}`)
      },
      discard: async () => {
        done.push('discard')
      },
    },
    judge: async () => null,
    traders: { tell: async () => undefined },
    log: silentLogger(),
    now: () => 1,
    ...changed,
  })
  const control = {
    signal: new AbortController().signal,
    report: () => undefined,
    write: async ({ phase }: Shown) => void done.push(`write ${phase}`),
  }
  const { artifact, comparison } = await work.run({ id: 'id', payload: REQUEST } as unknown as Training, control)
  done.push(`made ${artifact.hash} ${comparison?.verdict ?? 'first'}`)
}
const failing = (times: number, error: unknown) => {
  const resumed: unknown[] = []
  train = async ({ resume }) => {
    resumed.push(resume)
    if (resumed.length <= times) throw error
    return ARTIFACT
  }
  return resumed
}
const LOADED = ['write loading candles', 'load BTCUSDT 1h 7 9']
const MADE = ['write comparing', 'made a first']

describe('a training that is carried out', () => {
  it('hands on what it made, with how it stood against the one before', async () => {
    await run()
    expect(done).toEqual([...LOADED, ...MADE])
    await run({ judge: async () => ({ verdict: 'better' }) as ArtifactComparison })
    expect(done.at(-1)).toBe('made a better')
  })

  it('keeps after an epoch the network that has learnt, and does not write the other one again', async () => {
    left = { lstm: bytes(1) }
    const [lstm, transformer] = [left.lstm!, bytes(2)]
    train = async ({ onCheckpoint }) => {
      await onCheckpoint!({ lstm })
      await onCheckpoint!({ lstm, transformer })
      await onCheckpoint!({ lstm, transformer })
      await onCheckpoint!({ lstm, transformer: bytes(3) })
      return ARTIFACT
    }
    await run()
    expect(done).toEqual([...LOADED, 'save transformer 2', 'save transformer 3', ...MADE])
  })

  it('is not over before what it has learnt is kept', async () => {
    const kept = Promise.withResolvers<void>()
    train = async ({ onCheckpoint }) => {
      await onCheckpoint!({ lstm: bytes(1) })
      done.push('next epoch')
      return ARTIFACT
    }
    const save = async () => {
      await kept.promise
      done.push('kept')
    }
    const running = run({ checkpoints: { load: async () => ({}), save, discard: async () => {} } })
    await new Promise((resolve) => setTimeout(resolve, 10))
    kept.resolve()
    await running
    expect(done).toEqual([...LOADED, 'kept', 'next epoch', ...MADE])
  })
})

describe('what a dead worker left behind', () => {
  it('is gone on with', async () => {
    left = { lstm: bytes(1) }
    const resumed = failing(0, null)
    await run()
    expect(resumed).toEqual([left])
    expect(done).toEqual([...LOADED, ...MADE])
  })

  it.each(['conflict', 'unprocessable'] as const)(
    'is thrown away where it does not fit (%s), and the training starts over',
    async (code) => {
      left = { lstm: bytes(1) }
      const resumed = failing(1, new AppError(code, 'It is of another training.'))
      await run()
      expect(resumed).toEqual([left, undefined])
      expect(done).toEqual([...LOADED, 'discard', ...MADE])
    },
  )

  it('is no reason to start over where something else is wrong, nor where nothing was left', async () => {
    left = { lstm: bytes(1) }
    expect(failing(1, new AppError('too_few_candles', 'There are 7.'))).toEqual([])
    await expect(run()).rejects.toThrow('There are 7.')
    const broken = failing(1, new TypeError('a fault'))
    await expect(run()).rejects.toThrow('a fault')
    expect(broken).toHaveLength(1)
    left = {}
    const none = failing(1, new AppError('unprocessable', 'The losses are not finite.'))
    await expect(run()).rejects.toThrow('The losses are not finite.')
    expect(none).toEqual([undefined])
  })
})
