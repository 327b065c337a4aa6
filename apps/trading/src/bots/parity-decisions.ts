import { COST_DEFAULTS } from '@shapecast/contracts/costs'
import { AppError } from '@shapecast/contracts/errors'
import { emptyCandles } from '@shapecast/engine/candles'
import { DECISION } from '@shapecast/engine/decisions'
import { type BacktestBotDeps, preparePair } from '../backtests/prepare-pair.ts'
import { rankedCandles, runCandlesOf } from '../backtests/run-candles.ts'
import { deciderOf } from '../deciders/deciders.ts'
import type { Predictors } from '../models/predictors.ts'
import type { ParityDeps } from './parity.ts'
import { type Pin, pinOf } from './pinned-models.ts'

export interface ParityDecisionsDeps {
  backtest: BacktestBotDeps
  predictors: Pick<Predictors, 'use'>
  pinsOf(botId: string): Promise<readonly Pin[]>
}

/**
 * What a backtest of a bot decides by the models that it has pinned, else by the current ones; nothing at any candle
 * where it has none any more.
 */
export const parityDecisions =
  ({ backtest, predictors, pinsOf }: ParityDecisionsDeps): ParityDeps['decisions'] =>
  async (bot, plan, symbol, { timeframe, fromMs, toMs }) => {
    const { id, name, strategy, riskLevel, positionSize } = bot
    const subject = { id, name, strategy, riskLevel, positionSize }
    const range = { symbol, timeframe, fromMs, toMs, limit: 1 }
    const order = { mode: 'bot', bot: subject, plan, ...range, ...COST_DEFAULTS, noSameBarReentry: true } as const
    const pins = await pinsOf(id)
    const modelFor = (asked: string | null) => pinOf(pins, { symbol, asked, timeframe })?.model ?? undefined
    const pinned = new Map(
      deciderOf(bot, plan)
        .versions(plan)
        .flatMap((asked) => {
          const model = modelFor(asked)
          return model === undefined ? [] : [[model.version, model] as const]
        }),
    )
    const models: BacktestBotDeps['models'] = {
      ...backtest.models,
      currentOn: async (...series) => modelFor(null)?.version ?? backtest.models.currentOn(...series),
      find: async (version, ...series) => pinned.get(version) ?? backtest.models.find(version, ...series),
      use: (version, of, on, use) => predictors.use(version, of, on, use, pinned.get(version)),
    }
    try {
      const { candles, decisions, basis } = await preparePair({ ...backtest, models }, order, {})
      return { candles: candles.run, decisions, basis }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'no_candles' && plan.targets?.mostTraded) {
        const basis = await rankedCandles(backtest.market, symbol, timeframe, fromMs)
        return { candles: emptyCandles(0), decisions: new Float64Array(0), basis }
      }
      if (error.code !== 'model_not_trained') throw error
      const { run: candles } = await runCandlesOf(order, backtest.market)
      const nothing =
        plan.targets === undefined
          ? new Int8Array(candles.length).fill(DECISION.HOLD)
          : new Float64Array(candles.length).fill(Number.NaN)
      return { candles, decisions: nothing }
    }
  }
