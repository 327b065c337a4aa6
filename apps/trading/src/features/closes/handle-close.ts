import { AppError } from '@shapecast/contracts/errors'
import type { Prediction } from '@shapecast/contracts/predictions'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { isUnreachable } from '@shapecast/platform/database/unreachable'
import type { Logger } from '@shapecast/platform/logging'
import type pg from 'pg'
import { type Close, closeKey } from './close-job.ts'
import { inOrder } from './in-order.ts'

/** What a version says at a close, or in words why it says nothing. */
export type Said = { prediction: Prediction; error: null } | { prediction: null; error: string }

/** The bots, as far as closes go. */
export interface BotsAtClose {
  /**
   * Open time of the last candle that every bot on this series has decided, and the versions that they ask; null where
   * no bot trades it.
   */
  waiting(symbol: string, timeframe: Timeframe): Promise<{ decidedTs: number; versions: readonly string[] } | null>
  /**
   * Decides every bot of the series at this close. Called for each candle in order, again where it failed or the process
   * died: a bot that has decided it leaves it out. `said` is by version; one that is missing was not asked.
   */
  decideBots(close: Close, said: ReadonlyMap<string, Said>): Promise<void>
}

export interface HandleCloseDeps {
  readonly venue: string
  readonly pool: Pick<pg.Pool, 'connect'>
  /** Forecasts each artifact that is on record once, seals what it says, and tells of it by version. */
  seal(
    symbol: string,
    timeframe: Timeframe,
    candleTs: number,
    said: (version: string, prediction: Prediction) => void,
  ): Promise<{ open: number; late: boolean }>
  /** What a version says at the last closed candle up to `toMs`. */
  forecast(asked: {
    symbol: string
    timeframe: Timeframe
    version: string
    toMs: number
  }): Promise<{ prediction: Prediction }>
  load(
    symbol: string,
    timeframe: Timeframe,
    range: { fromMs?: number; toMs?: number; limit?: number },
  ): Promise<Candles>
  readonly bots: BotsAtClose | null
  readonly log: Logger
}

/** An artifact may be replaced while it forecasts: then the new one is asked. */
const SEAL_TRIES = 2

/**
 * What is done at the close of a candle: each artifact forecasts once and is sealed, then the bots decide, and before
 * that all candles that they have not decided yet, in order. Sealing is bound to its time and so waits for no bot. No
 * transaction is open while a model runs. Whatever was done before a process died is found done.
 */
export function createCloseHandler(deps: HandleCloseDeps) {
  const { venue, bots, log } = deps

  async function seal(close: Close): Promise<Map<string, Said>> {
    const { symbol, timeframe, candleTs } = close
    const said = new Map<string, Said>()
    for (let tries = 1; ; tries++) {
      const { open, late } = await deps.seal(symbol, timeframe, candleTs, (version, prediction) =>
        said.set(version, { prediction, error: null }),
      )
      if (late && open > 0) log.info({ ...close, open }, 'too late to seal the predictions of a candle')
      if (late || open === 0 || tries === SEAL_TRIES) return said
    }
  }

  async function ask(close: Close, version: string): Promise<Said> {
    const { symbol, timeframe, candleTs } = close
    try {
      const { prediction } = await deps.forecast({ symbol, timeframe, version, toMs: candleTs })
      if (prediction.timestamp === candleTs) return { prediction, error: null }
      return { prediction: null, error: 'The candle is not stored any more.' }
    } catch (error) {
      if (isUnreachable(error)) throw error
      if (error instanceof AppError) return { prediction: null, error: error.message }
      log.error({ err: error, version, ...close }, 'a prediction failed')
      return { prediction: null, error: 'The prediction failed by an error of the program.' }
    }
  }

  /** Has the bots decide every candle up to `last` that they have not. */
  async function decide(
    last: Close,
    sealed: ReadonlyMap<string, Said>,
    signal: AbortSignal,
    { waiting, decideBots }: BotsAtClose,
  ): Promise<void> {
    const { symbol, timeframe } = last
    const wait = await waiting(symbol, timeframe)
    if (wait === null || wait.decidedTs >= last.candleTs) return
    const { ts } = await deps.load(symbol, timeframe, { fromMs: wait.decidedTs + 1, toMs: last.candleTs })
    for (const candleTs of ts) {
      signal.throwIfAborted()
      const close = { ...last, candleTs }
      const said = new Map(candleTs === last.candleTs ? sealed : [])
      for (const version of wait.versions) if (!said.has(version)) said.set(version, await ask(close, version))
      await decideBots(close, said)
    }
  }

  /** Open time of the newest closed candle of a series; null where there is none. */
  async function newestOf({ symbol, timeframe }: Close): Promise<number | null> {
    return (await deps.load(symbol, timeframe, { limit: 1 })).ts[0] ?? null
  }

  /** Handles a close. However often it is called, in whatever processes: each is sealed and decided once. */
  return async (told: Close, signal: AbortSignal): Promise<void> => {
    if (told.venue !== venue) return
    const sealed = await seal(told)
    if (bots === null) return
    const series = closeKey({ ...told, candleTs: 0 })
    let last: Close | null = told
    while (last !== null) {
      const mine: Close = last
      const isDone = await inOrder(deps.pool, series, () =>
        decide(mine, mine === told ? sealed : new Map(), signal, bots),
      )
      if (!isDone) return
      // One that closed meanwhile was told to a process that found the series taken.
      const newest = await newestOf(told)
      last = newest !== null && newest > mine.candleTs ? { ...told, candleTs: newest } : null
    }
  }
}
