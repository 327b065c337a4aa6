import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Database } from '@shapecast/platform/database/database'
import { aggregateCandles } from '@shapecast/venues/aggregate'
import type { LiveVenue } from '@shapecast/venues/live-venue'
import { selectCandles } from '@shapecast/venues/venue'
import { createTurns } from '../ground/turns.ts'
import { countOf, createGapFinder, keepGaps, knownGapsOf, missingRuns, type Run, withoutKnown } from './gaps.ts'
import { type StoredSeries, seriesOfSymbol } from './series-store.ts'
import type { StoredCandles } from './stored-candles.ts'
import { writeCandles } from './write-candles.ts'

export interface FillOptions {
  readonly signal?: AbortSignal | undefined
  readonly againFromMs?: number | undefined
}

/** Runs that lie closer than this are asked for in one go: less than half a page of an exchange. */
const JOIN_CANDLES = 400
/** More parts than this are not read to make candles out of smaller ones. */
const MOST_PARTS = 500_000

/** Completes the stored candles of one venue by asking it for those that are missing. */
export function createCandleFiller(deps: {
  db: Database
  stored: StoredCandles
  source: Pick<LiveVenue, 'name' | 'history'>
  now: () => number
}) {
  const { db, stored, source, now } = deps
  const venue = source.name
  const inTurn = createTurns()

  async function lacking(
    symbol: string,
    timeframe: Timeframe,
    range: Run,
    known?: readonly StoredSeries[],
  ): Promise<Run[]> {
    const step = TIMEFRAME_MS[timeframe]
    const onGrid = { fromMs: Math.ceil(range.fromMs / step) * step, toMs: Math.floor(range.toMs / step) * step }
    if (onGrid.fromMs > onGrid.toMs) return []
    const all = known ?? (await seriesOfSymbol(db.orm, venue, symbol))
    const own = all.find((s) => s.timeframe === timeframe)
    const whole = own?.gapCount === 0 && own.firstTs <= onGrid.fromMs && own.lastTs >= onGrid.toMs
    if (whole) return []
    const ts = own === undefined ? new Float64Array() : (await stored.candles(venue, symbol, timeframe, onGrid, all)).ts
    const runs = missingRuns(ts, onGrid, step)
    if (runs.length === 0) return []
    return withoutKnown(runs, await knownGapsOf(db.orm, { venue, symbol, timeframe }, onGrid), step)
  }

  /** What complete smaller candles already say: no need to ask for it. */
  async function fromSmaller(symbol: string, timeframe: Timeframe, runs: readonly Run[]): Promise<number> {
    const step = TIMEFRAME_MS[timeframe]
    const smaller = (await seriesOfSymbol(db.orm, venue, symbol)).filter((s) => TIMEFRAME_MS[s.timeframe] < step)
    let made = 0
    for (const { timeframe: part, firstTs, lastTs } of smaller.reverse()) {
      const partMs = TIMEFRAME_MS[part]
      for (const run of runs) {
        const range = { fromMs: Math.max(run.fromMs, firstTs), toMs: Math.min(run.toMs + step - partMs, lastTs) }
        if (range.toMs - range.fromMs < step - partMs || (range.toMs - range.fromMs) / partMs > MOST_PARTS) continue
        const larger = aggregateCandles(await stored.candles(venue, symbol, part, range), partMs, step)
        made += (await writeCandles(db.pool, { venue, symbol, timeframe }, larger, 0)).added.length
      }
      if (made > 0) break
    }
    return made
  }

  async function ask(symbol: string, timeframe: Timeframe, run: Run, signal?: AbortSignal): Promise<number> {
    const step = TIMEFRAME_MS[timeframe]
    const name = { venue, symbol, timeframe }
    // One more candle: where it comes, what lies before it and does not is a gap of the venue, not one of its delay.
    const asked = { fromMs: run.fromMs, toMs: run.toMs + step }
    let added = 0
    const gaps = createGapFinder(run.fromMs, step)
    for await (const chunk of source.history({ symbol, timeframe, ...asked, signal })) {
      const candles = selectCandles(chunk.candles, asked)
      added += (await writeCandles(db.pool, name, candles, chunk.askedMs)).added.length
      await keepGaps(db, name, gaps.next(candles, chunk.refused), now())
    }
    return added
  }

  async function complete(symbol: string, timeframe: Timeframe, range: Run, options: FillOptions): Promise<number> {
    const { signal, againFromMs } = options
    let runs = await lacking(symbol, timeframe, range)
    let added = runs.length === 0 ? 0 : await fromSmaller(symbol, timeframe, runs)
    if (added > 0) runs = await lacking(symbol, timeframe, range)
    if (againFromMs !== undefined && againFromMs <= range.toMs)
      runs = [
        ...runs.filter((run) => run.toMs < againFromMs),
        { fromMs: earliest(runs, againFromMs), toMs: range.toMs },
      ]
    for (const run of joined(runs, JOIN_CANDLES * TIMEFRAME_MS[timeframe])) {
      signal?.throwIfAborted()
      added += await ask(symbol, timeframe, run, signal)
    }
    return added
  }

  return {
    /**
     * Asks for what is missing of a range of open times (both ends included) and stores it; what the venue itself does
     * not have is written down and not asked for again. Resolves to the candles that are new. Throws what `history`
     * throws; what came until then is stored. From `againFromMs` on it asks for what is stored too: the venue may have
     * revised it. One at a time a series: the second then finds what the first has brought, or gives up waiting for it.
     */
    fill(symbol: string, timeframe: Timeframe, range: Run, options: FillOptions = {}): Promise<number> {
      const mine = inTurn(`${symbol} ${timeframe}`, async () => {
        options.signal?.throwIfAborted()
        return complete(symbol, timeframe, range, options)
      })
      return untilAborted(mine, options.signal)
    },
    /**
     * How many candles of a range are neither stored nor known to be missing at the venue. A caller that has just looked at the
     * symbol's series hands them on as `known`.
     */
    async missing(symbol: string, timeframe: Timeframe, range: Run, known?: readonly StoredSeries[]): Promise<number> {
      return countOf(await lacking(symbol, timeframe, range, known), TIMEFRAME_MS[timeframe])
    },
  }
}

export type CandleFiller = ReturnType<typeof createCandleFiller>

/** What `work` gives, or the signal's reason as soon as it is aborted. */
function untilAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Where a reading from `fromMs` on has to begin for it to take along the run that lies across. */
const earliest = (runs: readonly Run[], fromMs: number): number =>
  Math.min(fromMs, ...runs.filter((run) => run.toMs >= fromMs).map((run) => run.fromMs))

function joined(runs: readonly Run[], nearMs: number): Run[] {
  const out: Run[] = []
  for (const run of runs) {
    const last = out.at(-1)
    if (last !== undefined && run.fromMs - last.toMs <= nearMs) out[out.length - 1] = { ...last, toMs: run.toMs }
    else out.push(run)
  }
  return out
}
