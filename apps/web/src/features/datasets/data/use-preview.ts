import { type DatasetPreview, previewDataset } from '@shapecast/contracts/datasets'
import { type PredictionRow, predictions } from '@shapecast/contracts/predictions'
import { useMutation } from '@tanstack/react-query'
import { call } from '#wire/calls/client.ts'
import type { DataChoice } from './use-data-choice.ts'

export const MOST_PREVIEWED = 3
const LEAST_PREDICTIONS = 2000
const MOST_PREDICTIONS = 20_000

export interface SignalCounts {
  readonly buy: number
  readonly sell: number
  readonly hold: number
  /** Of all of them, those whose outcome the model has learnt from. */
  readonly trainedOn: number
}

export interface Preview {
  readonly dataset: DatasetPreview
  /** What the current model said over the range; null where none is trained on this series. */
  readonly signals: SignalCounts | null
}

/** Predictions to ask for: at least 2000, or twice the candles. */
export const predictionLimit = (candles: number): number =>
  Math.min(MOST_PREDICTIONS, Math.max(LEAST_PREDICTIONS, 2 * candles))

export function countSignals(rows: readonly Pick<PredictionRow, 'signal' | 'trainedOn'>[]): SignalCounts | null {
  if (rows.length === 0) return null
  const of = (signal: PredictionRow['signal']) => rows.filter((row) => row.signal === signal).length
  return {
    buy: of('BUY'),
    sell: of('SELL'),
    hold: of('HOLD'),
    trainedOn: rows.filter((row) => row.trainedOn).length,
  }
}

type Wanted = Pick<DataChoice, 'coins' | 'timeframe' | 'window' | 'counts' | 'key'>

async function previewOf(symbol: string, { timeframe, window, counts }: Wanted): Promise<Preview> {
  const range = { from: window.fromMs ?? undefined, to: window.toMs === null ? undefined : window.toMs - 1 }
  const query = { symbol, timeframe, ...range }
  const [dataset, signals] = await Promise.all([
    call(previewDataset, { query }),
    call(predictions, { query: { ...query, limit: predictionLimit(counts.candles) } })
      .then(countSignals)
      .catch(() => null),
  ])
  return { dataset, signals }
}

/** Looks at what the range holds of the first 3 coins. A failure clears what was shown. */
export const usePreview = () =>
  useMutation({
    mutationFn: (wanted: Wanted) =>
      Promise.all(wanted.coins.slice(0, MOST_PREVIEWED).map((symbol) => previewOf(symbol, wanted))),
  })
