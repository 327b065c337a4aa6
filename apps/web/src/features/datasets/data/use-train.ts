import { ApiError } from '@shapecast/contracts/client'
import { type TrainParams, train } from '@shapecast/contracts/trainings'
import { useMutation } from '@tanstack/react-query'
import { call } from '#wire/calls/client.ts'
import { MOST_CANDLES, trainingStart } from './dataset-window.ts'
import type { DataChoice } from './use-data-choice.ts'

type Wanted = Pick<DataChoice, 'coins' | 'timeframe' | 'window'> & {
  version: string
  params: TrainParams
  /** The range is too short to train on: the newest candles that there are, then. */
  takesNewest: boolean
}

export interface TrainFailure {
  readonly symbol: string
  readonly text: string
  readonly tooFewCandles: boolean
  /** Whether the service refused it, rather than could not be asked. */
  readonly isRefused: boolean
}

/** Sends one training a coin. What one coin is refused does not hold up the others; the refusals are returned. */
export function useTrain() {
  return useMutation({
    mutationFn: async ({ coins, timeframe, window, version, params, takesNewest }: Wanted): Promise<TrainFailure[]> => {
      const { fromMs, toMs } = window
      if (fromMs === null || toMs === null) return []
      const candles = takesNewest
        ? { limit: MOST_CANDLES }
        : { from: trainingStart(fromMs, toMs, timeframe), to: toMs - 1 }
      const failures: TrainFailure[] = []
      for (const symbol of coins) {
        try {
          await call(train, { body: { version, symbol, timeframe, ...candles, params } })
        } catch (error) {
          console.warn(`Training ${version} on ${symbol} could not be started.`, error)
          failures.push({
            symbol,
            text: error instanceof ApiError ? error.message : 'The training could not be started.',
            isRefused: error instanceof ApiError && error.fromServer && error.status < 500,
            tooFewCandles: error instanceof ApiError && error.code === 'too_few_candles',
          })
        }
      }
      return failures
    },
    meta: { changes: [train] },
  })
}
