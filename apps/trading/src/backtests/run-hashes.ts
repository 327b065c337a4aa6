import { createHash } from 'node:crypto'
import type { BacktestResult } from '@shapecast/engine/backtest-result'
import { ENGINE_VERSION } from '@shapecast/engine/engine-version'
import type { Plan } from '@shapecast/engine/policies/plan'
import { candlesHash } from '@shapecast/ml/recipe/data-hash'
import { bytesOf, hashData } from '../ground/hash-data.ts'
import type { PreparedPair } from './prepare-pair.ts'
import type { FinishedRun } from './run-store.ts'

/** SHA-256 (hex) of all that a run decided and came to: decisions, trades, equity at each close, open position. */
const hashResult = (decisions: Int8Array | Float64Array, result: BacktestResult): string =>
  createHash('sha256')
    .update(bytesOf(decisions))
    .update(bytesOf(result.equity))
    .update(hashData({ trades: result.trades, open: result.openPosition, skipped: result.skipped }))
    .digest('hex')

/** The hashes of all that went into a run, and of its result. */
export function hashesOf(
  plan: Plan,
  pairs: readonly PreparedPair[],
  result: BacktestResult,
  areSeveral: boolean,
): FinishedRun['detail']['meta']['hashes'] {
  const [{ settings, versions, decisions }] = pairs as [PreparedPair, ...PreparedPair[]]
  const candles = pairs.map(({ basis }) => candlesHash(basis))
  const parameters = {
    settings,
    requireEdge: plan.requireEdge,
    consensus: plan.consensus,
    versions,
    ...(plan.targets === undefined ? {} : { targets: plan.targets }),
    ...(plan.rule === undefined ? {} : { rule: plan.rule }),
    ...(result.fundingAssumed === null ? {} : { funding: pairs.map((pair) => chargedIn(pair)) }),
    ...(result.bothReached.some(({ isTold }) => isTold) ? { told: result.bothReached } : {}),
    ...(areSeveral ? { pairs: pairs.map(({ symbol, settings: own, versions: of }) => [symbol, own, of]) } : {}),
  }
  return {
    candles: areSeveral ? hashData(candles) : candles[0]!,
    models: pairs.flatMap(({ forecasts }) => forecasts.map(({ hash }) => hash)),
    parameters: hashData(parameters),
    engine: ENGINE_VERSION,
    result: areSeveral
      ? hashData(pairs.map((pair) => hashResult(pair.decisions, result)))
      : hashResult(decisions, result),
  }
}

/** The settlements within the candles of a pair; null without any rates. */
function chargedIn({ funding, candles: { run } }: PreparedPair) {
  if (funding === null) return null
  const { ts, rate, mark, known } = funding
  const isWithin = (ms: number) => run.ts[0]! < ms && ms <= run.ts[run.length - 1]!
  return [[...ts].flatMap((ms, k) => (isWithin(ms) ? [[ms, rate[k], mark[k]]] : [])), known]
}
