import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { layVolatility, runParts } from '../forecast/raw-forecast.ts'
import { fitLogistic } from '../logistic/logistic-regression.ts'
import { HORIZONS, type TrainSettings } from '../settings.ts'
import { upLabels } from '../targets/outcomes.ts'
import { splitRows } from '../targets/split.ts'
import { fitVolatility, prepareData } from '../train/prepare-data.ts'
import { createProgressMeter } from '../train/progress-meter.ts'
import { trainNetworks } from '../train/train-networks.ts'
import { withTrainedParts } from '../train/trained-parts.ts'
import type { RetrainedForecasts } from './audited-pipeline.ts'

/** Enough to learn what can be seen at a glance, as a leak can. */
const SMALL = { epochs: 2, lstmHidden: 8, transformerWidth: 8, transformerHeads: 2, transformerLayers: 1 }

/**
 * The recipe's own way from candles to P(up), with small networks and with the outcomes of other candles as the target.
 * Row i is taught the outcome of candle `outcomeOf[i]`; −1 leaves it out. Throws TooFewCandles.
 */
export async function retrainSmall(
  candles: Candles,
  timeframe: Timeframe,
  given: TrainSettings,
  outcomeOf: Int32Array,
  signal?: AbortSignal,
): Promise<RetrainedForecasts> {
  const settings: TrainSettings = { ...given, ...SMALL }
  const own = prepareData(candles, timeframe, settings)
  // A candle of the warm-up has returns ahead but no move: its outcome cannot be learnt from.
  const whole = own.outcomes.moves[HORIZONS - 1]!
  const taught = (column: Float64Array): Float64Array =>
    Float64Array.from(outcomeOf, (j) => (j < 0 || Number.isNaN(whole[j]!) ? Number.NaN : column[j]!))
  const outcomes = { returns: own.outcomes.returns.map(taught), moves: own.outcomes.moves.map(taught) }
  const split = splitRows(own.table, outcomes, settings)
  const up = upLabels(outcomes.returns[settings.signalHorizon - 1]!)
  const data = { ...own, outcomes, split, up }
  const volatility = fitVolatility(data, settings.harAlpha)
  const width = data.table.features.length
  const networks = await trainNetworks({
    data,
    volatility,
    settings,
    meter: createProgressMeter(settings.epochs, undefined, undefined),
    signal,
    resume: {},
    onCheckpoint: undefined,
  })
  const logistic = fitLogistic(data.matrix, width, split.train, up, settings.logisticC)
  return withTrainedParts({ timeframe, settings, data, volatility, logistic, networks }, async (parts) => {
    const first = split.holdout[0]!
    const scaled = await runParts(parts, data.table, data.matrix, first, candles.length)
    const raw = layVolatility(parts, scaled, volatility.sigma)
    const sigma = volatility.sigma[settings.signalHorizon - 1]!
    return {
      rows: split.holdout,
      pUp: Float64Array.from(split.holdout, (i) => raw.pUp[i - first]!),
      expectedMove: Float64Array.from(split.holdout, (i) => sigma[i]!),
    }
  })
}
