import { type Feature, featuresOf } from '@shapecast/contracts/features'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import type { LookedAt, TakenApart } from '../evaluate/taken-apart.ts'
import { buildFeatureTable } from '../features/feature-table.ts'
import { historyCandles, scoredCandles } from '../forecast/predict-range.ts'
import { rowsLookedAt } from '../forecast/rows-looked-at.ts'
import { HOLDOUT_CANDLES } from '../settings.ts'
import { type ForeignCard, inputNames } from './foreign-card.ts'
import { finishForeign, foreignCorrections, foreignRaw, scalesOf } from './foreign-forecast.ts'
import { foreignColumns } from './foreign-inputs.ts'
import type { Sandbox } from './sandbox.ts'

const CANDLE_LABELS: Readonly<Record<string, string>> = {
  open: 'Open price',
  high: 'High price',
  low: 'Low price',
  close: 'Close price',
  volume: 'Volume, as it is',
}

/** The declared inputs, each by itself: what belongs together is its author's to say. */
function thingsDeclared(card: ForeignCard): LookedAt[] {
  const ours = new Map(featuresOf(card.timeframe).map((feature) => [feature.name, feature]))
  const raw = (name: string): Feature => ({
    name,
    group: name === 'volume' ? 'volume' : 'prices',
    label: CANDLE_LABELS[name] ?? name,
  })
  return [...new Set(inputNames(card))].map((name) => ({ ...(ours.get(name) ?? raw(name)), columns: [name] }))
}

/**
 * Takes a foreign model apart over the newest 400 of the given candles: its declared inputs as they were, and forecasts of
 * others in their place. `close` does nothing: the process is the model's.
 * @param sandbox gives the model's process, started anew where it has ended
 */
export async function takeApartForeign(
  sandbox: () => Promise<Sandbox>,
  card: ForeignCard,
  roundTripCostBps: number,
  given: Candles,
): Promise<TakenApart> {
  const { horizons, lookback, signalHorizon, timeframe, trained } = card
  // The forecast before the first held-out candle is of it.
  const judged = HOLDOUT_CANDLES + 1
  const candles = sliceCandles(given, Math.max(0, given.length - historyCandles(card) - judged), given.length)
  const to = candles.length
  const from = Math.max(0, to - judged)
  const table = buildFeatureTable(candles, timeframe)
  const sigma = scalesOf(table, horizons)
  const names = inputNames(card)
  const columns = foreignColumns(card, candles, table)
  const inputs = Object.fromEntries(names.map((name, c) => [name, columns[c]!]))
  const start = Math.max(0, from - scoredCandles(horizons))
  const whole = await foreignRaw(await sandbox(), card, columns, table, sigma, start)
  const corrections = foreignCorrections(card, candles, table, whole, from)
  // The outcomes that it has learnt from reach past the last candle that it was shown.
  const learntTo = trained === undefined ? 0 : trained.to + horizons * TIMEFRAME_MS[timeframe]
  const seen = trained !== undefined && learntTo > (candles.ts[from] ?? 0) && trained.from <= (candles.ts[to - 1] ?? 0)
  return {
    candles,
    timeframeMs: TIMEFRAME_MS[timeframe],
    signalHorizon,
    lookback,
    from,
    to,
    rows: rowsLookedAt(table, from, to, lookback),
    inputs,
    lookedAt: thingsDeclared(card),
    caveat: seen
      ? 'Its author says that it has learnt from some of these candles: what it learnt by heart there shows as importance.'
      : trained === undefined
        ? 'It was trained elsewhere, and nobody here knows whether on these candles: what it learnt by heart there would show as importance.'
        : null,
    async forecastFrom(changed) {
      const given = names.map((name) => changed[name]!)
      const raw = await foreignRaw(await sandbox(), card, given, table, sigma, from)
      return finishForeign(card, roundTripCostBps, candles, table, raw, corrections, from)
    },
    close: async () => {},
  }
}
