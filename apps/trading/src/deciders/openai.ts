import { AppError } from '@shapecast/contracts/errors'
import type { Decider, Said } from './decider.ts'
import { followSignal } from './model.ts'

/** Candles that a language model is shown or its indicators are worked out from. */
const SHOWN = 300

const REFUSED =
  'A bot with the OpenAI strategy cannot be backtested: the language model may know how these prices went on, and each candle would be a paid call. Only what it decided while it ran can be replayed, and none of that lies in this range. Test a bot with the ML strategy.'

/** A language model. It is shown the last candles, indicators and the position. */
export const openai: Decider = {
  name: 'OpenAI',
  takesModels: false,
  pace: 'slow',
  requireReady({ openaiReady }) {
    if (openaiReady) return
    throw new AppError(
      'unprocessable',
      'This installation has no key of a language model: OPENAI_API_KEY is not set.',
      { field: 'strategy' },
    )
  },
  versions: () => [],
  history: () => SHOWN,
  isDue: () => true,

  async say({ bot, symbol, timeframe, candles, i, account }, { askOpenai }) {
    const profit = candles.close[i]! / account.entryPrice - 1
    const flat = { side: 'flat', entryPrice: null, profitPct: null } as const
    const held = { side: account.side > 0 ? 'long' : 'short', entryPrice: account.entryPrice } as const
    const position = account.side === 0 ? flat : { ...held, profitPct: 100 * account.side * profit }
    const callsADay = bot.parameters?.openaiCallsADay
    const series = { symbol, timeframe, market: bot.marketType, candles, i }
    const { signal, confidence, reasoning, failure } = await askOpenai({
      botId: bot.id,
      ...series,
      position,
      callsADay,
    })
    if (failure !== null) return new AppError('unavailable', reasoning)
    return {
      // Of its edge nothing is known, so that no rule about edges holds it back.
      forecast: {
        version: 'openai',
        signal,
        confidence,
        pUp: null,
        edgeBps: Number.POSITIVE_INFINITY,
        costBps: 0,
        volatility: Number.NaN,
        reasoning: `The language model says ${signal}: ${reasoning.replace(/[.\s]+$/, '')}`,
      },
      prediction: null,
    } satisfies Said
  },

  decide: followSignal('openai'),
  columns() {
    throw new AppError('unprocessable', REFUSED)
  },

  replay: {
    requireKnown(known) {
      if (!known) throw new AppError('unprocessable', REFUSED)
    },
    caveat: (known, candles) =>
      `Replayed from the ${known} decisions that the language model made while the bot ran; at the other ${candles - known} candles it was not asked, and nothing was decided.`,
  },
}
