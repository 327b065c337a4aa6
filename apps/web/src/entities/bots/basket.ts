import type { BatchRequest } from '@shapecast/contracts/batch'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { ruleState } from './rule-draft.ts'

/** Percent a year that all pairs of a basket together are sized to. */
const RISK_PCT = 20

/** What a new bot or a backtest is of, on its way from a batch or a model to the form, in the state of the history. */
export interface Basket {
  readonly tradingPairs: string[]
  readonly timeframe: Timeframe
  /** The model that decides; left out where the form says. */
  readonly version?: string
}

/** A bot over the series of a batch: its rule, each entry sized to an even part of the risk; of a bot its own settings. */
export function basketState(request: BatchRequest, name: string, basket: Basket) {
  const { rule, marketType = 'spot', leverage, initialBalance, mlModelVersion = '' } = request
  const { tradingPairs, timeframe } = basket
  if (request.mode !== 'rule') return { basket }
  const annualPct = Math.ceil((100 * RISK_PCT) / tradingPairs.length) / 100
  const draft = {
    name,
    rule: rule!,
    ruleOrigin: undefined,
    symbol: tradingPairs[0]!,
    timeframe,
    sizing: { kind: 'volatility_target', annualPct },
    marketType,
    leverage: marketType === 'spot' ? 1 : leverage,
    initialBalance,
    version: mlModelVersion,
  } as const
  return { basket, ...ruleState(draft) }
}

export const basketIn = (state: unknown): Basket | undefined => (state as { basket?: Basket } | null)?.basket
