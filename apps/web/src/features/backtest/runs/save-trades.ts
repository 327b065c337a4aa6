import { exportBacktestRun } from '@shapecast/contracts/backtest'
import { file } from '#wire/calls/client.ts'

/** The trades of a run as a CSV file. */
export const fetchTrades = (id: string) => file(exportBacktestRun, { params: { id }, query: {} })

/** Where the file brings no name of its own. */
export const tradesName = (id: string) => `trades-${id}.csv`
