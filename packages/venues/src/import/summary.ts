import type { ImportReport } from '@shapecast/contracts/market'

export type Gap = ImportReport['gaps'][number]
export type RefusedRow = ImportReport['refused'][number]

/** In which order of time the rows came. */
export type RowOrder = 'ascending' | 'descending' | 'unordered'

/** What reading a file found, before anything of it is stored. */
export interface CandleFileSummary
  extends Pick<
    ImportReport,
    | 'dialect'
    | 'timeUnit'
    | 'rowsRead'
    | 'duplicates'
    | 'first'
    | 'last'
    | 'gapCount'
    | 'missingCandles'
    | 'gaps'
    | 'refusedCount'
    | 'refused'
    | 'problems'
  > {
  /** Different good candles. */
  readonly candles: number
  readonly order: RowOrder
  /** Whether what was handed on may be stored: no problem, and no refused row unless those were to be skipped. */
  readonly acceptable: boolean
}
