import type { Model, ModelArtifact } from '@shapecast/contracts/ml'

/** The series on which the audit of a version found that it knows the future: `BTCUSDT 1h`. */
export const leakingSeries = ({ artifacts }: Pick<Model, 'artifacts'>): string[] =>
  artifacts
    .filter((artifact: Pick<ModelArtifact, 'leak'>) => artifact.leak === 'failed')
    .map(({ symbol, timeframe }) => `${symbol} ${timeframe}`)

/** What a leak means for whoever looks at the figures. */
export const LEAK_MEANS =
  'Its figures and its backtests use what could not have been known, so they are worth nothing. Train it anew.'
