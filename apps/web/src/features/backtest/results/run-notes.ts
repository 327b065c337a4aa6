import type { BacktestRun } from '@shapecast/contracts/backtest'
import { formatCounted } from '../../../shared/format/number.ts'
import { formatDate } from '../../../shared/format/time.ts'

export interface RunNote {
  readonly id: string
  readonly text: string
  /** Amber: the figures mean less than they seem to. */
  readonly caution: boolean
}

/** What a reader of the figures must know about where they come from. */
export function runNotes(
  run: Pick<BacktestRun, 'market' | 'venue' | 'meta' | 'params' | 'symbol' | 'symbols'>,
): RunNote[] {
  const notes: RunNote[] = []
  const { meta } = run
  if (meta.caveat !== undefined) notes.push({ id: 'caveat', caution: true, text: meta.caveat })
  if (run.symbols !== undefined)
    notes.push({
      id: 'pairs',
      caution: false,
      text: `${run.symbols.join(', ')} on one balance. Candles and forecast in the chart are those of ${run.symbol}; buy and hold is all of them in equal shares.`,
    })
  if (run.market === 'simulated')
    notes.push({ id: 'market', caution: true, text: 'Prices are simulated. They follow no real market.' })
  if (run.market === 'replay')
    notes.push({ id: 'market', caution: false, text: `Prices are imported history (venue ${run.venue}), played back.` })
  if (meta.candlesFrom === 'request')
    notes.push({ id: 'candles', caution: true, text: 'The candles came with the request, not from the stored ones.' })
  if (meta.haltedAt !== null)
    notes.push({
      id: 'halted',
      caution: true,
      text: `Max drawdown was reached on ${formatDate(meta.haltedAt)}. No position was opened after it.`,
    })
  if (meta.gaps.count > 0)
    notes.push({
      id: 'gaps',
      caution: false,
      text: `The range has ${formatCounted(meta.gaps.count, 'gap', 'gaps')}, ${formatCounted(meta.gaps.missingCandles, 'candle', 'candles')} in all. Nothing is filled inside a gap.`,
    })
  if (run.params.marketType === 'futures' && !meta.fundingKnown)
    notes.push({ id: 'funding', caution: false, text: 'Funding rates are not known for this range and are left out.' })
  for (const { reason, count } of meta.skippedOrders)
    notes.push({
      id: `skipped ${reason}`,
      caution: false,
      text: `${formatCounted(count, 'order', 'orders')} skipped: ${reason}`,
    })
  return notes
}
