import type { ModelStage } from '@shapecast/contracts/ml'
import type { Prediction } from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { indexAtOrAfter } from '@shapecast/engine/candles'
import type { Logger } from '@shapecast/platform/logging'
import type { SeriesMarket } from '../../market/series-market.ts'
import type { ArtifactHead } from '../../models/artifact-rows.ts'
import type { RecordStore, Score } from './record-store.ts'
import { SEALED_STAGES, sealableUntil } from './seal-window.ts'
import { mediansShown } from './shown-prediction.ts'

const QUANTILES = 5
/** Outcomes of predictions that are older than the newest by more than this are left unknown. */
const SCORED_CANDLES = 2000

/** An artifact that seals. */
export type SealingArtifact = Pick<ArtifactHead, 'id' | 'version' | 'hash' | 'origin'> & {
  /** `holdoutTo`: open time of the last candle with a forecast whose outcome its training, or its trial, has seen, ms. */
  shown: Pick<ArtifactHead['shown'], 'holdoutTo'>
}

/** A forecast at one candle's close with everything that goes on record. */
export interface SealableForecast {
  readonly prediction: Prediction
  /** Calibrated probability that the close is higher `horizon` candles ahead. */
  readonly pUp: number
  readonly horizon: number
  /** Prices, [horizons × quantiles 5, 25, 50, 75, 95 %]. */
  readonly fan: readonly number[]
  /** Whether calling the last move's reversal calls a rise. */
  readonly reversalUp: boolean
  readonly climatology: number
}

/** What this room needs of predicting. */
export interface SealDeps {
  venue: string
  store: RecordStore
  models: {
    /** The artifacts of versions in these stages that predict a series. */
    activeOn(symbol: string, timeframe: string, stages: readonly ModelStage[]): Promise<SealingArtifact[]>
  }
  forecast(asked: { symbol: string; timeframe: Timeframe; version: string; toMs: number }): Promise<SealableForecast>
  load: SeriesMarket['load']
  /** The market's clock, ms; null where it has none. */
  marketTime(): Promise<number | null>
  log: Logger
  now(): number
}

/** `open`: how many are still to be sealed. `late`: it was too late, so that they never will be. */
export interface SealResult {
  sealed: number
  open: number
  late: boolean
}

/** Writes down the outcomes of earlier predictions of a series up to a candle. */
async function scoreSealed(deps: SealDeps, symbol: string, timeframe: Timeframe, candleTs: number): Promise<void> {
  const { store, now } = deps
  const step = TIMEFRAME_MS[timeframe]
  const open = await store.unscored(symbol, timeframe, candleTs, SCORED_CANDLES * step)
  if (open.length === 0) return
  const times = open.map((row) => row.candleTs)
  const horizons = Math.max(...open.map((row) => row.fan.length / QUANTILES))
  const candles = await deps.load(symbol, timeframe, {
    fromMs: Math.min(...times) + step,
    toMs: Math.max(...times) + horizons * step,
  })
  const closeAt = (ts: number): number | undefined => {
    const i = indexAtOrAfter(candles, ts)
    return candles.ts[i] === ts ? candles.close[i] : undefined
  }
  const scores: Score[] = []
  for (const row of open)
    for (let horizon = 1; horizon <= row.fan.length / QUANTILES; horizon++) {
      const price = row.scored.includes(horizon) ? undefined : closeAt(row.candleTs + horizon * step)
      if (price === undefined) continue
      const at = (quantile: number) => row.fan[(horizon - 1) * QUANTILES + quantile]!
      scores.push({
        seq: row.seq,
        horizon,
        price,
        covered90: price >= at(0) && price <= at(4),
        covered50: price >= at(1) && price <= at(3),
        scoredAtMs: now(),
      })
    }
  await store.addScores(scores)
}

export const createSealer = (deps: SealDeps) => {
  const { store, log, now } = deps

  /** The artifacts that seal a series; uploads last, so that what they take does not make ours late. */
  const sealing = async (symbol: string, timeframe: Timeframe) => {
    const found = await deps.models.activeOn(symbol, timeframe, SEALED_STAGES)
    return [
      ...found.filter(({ origin }) => origin === 'trained'),
      ...found.filter(({ origin }) => origin === 'uploaded'),
    ]
  }

  /** Artifacts whose last prediction could not be made: it is said once. */
  const failing = new Set<string>()
  /**
   * To be called when the candle of a series that opened at `candleTs` has closed: scores what this candle decides, then
   * seals the prediction of every artifact in production and staging that has not seen what comes after it. Nothing is
   * sealed after `sealableUntil`, or once the next candle is there. Calling it twice, or from several processes, seals
   * once.
   */
  return async (symbol: string, timeframe: Timeframe, candleTs: number): Promise<SealResult> => {
    await scoreSealed(deps, symbol, timeframe, candleTs)
    const artifacts = (await sealing(symbol, timeframe)).filter(({ shown }) => shown.holdoutTo < candleTs)
    const done = new Set(
      await store.sealedBy(
        artifacts.map((artifact) => artifact.id),
        candleTs,
      ),
    )
    const open = artifacts.filter((artifact) => !done.has(artifact.id))
    const until = sealableUntil(candleTs, timeframe)
    const clock = async () => {
      const marketTimeMs = (await deps.marketTime()) ?? now()
      if (marketTimeMs >= until) return null
      const next = { fromMs: candleTs + 1, toMs: candleTs + TIMEFRAME_MS[timeframe] }
      return (await deps.load(symbol, timeframe, next)).length > 0 ? null : { madeAtMs: now(), marketTimeMs }
    }
    const result = { sealed: 0, open: open.length, late: false }
    const tooLate = async (): Promise<SealResult> => {
      await store.noteLate()
      return { ...result, late: true }
    }
    for (const { id, version, hash } of open) {
      if ((await clock()) === null) return tooLate()
      try {
        const made = await deps.forecast({ symbol, timeframe, version, toMs: candleTs })
        failing.delete(id)
        const { prediction } = made
        // Another artifact took over, or the candle is not stored yet: the next call seals.
        if (prediction.hash !== hash || prediction.timestamp !== candleTs) continue
        const row = {
          venue: deps.venue,
          symbol,
          timeframe,
          version,
          artifactId: id,
          artifactHash: hash,
          candleTs,
          horizon: made.horizon,
          pUp: made.pUp,
          signal: prediction.signal,
          confidence: prediction.confidence,
          price: prediction.current_price,
          ...mediansShown(prediction),
          stopLoss: prediction.stopLoss,
          edgeBps: prediction.edgeBps,
          fan: [...made.fan],
          reasoning: prediction.reasoning,
          climatology: made.climatology,
          reversalUp: made.reversalUp,
        }
        const appended = await store.append(row, clock)
        if (appended === 'late') return await tooLate()
        if (appended === 'sealed') result.sealed++
        result.open--
      } catch (error) {
        if (!failing.has(id))
          log.warn({ err: error, version, symbol, timeframe, candleTs }, 'a prediction could not be sealed')
        failing.add(id)
      }
    }
    return result
  }
}
