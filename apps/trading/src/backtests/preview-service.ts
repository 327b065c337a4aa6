import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest-request'
import { type BotPreview, type BotPreviewRequest, SIMULATED_PREVIEW } from '@shapecast/contracts/bot-preview'
import { COST_DEFAULTS } from '@shapecast/contracts/costs'
import { AppError } from '@shapecast/contracts/errors'
import type { RulePreview, RulePreviewRequest } from '@shapecast/contracts/rules'
import { copyCandles } from '@shapecast/engine/candles'
import { planOf, testedBot } from '@shapecast/engine/policies/plan'
import { ruleText } from '@shapecast/engine/rules/print'
import { wilsonInterval } from '@shapecast/ml/evaluate/intervals'
import type { Database } from '@shapecast/platform/database/database'
import { openThread, type Thread } from '@shapecast/platform/threads/open-thread'
import { createAdmission } from '../ground/admission.ts'
import type { SeriesMarket } from '../market/series-market.ts'
import { openCandles } from '../trials/opened.ts'
import { countTrials, trialsOf } from '../trials/trials.ts'
import type { PreviewOrder } from './preview-run.ts'
import type { PreviewCalls } from './preview-thread.ts'
import { rulePreviewOrder } from './rule-service.ts'

/** Candles of all pairs together that a preview takes, the newest: seven years of hours of four pairs. */
const MOST_CANDLES = 250_000
/** Previews that one user, and all users of a process, may have under way. */
const MOST = { user: 2, all: 8 } as const
const BUSY = 'Previews are under way. Try again in two seconds.'

/**
 * What a new bot's settings would have done on the candles that are stored: worked out in a thread, so that it holds up
 * nothing else.
 */
export function createPreviewService({ db, market, now }: { db: Database; market: SeriesMarket; now(): number }) {
  let thread: Thread<PreviewCalls> | undefined
  const admit = createAdmission(MOST, { user: BUSY, all: BUSY, retryAfterS: 2 })

  async function orderOf(bot: BotPreviewRequest): Promise<PreviewOrder> {
    const timeframe = bot.parameters?.timeframe ?? BACKTEST_DEFAULTS.timeframe
    const plan = planOf({
      ...testedBot(bot.tradingPairs[0]!, { initialBalance: bot.initialBalance }),
      ...bot,
      parameters: bot.parameters ?? null,
    })
    const { targets } = plan
    if (plan.rule !== undefined)
      throw new AppError(
        'unprocessable',
        'This call is for policies that hold a share: a rule has a preview of its own, POST /api/rules/preview.',
        { field: 'parameters.policy' },
      )
    if (targets === undefined || targets.policy === 'model_brake')
      throw new AppError(
        'needs_model',
        'What this would have done depends on its model: create the bot, then backtest it.',
      )
    if (market.kind === 'simulated') throw new AppError('simulated_market', SIMULATED_PREVIEW)
    const pairs: PreviewOrder['pairs'][number][] = []
    for (const symbol of bot.tradingPairs) {
      // Without a number or a beginning nothing is fetched: what is stored is what counts here.
      const candles = await market.load(symbol, timeframe, {})
      if (candles.length === 0)
        throw new AppError(
          'no_candles',
          `No ${timeframe} candles of ${symbol} are stored here yet. ${market.kind === 'live' ? 'They are downloaded when the bot is made.' : 'Import some first.'}`,
        )
      const most = Math.floor(MOST_CANDLES / bot.tradingPairs.length)
      const rules = await market.rules(symbol)
      pairs.push({
        symbol,
        candles: copyCandles(candles, Math.max(0, candles.length - most)),
        lotSize: rules?.lotSize ?? 0,
        minNotional: rules?.minNotional ?? 0,
        tickSize: rules?.tickSize ?? 0,
      })
    }
    return { plan: { ...plan, targets }, timeframe, costs: plan.costs ?? COST_DEFAULTS, pairs }
  }

  /** Lets a user have a preview worked out. Throws `too_many_requests` while as many as may be are under way. */
  const inTurn = <T>(userId: string, work: (worker: Thread<PreviewCalls>) => Promise<T>): Promise<T> =>
    admit(userId, () => {
      if (thread === undefined || !thread.alive)
        thread = openThread<PreviewCalls>(new URL('./preview-thread.ts', import.meta.url))
      return work(thread)
    })

  return {
    /**
     * Throws `needs_model`, `simulated_market`, `unknown_symbol`, `no_candles`, `too_few_candles`, and
     * `too_many_requests` while as many as may be are under way.
     */
    preview: (bot: BotPreviewRequest, userId: string): Promise<BotPreview> =>
      inTurn(userId, async (worker) => worker.call('preview', await orderOf(bot))),

    /** Counts as a trial, once a rule. Throws what `rulePreviewOrder` throws, and `too_many_requests`. */
    previewRule: (request: RulePreviewRequest, userId: string): Promise<RulePreview> =>
      inTurn(userId, async (worker) => {
        const order = await rulePreviewOrder(request, market)
        const { rule, symbol, timeframe } = order
        const series = { venue: market.venue, symbols: [symbol], timeframe }
        const preview = await worker.call('rule', order)
        await countTrials(db.orm, { userId, series, kind: 'preview', tried: ruleText(rule) })
        await openCandles(db.orm, { userId, series, fromMs: preview.from, toMs: preview.to }, now())
        const { trades, winRate } = preview.metrics
        const winInterval = winRate === null ? null : wilsonInterval(winRate / 100, trades)
        return { ...preview, winInterval, trials: await trialsOf(db.orm, [userId], series) }
      }),
    close: async (): Promise<void> => thread?.close(),
  }
}
export type PreviewService = ReturnType<typeof createPreviewService>
