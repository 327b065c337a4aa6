import type { BacktestRun } from '@shapecast/contracts/backtest'
import { tradesCsv } from '#entities/bots/trade-words.ts'
import { saveFile } from '#wire/calls/save-file.ts'

/** Hands the trades of a run to the browser to save. */
export function saveTrades(run: Pick<BacktestRun, '_id' | 'symbol' | 'timeframe' | 'trades'>): void {
  const name = `trades-${run.symbol}-${run.timeframe}-${run._id.slice(-8)}.csv`
  saveFile({ name, content: new Blob([tradesCsv(run.trades)], { type: 'text/csv' }) }, name)
}
