import type { Dataset } from '@shapecast/contracts/datasets'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { HOLDOUT_CANDLES } from '@shapecast/contracts/training-candles'
import type { TimeRange } from '#entities/markets/market-range.ts'
import { formatCounted } from '#kit/format/number.ts'

type Rows = Pick<Dataset, 'symbol' | 'timeframe' | 'rows'>

/** `BTCUSDT 1h, 320 rows` */
export const datasetName = ({ symbol, timeframe, rows }: Rows): string =>
  `${symbol} ${timeframe}, ${formatCounted(rows, 'row')}`

/**
 * The range that has a dataset as its export: its rows, and after them the 400 candles that judge models, as far as the
 * market has come.
 */
export const rangeOfDataset = (
  { from, to, timeframe }: Pick<Dataset, 'from' | 'to' | 'timeframe'>,
  nowMs: number,
): TimeRange => {
  const stepMs = TIMEFRAME_MS[timeframe]
  return { fromMs: from, toMs: Math.max(to + stepMs, Math.min(to + (HOLDOUT_CANDLES + 1) * stepMs, nowMs)) }
}
