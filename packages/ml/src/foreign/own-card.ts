import type { ForeignModelCard } from '@shapecast/contracts/foreign-card'
import { networkLabel } from '@shapecast/contracts/networks'
import type { ModelCard } from '../artifact/card.ts'
import { CLIP } from '../features/standardise.ts'

/**
 * One of our networks as a model of its own, with which it can be uploaded again: what it is given and what its numbers
 * mean. Its fan is in units of σ_h of the volatility model, for which the EWMA volatility stands in, so it says by itself
 * less than the model that it is a part of.
 */
export function ownCard(card: ModelCard, network: string, version: string): ForeignModelCard {
  const { symbol, timeframe } = card.source
  const { names, mean, sd } = card.features
  return {
    format: 'shapecast-foreign-model',
    formatVersion: 1,
    name: `${networkLabel(network)} of ${version} on ${symbol} ${timeframe}`,
    description:
      'One network alone, without the volatility model, the logistic regression, the blend and the calibration that it was a part of.',
    timeframe,
    lookback: card.settings.lookback,
    inputs: names.map((name, c) => ({ name, mean: mean[c]!, sd: sd[c]! })),
    clip: CLIP,
    output: 'fan',
    horizons: 8,
    quantiles: [...card.quantiles],
    quantileUnit: 'sigma',
    signalHorizon: card.settings.signalHorizon,
    signalThreshold: card.signal.threshold,
    trained: { from: card.ranges.train.from, to: card.ranges.validation.to },
  }
}
