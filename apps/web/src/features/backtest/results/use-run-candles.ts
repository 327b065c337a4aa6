import type { BacktestRun } from '@shapecast/contracts/backtest'
import { type CandleRow, ohlcv } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { useQuery } from '@tanstack/react-query'
import { call } from '#wire/calls/client.ts'
import { endpointKey } from '#wire/calls/use-endpoint.ts'
import { candleQuery, candlesOfRun, chartTimeframe } from './chart-candles.ts'

export interface RunCandles {
  readonly rows: CandleRow[]
  /** Coarser than the run's own where the run has more candles than a chart can draw. */
  readonly timeframe: Timeframe
}

async function loadCandles(run: BacktestRun, signal: AbortSignal): Promise<RunCandles> {
  const load = async (timeframe: Timeframe): Promise<RunCandles> => {
    const query = candleQuery(run, timeframe)
    const rows = await call(ohlcv, { params: { symbol: run.symbol }, query, signal })
    return { rows: candlesOfRun(rows, run, timeframe), timeframe }
  }
  const timeframe = chartTimeframe(run)
  const first = await load(timeframe)
  // A market without the coarser candles still has the newest of the run's own.
  return first.rows.length === 0 && timeframe !== run.timeframe ? load(run.timeframe) : first
}

/** The candles that a run's chart draws. They are history: once loaded they stay. */
export function useRunCandles(run: BacktestRun, isEnabled: boolean) {
  return useQuery({
    queryKey: [...endpointKey(ohlcv), 'run', run._id],
    queryFn: ({ signal }) => loadCandles(run, signal),
    enabled: isEnabled,
    staleTime: ({ state }) => (state.data === undefined || state.data.rows.length === 0 ? 0 : Number.POSITIVE_INFINITY),
  })
}
