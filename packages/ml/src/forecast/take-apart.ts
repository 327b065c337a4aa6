import { AppError } from '@shapecast/contracts/errors'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import type { ModelArtifactFile } from '../artifact/artifact.ts'
import { placeStandardised } from '../features/standardise.ts'
import { forecastSigma } from '../recipe/har-model.ts'
import { closeNetworks } from '../runtime/run-network.ts'
import { finishForecast } from './finish-forecast.ts'
import { thingsLookedAt, volatilityInput } from './looked-at.ts'
import { openParts } from './open-parts.ts'
import { historyCandles, type OpenedModel, readRange } from './predict-range.ts'
import type { Predictions } from './predictions.ts'
import { layVolatility, runParts, type ScaledForecast } from './raw-forecast.ts'
import { type InputColumns, rowsLookedAt, type TakenApart } from './taken-apart.ts'

/** The artifact's hold-out among the candles, and as many before it as its forecasts depend on. */
function holdoutOf({ card }: ModelArtifactFile, given: Candles, history: number): { candles: Candles; from: number } {
  const { holdout } = card.ranges
  const to = given.ts.findLastIndex((ts) => ts <= card.data.to) + 1
  const first = given.ts.indexOf(holdout.from)
  if (first < 0 || given.ts[to - 1] !== card.data.to)
    throw new AppError(
      'too_few_candles',
      'What a model looks at is judged by the candles that were held out when it was trained, and not all of them are stored. Import them again.',
    )
  const start = Math.max(0, first - history)
  return { candles: sliceCandles(given, start, to), from: first - start }
}

/**
 * Takes a trained artifact apart over its hold-out: its features and volatility inputs as they were, and forecasts of others
 * in their place. The table is computed once; networks run only where one of their columns is another. `close` it when
 * done. Throws `too_few_candles` where the candles do not hold the hold-out, `unprocessable` where it cannot be opened.
 */
export async function takeApart(artifact: ModelArtifactFile, given: Candles): Promise<TakenApart> {
  const model = await openParts(artifact)
  try {
    return await overHoldout(model, artifact, given)
  } catch (error) {
    await closeNetworks(model.parts.networks)
    throw error
  }
}

async function overHoldout(model: OpenedModel, artifact: ModelArtifactFile, given: Candles): Promise<TakenApart> {
  const { parts } = model
  const { candles, from } = holdoutOf(artifact, given, historyCandles(parts))
  const to = candles.length
  const first = Math.max(0, from - parts.lookback + 1)
  // As the model was corrected when it forecast these candles: a correction that learnt to live with shuffled inputs
  // would hide part of what they cost.
  const { matrix, read } = await readRange(model, candles, from)
  const { table, sigma } = read
  const unchanged = await runParts(parts, table, matrix, from, to)
  const inputs: InputColumns = Object.fromEntries([
    ...table.names.map((name, c) => [name, table.features[c]!]),
    ...table.harNames.map((name, c) => [volatilityInput(name), table.harInputs[c]!]),
  ])

  const scaledOf = (changed: InputColumns): Promise<ScaledForecast> | ScaledForecast => {
    const others = table.names.map((name) => changed[name]!)
    if (others.every((column, c) => column === table.features[c])) return unchanged
    const other = matrix.slice()
    others.forEach((column, c) => {
      if (column !== table.features[c]) placeStandardised(other, c, column, parts.features, first)
    })
    return runParts(parts, table, other, from, to)
  }
  const sigmaOf = (changed: InputColumns): Float64Array[] => {
    const others = table.harNames.map((name) => changed[volatilityInput(name)]!)
    if (others.every((column, c) => column === table.harInputs[c])) return sigma
    const judged = forecastSigma(
      parts.har,
      others.map((column) => column.subarray(from)),
    )
    return sigma.map((column, h) => {
      const other = column.slice()
      other.set(judged[h]!, from)
      return other
    })
  }
  return {
    candles,
    timeframeMs: TIMEFRAME_MS[parts.timeframe],
    signalHorizon: parts.signalHorizon,
    lookback: parts.lookback,
    from,
    to,
    rows: rowsLookedAt(table, from, to, parts.lookback),
    inputs,
    lookedAt: thingsLookedAt(parts.timeframe, table.names, table.harNames),
    caveat: null,
    async forecastFrom(changed): Promise<Predictions> {
      const scale = sigmaOf(changed)
      return finishForecast({ ...read, sigma: scale, raw: layVolatility(parts, await scaledOf(changed), scale) })
    },
    close: () => closeNetworks(parts.networks),
  }
}
