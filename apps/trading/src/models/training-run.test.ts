import { AppError } from '@shapecast/contracts/errors'
import type { ArtifactComparison } from '@shapecast/contracts/ml'
import { emptyCandles } from '@shapecast/engine/candles'
import type { TrainCheckpoint } from '@shapecast/ml/train/train-networks'
import { silentLogger } from '@shapecast/platform/logging'
import { beforeEach, describe, expect, it } from 'vitest'
import type { NewArtifact } from './artifact-rows.ts'
import type { TrainingRow } from './tables.ts'
import type { TrainArtifactInput } from './train-artifact.ts'
import { runTraining, type TrainingRunDeps } from './training-run.ts'
import { NOT_STARTED } from './training-store.ts'

const ARTIFACT = { hash: 'a' } as NewArtifact
const bytes = (n: number) => new Uint8Array([n])

/** What is done to the row and to what is kept of it, in order. */
let done: string[]
/** What a worker that died left behind. */
let left: TrainCheckpoint
let train: (input: TrainArtifactInput) => Promise<NewArtifact>
let isCancelled: boolean
beforeEach(() => {
  done = []
  left = {}
  train = async () => ARTIFACT
  isCancelled = false
})

const run = (changed: Partial<TrainingRunDeps> = {}, signal = new AbortController().signal) => {
  const request = { venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h', version: 'v3', fromMs: 7, toMs: 9, params: {} }
  const deps: TrainingRunDeps = {
    store: {
      begin: async () => ({ request, progress: NOT_STARTED }) as unknown as TrainingRow,
      report: async (_id, { phase }) => {
        done.push(`report ${phase}`)
        return !isCancelled
      },
      complete: async (_id, { hash }, comparison) => {
        done.push(`complete ${hash} ${comparison?.verdict ?? 'first'}`)
        return isCancelled ? undefined : 'stored'
      },
      end: async (_id, status, error) => {
        done.push(`${status} ${error}`)
        return undefined
      },
    },
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
    log: silentLogger(),
    now: () => 1,
    ...changed,
  }
  return runTraining(deps, 'id', signal)
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
const LOADED = 'load BTCUSDT 1h 7 9'
const STORED = ['report comparing', 'complete a first']

describe('a training that is carried out', () => {
  it('does nothing where it is over already', async () => {
    const store = { begin: async () => undefined } as unknown as TrainingRunDeps['store']
    expect(await run({ store })).toBeUndefined()
    expect(done).toEqual([])
  })

  it('stores what it made, with how it stood against the one before', async () => {
    await run()
    expect(done).toEqual([LOADED, ...STORED])
    await run({ judge: async () => ({ verdict: 'better' }) as ArtifactComparison })
    expect(done.at(-1)).toBe('complete a better')
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
    expect(done).toEqual([LOADED, 'save transformer 2', 'save transformer 3', ...STORED])
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
    expect(done).toEqual([LOADED, 'kept', 'next epoch', ...STORED])
  })
})

describe('what a dead worker left behind', () => {
  it('is gone on with', async () => {
    left = { lstm: bytes(1) }
    const resumed = failing(0, null)
    await run()
    expect(resumed).toEqual([left])
    expect(done).toEqual([LOADED, ...STORED])
  })

  it.each(['conflict', 'unprocessable'] as const)(
    'is thrown away where it does not fit (%s), and the training starts over',
    async (code) => {
      left = { lstm: bytes(1) }
      const resumed = failing(1, new AppError(code, 'It is of another training.'))
      await run()
      expect(resumed).toEqual([left, undefined])
      expect(done).toEqual([LOADED, 'discard', ...STORED])
    },
  )

  it('is no reason to start over where something else is wrong, nor where nothing was left', async () => {
    left = { lstm: bytes(1) }
    expect(failing(1, new AppError('too_few_candles', 'There are 7.'))).toEqual([])
    await run()
    expect(done).toEqual([LOADED, 'failed There are 7.'])
    const broken = failing(1, new TypeError('a fault'))
    await run()
    expect(broken).toHaveLength(1)
    left = {}
    const none = failing(1, new AppError('unprocessable', 'The losses are not finite.'))
    await run()
    expect(none).toEqual([undefined])
    expect(done.at(-1)).toBe('failed The losses are not finite.')
  })
})
