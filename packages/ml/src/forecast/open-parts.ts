import { AppError } from '@shapecast/contracts/errors'
import type { ModelArtifactFile } from '../artifact/artifact.ts'
import { featureNames } from '../features/feature-columns.ts'
import { harInputsBeside } from '../features/har-inputs.ts'
import { staticCorrections } from '../recipe/correct-fan.ts'
import { INTERVALS, unpackScores } from '../recipe/scores.ts'
import { openNetworks } from '../runtime/run-network.ts'
import type { OpenedModel } from './predict-range.ts'

const unfit = (reason: string): AppError => new AppError('unprocessable', `This model cannot predict here: ${reason}.`)

const fileOf = ({ files }: ModelArtifactFile, name: string): Uint8Array => {
  const file = files[name]
  if (file === undefined) throw unfit(`its file ${name} is missing`)
  return file
}

/** An artifact's parts, its networks opened. Throws `unprocessable` where its files are missing or made for other inputs. */
export async function openParts(artifact: ModelArtifactFile): Promise<OpenedModel> {
  const { card } = artifact
  const { timeframe } = card.source
  const sameNames = (a: readonly string[], b: readonly string[]) =>
    a.length === b.length && a.every((x, i) => x === b[i])
  const { names } = card.features
  const known = featureNames(timeframe).filter((name) => names.includes(name))
  if (names.length === 0 || !sameNames(names, known)) throw unfit('its features are of another program version')
  if (!sameNames(card.har.inputs.names, harInputsBeside(timeframe, names)))
    throw unfit('its volatility inputs are of another program version')
  const earlierScores = unpackScores(fileOf(artifact, card.conformal.file), card.horizons * INTERVALS.length)
  const files = Object.entries(card.networks).map(([name, { file }]) => [name, fileOf(artifact, file)] as const)
  return {
    parts: {
      timeframe,
      lookback: card.settings.lookback,
      signalHorizon: card.settings.signalHorizon,
      horizons: card.horizons,
      quantiles: card.quantiles,
      featureNames: names,
      features: card.features,
      har: { standardisation: card.har.inputs, horizons: card.har.horizons },
      residualQuantiles: card.har.residualQuantiles,
      logistic: card.logistic,
      networks: await openNetworks(files),
    },
    judgement: {
      calibration: card.calibration,
      threshold: card.signal.threshold,
      roundTripCostBps: card.signal.roundTripCostBps,
    },
    fitted: card.ranges.train,
    earlierScores,
    fallback: staticCorrections(earlierScores, card.horizons),
  }
}
