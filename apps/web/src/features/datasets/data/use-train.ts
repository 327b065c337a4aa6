import { ApiError } from '@shapecast/contracts/client'
import { type TrainParams, train, trainingJobs } from '@shapecast/contracts/trainings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { endpointKey } from '../../../shared/api/use-endpoint.ts'
import { trainingStart } from './dataset-window.ts'
import type { DataChoice } from './use-data-choice.ts'

type Wanted = Pick<DataChoice, 'coins' | 'timeframe' | 'window'> & { version: string; params: TrainParams }

export interface TrainFailure {
  readonly symbol: string
  readonly text: string
  readonly tooFewCandles: boolean
  /** Whether the service refused it, rather than could not be asked. */
  readonly isRefused: boolean
}

/** Sends one training a coin. What one coin is refused does not hold up the others; the refusals are returned. */
export function useTrain() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ coins, timeframe, window, version, params }: Wanted): Promise<TrainFailure[]> => {
      const { fromMs, toMs } = window
      if (fromMs === null || toMs === null) return []
      const from = trainingStart(fromMs, toMs, timeframe)
      const failures: TrainFailure[] = []
      for (const symbol of coins) {
        try {
          await call(train, { body: { version, symbol, timeframe, from, to: toMs - 1, params } })
        } catch (error) {
          console.error(`Training ${version} on ${symbol} could not be started.`, error)
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
    onSettled: () => queryClient.invalidateQueries({ queryKey: endpointKey(trainingJobs) }),
  })
}
