import { HORIZONS } from '@shapecast/contracts/training-candles'
import { sliceCandles } from '@shapecast/engine/candles'
import { type DieboldMariano, dieboldMariano } from '../evaluate/diebold-mariano.ts'
import { fitBaselines, pinballLoss } from '../evaluate/fan.ts'
import { loadPredictor } from '../forecast/predict.ts'
import { prepareData } from '../recipe/prepare-data.ts'
import { completeSettings, type GivenSettings, QUANTILES } from '../recipe/settings.ts'
import { trainModel } from '../train-model.ts'
import { type GeneratedMarket, generateCandles } from './generated-candles.ts'

/** How a model fared on a market whose every property is known, over its hold-out. */
export interface PlantedResult {
  accuracy: number
  interval: [low: number, high: number]
  /** Share that the best possible rule called right: the sign of the last return, which is what carries over. */
  best: number
  coverage90: number
  /** 1 − pinball loss / that of a fan that never changes, and the test of the difference (below 0: the model's is smaller). */
  skillOverConstant: number
  test: DieboldMariano
}

/** The sums over horizons and quantiles of the pinball loss at each row whose outcomes are all known. */
async function fanLosses(
  artifact: Parameters<typeof loadPredictor>[0],
  market: ReturnType<typeof generateCandles>,
  settings: GivenSettings,
): Promise<{ model: number[]; constant: number[] }> {
  const { outcomes, split, table } = prepareData(market, artifact.card.source.timeframe, completeSettings(settings))
  const before = Int32Array.from([...split.train, ...split.validation])
  const constant = fitBaselines(outcomes.returns, table.sigma, before, QUANTILES)
  const predictor = await loadPredictor(artifact)
  try {
    const from = split.holdout[0]!
    const made = await predictor.predict(market, { from, to: market.length })
    const losses = { model: [] as number[], constant: [] as number[] }
    for (let i = from; i + HORIZONS < market.length; i++) {
      let [ours, theirs] = [0, 0]
      for (let h = 0; h < HORIZONS; h++) {
        const outcome = outcomes.returns[h]![i]!
        QUANTILES.forEach((level, q) => {
          const price = made.quantilePrices[((i - from) * HORIZONS + h) * QUANTILES.length + q]!
          ours += pinballLoss(Math.log(price / market.close[i]!), outcome, level)
          theirs += pinballLoss(constant.historical(h)[q]!, outcome, level)
        })
      }
      losses.model.push(ours)
      losses.constant.push(theirs)
    }
    return losses
  } finally {
    await predictor.close()
  }
}

/** Trains on a generated market and judges the model beside the best possible rule and a constant fan. */
export async function judgePlanted(market: GeneratedMarket, settings: GivenSettings): Promise<PlantedResult> {
  const candles = generateCandles(market)
  const { artifact } = await trainModel({
    candles,
    timeframe: '1h',
    settings,
    roundTripCostBps: 22,
    createdAtMs: 0,
    source: { venue: 'generated', symbol: 'PLANTED' },
  })
  const { accuracy, fan } = artifact.card.evaluation
  const held = sliceCandles(candles, candles.length - 402)
  const move = (i: number): number => Math.log(held.close[i]! / held.close[i - 1]!)
  const rows = Array.from({ length: 400 }, (_, k) => k + 1).filter((i) => move(i + 1) !== 0)
  const { model, constant } = await fanLosses(artifact, candles, settings)
  const sum = (losses: readonly number[]): number => losses.reduce((total, loss) => total + loss, 0)
  return {
    accuracy: accuracy.accuracy,
    interval: accuracy.interval,
    best: rows.filter((i) => move(i) > 0 === move(i + 1) > 0).length / rows.length,
    coverage90: fan[0]!.coverage90,
    skillOverConstant: 1 - sum(model) / sum(constant),
    test: dieboldMariano(model, constant),
  }
}

/** How far of the way from ½ to the best possible rule an accuracy has come. */
export const shareOfBest = ({ accuracy, best }: Pick<PlantedResult, 'accuracy' | 'best'>): number =>
  (accuracy - 0.5) / (best - 0.5)
