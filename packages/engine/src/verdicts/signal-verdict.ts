import type { BotPrediction, Prediction, SignalVerdict } from '@shapecast/contracts/predictions'

type Said = Pick<Prediction, 'signal' | 'edgeBps' | 'stopLoss' | 'current_price'>

/**
 * Whether one forecast is worth its costs. `edgeBps` is the mean gain of the likelier direction after a round trip; `costBps`
 * and `horizon` are the model's, null where they are not known.
 */
export function signalVerdict(said: Said, costBps: number | null, horizon: number | null): SignalVerdict {
  // A stop-loss lies on the losing side of the direction that the model leans to, whether it calls it or not.
  const leansUp = said.signal === 'HOLD' ? said.stopLoss < said.current_price : said.signal === 'BUY'
  return {
    code: codeOf(said.signal, said.edgeBps),
    leans: leansUp ? 'up' : 'down',
    expectedBps: costBps === null ? null : said.edgeBps + costBps,
    costBps,
    edgeBps: said.edgeBps,
    horizon,
  }
}

/**
 * Whether what several models say together is worth its costs: the mean of what they expect, that of a model which leans the
 * other way counted against it. Null where no model tells its costs.
 */
export function consensusVerdict({ signal, votes }: Pick<BotPrediction, 'signal' | 'votes'>): SignalVerdict | null {
  const told = votes.flatMap(({ prediction }) => prediction?.verdict ?? [])
  if (told.length === 1 && votes.length === 1) return told[0]!
  const known = told.flatMap((one) => {
    const { expectedBps, costBps, leans } = one
    return expectedBps === null || costBps === null
      ? []
      : { rise: leans === 'up' ? expectedBps : -expectedBps, costBps }
  })
  if (known.length === 0) return null
  const rise = mean(known.map((one) => one.rise))
  const costBps = mean(known.map((one) => one.costBps))
  const leansUp = signal === 'HOLD' ? rise >= 0 : signal === 'BUY'
  const expectedBps = leansUp ? rise : -rise
  const edgeBps = expectedBps - costBps
  const horizons = new Set(told.map((one) => one.horizon))
  return {
    code: codeOf(signal, edgeBps),
    leans: leansUp ? 'up' : 'down',
    expectedBps,
    costBps,
    edgeBps,
    horizon: horizons.size === 1 ? [...horizons][0]! : null,
  }
}

const codeOf = (signal: Prediction['signal'], edgeBps: number): SignalVerdict['code'] =>
  !(edgeBps > 0) ? 'not_worth_trading' : signal === 'HOLD' ? 'no_direction' : 'worth_trading'

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
