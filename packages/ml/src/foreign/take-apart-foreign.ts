import { type Feature, featuresOf } from '@shapecast/contracts/features'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { HOLDOUT_CANDLES } from '@shapecast/contracts/training-candles'
import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import type { Beside } from '../forecast/beside-series.ts'
import { historyCandles, scoredCandles } from '../forecast/predict-range.ts'
import { type LookedAt, rowsLookedAt, type TakenApart } from '../forecast/taken-apart.ts'
import { type ForeignCard, inputNames, learntFrom } from './foreign-card.ts'
import {
  type ForeignReading,
  finishForeign,
  foreignCorrections,
  foreignRaw,
  foreignSeries,
} from './foreign-forecast.ts'
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
  const ours = new Map<string, Feature>(featuresOf(card.timeframe).map((feature) => [feature.name, feature]))
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
 */
export async function takeApartForeign(
  sandbox: Sandbox,
  reading: ForeignReading,
  given: Candles,
  beside: Beside,
): Promise<TakenApart> {
  const { card } = reading
  const { horizons, lookback, signalHorizon, timeframe } = card
  const learnt = learntFrom(card)
  // The forecast before the first held-out candle is of it.
  const judged = HOLDOUT_CANDLES + 1
  const candles = sliceCandles(given, Math.max(0, given.length - historyCandles(card) - judged), given.length)
  const to = candles.length
  const from = Math.max(0, to - judged)
  const names = inputNames(card)
  const series = foreignSeries(card, candles, beside)
  const inputs = Object.fromEntries(names.map((name, c) => [name, series.columns[c]!]))
  const whole = await foreignRaw(sandbox, card, series, Math.max(0, from - scoredCandles(horizons)))
  const corrections = foreignCorrections(card, series, whole, from)
  // The outcomes that it has learnt from reach past the last candle that it was shown.
  const learntTo = learnt === undefined ? 0 : learnt.to + horizons * TIMEFRAME_MS[timeframe]
  const seen = learnt !== undefined && learntTo > (candles.ts[from] ?? 0) && learnt.from <= (candles.ts[to - 1] ?? 0)
  return {
    candles,
    timeframeMs: TIMEFRAME_MS[timeframe],
    signalHorizon,
    lookback,
    from,
    to,
    rows: rowsLookedAt(series.table, from, to, lookback),
    inputs,
    lookedAt: thingsDeclared(card),
    caveat: seen
      ? 'Its author says that it has learnt from some of these candles: what it learnt by heart there shows as importance.'
      : learnt === undefined
        ? 'It was trained elsewhere, and nobody here knows whether on these candles: what it learnt by heart there would show as importance.'
        : null,
    async forecastFrom(changed) {
      const columns = names.map((name) => changed[name]!)
      const raw = await foreignRaw(sandbox, card, { ...series, columns }, from)
      return finishForeign(reading, series, { raw, corrections }, from)
    },
    close: async () => {},
  }
}
