import { type CandleRow, ohlcv } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import { useQuery } from '@tanstack/react-query'
import { call } from '#wire/calls/client.ts'
import { endpointKey } from '#wire/calls/use-endpoint.ts'

interface RunCandles {
  readonly rows: CandleRow[]
  /** Coarser than the run's own where the run has more candles than a chart can draw. */
  readonly timeframe: Timeframe
}

async function loadCandles(run: ChartStretch & { readonly symbol: string }, signal: AbortSignal): Promise<RunCandles> {
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
export function useRunCandles(run: ChartStretch & { readonly symbol: string }, isEnabled: boolean) {
  const { symbol, timeframe, startTime, endTime } = run
  return useQuery({
    queryKey: [...endpointKey(ohlcv), 'stretch', symbol, timeframe, startTime, endTime],
    queryFn: ({ signal }) => loadCandles(run, signal),
    enabled: isEnabled,
    staleTime: ({ state }) => (state.data === undefined || state.data.rows.length === 0 ? 0 : Number.POSITIVE_INFINITY),
  })
}

/** Most candles that one call returns and that one chart draws. */
const MAX_CHART_CANDLES = 10_000
const MIN_COUNT = 300

interface ChartStretch {
  readonly timeframe: Timeframe
  readonly startTime: number
  /** Open time of the last candle, ms. */
  readonly endTime: number
}

interface CandleQuery {
  readonly timeframe: Timeframe
  readonly limit: number
  readonly before: number
}

/** Most candles of `timeframe` that a stretch touches; wider ones than its own may hang over at both ends. */
const candlesIn = (stretch: ChartStretch, timeframe: Timeframe) =>
  Math.floor((stretch.endTime - stretch.startTime) / TIMEFRAME_MS[timeframe]) +
  (timeframe === stretch.timeframe ? 1 : 2)

/** The finest timeframe, from the run's own upwards, of which a chart can draw the whole run. */
export function chartTimeframe(stretch: ChartStretch): Timeframe {
  const own = TIMEFRAMES.indexOf(stretch.timeframe)
  return TIMEFRAMES.slice(own).find((timeframe) => candlesIn(stretch, timeframe) <= MAX_CHART_CANDLES) ?? '1d'
}

/** Which candles to ask for: those of the run at `timeframe`, at least 300. */
export function candleQuery(stretch: ChartStretch, timeframe: Timeframe): CandleQuery {
  const limit = Math.min(MAX_CHART_CANDLES, Math.max(MIN_COUNT, candlesIn(stretch, timeframe)))
  return { timeframe, limit, before: stretch.endTime + 1 }
}

/** The candles of the run among those that came, the one in which it begins included. */
export function candlesOfRun(rows: readonly CandleRow[], stretch: ChartStretch, timeframe: Timeframe): CandleRow[] {
  const step = TIMEFRAME_MS[timeframe]
  return rows.filter((row) => row[0] + step > stretch.startTime && row[0] <= stretch.endTime)
}
