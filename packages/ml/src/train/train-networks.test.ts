import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { generateCandles } from '../testing/generated-candles.ts'
import { trainModel } from '../train-model.ts'

/** Threads of this process that let others go first. */
const threadsInTheBack = (): number =>
  readdirSync('/proc/self/task').filter((task) => {
    // The name of a thread, in brackets, may hold spaces; the 17th field behind it is the nice value.
    const fields = readFileSync(`/proc/self/task/${task}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return Number(fields[16]) > 0
  }).length

it.skipIf(process.platform !== 'linux')(
  'trains each network in a thread of its own, behind all that somebody waits for',
  async () => {
    const seen = new AbortController()
    const training = trainModel({
      candles: generateCandles({ candles: 2000, seed: 1 }),
      timeframe: '1h',
      settings: { epochs: 40, lstmHidden: 8, lookback: 16 },
      roundTripCostBps: 22,
      createdAtMs: 1,
      source: { venue: 'replay', symbol: 'BTCUSDT' },
      onProgress: ({ phase }) => {
        if (phase === 'networks' && threadsInTheBack() === 2) seen.abort(new Error('both were seen'))
      },
      signal: seen.signal,
    })
    await expect(training).rejects.toThrow('both were seen')
  },
)
