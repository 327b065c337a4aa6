import { z } from 'zod'
import { BotCosts, costsObstacle } from './costs.ts'
import { tradingEndpoint } from './endpoint.ts'
import { SymbolId, VenueName } from './market.ts'
import { ModelVersion } from './ml.ts'
import { Policy, policyObstacle, wrongDrawdown } from './policies.ts'
import { RealBotLimits } from './real-bots.ts'
import { PlainName, PlainText } from './storable-text.ts'
import { Timeframe } from './timeframes.ts'
import { base, epochMs, pct, quote } from './units.ts'

export const BotStatus = z.enum(['stopped', 'active', 'paused', 'error'])
export const Visibility = z.enum(['public', 'private'])
export const Strategy = z.enum(['ml', 'openai'])
export type Strategy = z.infer<typeof Strategy>
/** What decides for a bot, as people call it. */
export const STRATEGY_LABEL: Readonly<Record<Strategy, string>> = { ml: 'ML', openai: 'OpenAI' }
export const RiskLevel = z.enum(['low', 'medium', 'high'])
export type RiskLevel = z.infer<typeof RiskLevel>
export const MarketType = z.enum(['spot', 'futures'])
export type MarketType = z.infer<typeof MarketType>

export const ConsensusStrategy = z.enum(['unanimous', 'majority', 'weighted', 'confidence_threshold'])
export const OnDisagreement = z.enum(['hold', 'skip', 'use_highest_confidence'])
export const ConsensusConfig = z.object({
  strategy: ConsensusStrategy.default('majority'),
  minAgreement: z.number().int().min(2).max(5).default(2),
  minConfidence: z.number().min(0).max(1).default(0.6),
  onDisagreement: OnDisagreement.default('hold'),
})
export type ConsensusConfig = z.infer<typeof ConsensusConfig>

/**
 * The most of what a bot is made of. No order book carries a balance of 1e9 USDT, and its cards still hold the figure; a
 * position of more than a million is one of a coin so cheap that it is better sized in quote.
 */
export const MOST_BALANCE = 1e9
export const MOST_POSITION_SIZE = 1e6
const BALANCE_TOO_LARGE = 'Initial balance must be at most 1,000,000,000'
const POSITION_TOO_LARGE = 'Position size must be at most 1,000,000: size a cheaper coin in its quote currency'
/** In the base asset. */
export const PositionSize = base().positive().max(MOST_POSITION_SIZE, POSITION_TOO_LARGE)
/** Quote. */
export const InitialBalance = z.number().positive().max(MOST_BALANCE, BALANCE_TOO_LARGE)
const SMALLEST_POSITION = 'Position size must be at least 0.001'

/** How large an entry is. `fixed` is the bot's positionSize in base; the others replace it. */
export const Sizing = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fixed') }),
  z.object({ kind: z.literal('percent_of_equity'), pct: pct().positive().max(100) }),
  z.object({ kind: z.literal('quote_amount'), quote: z.number().positive().max(MOST_BALANCE) }),
  z.object({ kind: z.literal('volatility_target'), annualPct: pct().positive().max(1000) }),
])
export type Sizing = z.infer<typeof Sizing>

/** The text of a rule: docs/rules.md. */
export const RuleText = PlainText.max(4000, 'A rule must have at most 4,000 characters')

/** The stored rule that a text is of; its name as it was then, which the service writes. */
export const RuleOrigin = z.object({
  id: z.uuid(),
  version: z.number().int().positive(),
  name: z.string().optional(),
})
export type RuleOrigin = z.infer<typeof RuleOrigin>
/** `Cross, version 3` */
export const originWords = ({ name = 'A rule', version }: RuleOrigin): string => `${name}, version ${version}`

export const BotParameters = z.object({
  /** How it trades; `signal` where none is given. */
  policy: Policy.optional(),
  /** Of the policy `rule`. */
  rule: RuleText.optional(),
  ruleOrigin: RuleOrigin.optional(),
  /** Candles at whose closes it decides; 1h where none is given. */
  timeframe: Timeframe.optional(),
  sizing: Sizing.optional(),
  /** HOLD unless the edge after costs is positive. Left out it is off, and on with real money. */
  requireEdge: z.boolean().optional(),
  /**
   * Of a policy that holds a share: it holds so many of its pairs, those that were traded most in the 30 days before the month.
   * All of them where it is left out, or as many as there are.
   */
  mostTraded: z.number().int().min(1, 'At least one is held').max(19).optional(),
  /** Of a virtual bot; the usual ones where it is left out. */
  costs: BotCosts.optional(),
  /** Of a bot with real money. */
  limits: RealBotLimits.optional(),
  /**
   * Whether it takes a newer training of its model by itself: at the next decision without a position, of a policy at the
   * next daily one. Else its owner is asked.
   */
  followModel: z.boolean().optional(),
  /** Pauses it once it is told from luck to be worse than holding as much of its pairs; off where it is left out. */
  pauseWhenWorse: z.boolean().optional(),
  /** Calls of the language model that an openai bot may make a day, UTC; 100 where it is left out. */
  openaiCallsADay: z.number().int().min(1).max(10_000).optional(),
  /** Made only to backtest one model: left out of lists, and removed by itself after ten minutes. */
  temporary: z.boolean().optional(),
})
export type BotParameters = z.infer<typeof BotParameters>

export const ENSEMBLE_TOO_SMALL = 'Please select at least 2 models for ensemble mode'

export const BotDraft = z
  .object({
    name: PlainName.min(1, 'A name is required').max(60),
    description: PlainText.max(500).default(''),
    strategy: Strategy.default('ml'),
    tradingPairs: z.array(SymbolId).min(1, 'Select at least one trading pair').max(20).default(['BTCUSDT']),
    positionSize: PositionSize.default(0.001),
    /** Percent of the peak of the equity: a whole number from 1 to 50, and to 90 where a policy holds a share. */
    maxDrawdown: pct().min(0).max(100).default(10),
    riskLevel: RiskLevel.default('medium'),
    initialBalance: InitialBalance.default(10),
    marketType: MarketType.default('spot'),
    leverage: z.number().int().min(1).max(100).default(10),
    /** Percent of the entry price; 0 is off. */
    takeProfitPct: pct().min(0).max(1000).default(0),
    stopLossPct: pct().min(0).max(100).default(0),
    isVirtual: z.boolean().default(true),
    visibility: Visibility.default('private'),
    mlModelVersion: ModelVersion.optional(),
    mlModelVersions: z.array(ModelVersion).max(5, 'An ensemble has at most 5 models').optional(),
    consensusConfig: ConsensusConfig.optional(),
    parameters: BotParameters.optional(),
  })
  .superRefine((bot, ctx) => {
    const refuse = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message })
    if (bot.mlModelVersions !== undefined) {
      if (bot.strategy !== 'ml') refuse('mlModelVersions', 'Only the ml strategy takes an ensemble')
      if (bot.mlModelVersion !== undefined) refuse('mlModelVersions', 'Give one model or an ensemble, not both')
      if (new Set(bot.mlModelVersions).size !== bot.mlModelVersions.length)
        refuse('mlModelVersions', 'An ensemble names each model once')
      if (bot.mlModelVersions.length < 2) refuse('mlModelVersions', ENSEMBLE_TOO_SMALL)
      if ((bot.consensusConfig?.minAgreement ?? 2) > bot.mlModelVersions.length)
        refuse('consensusConfig', 'Minimum agreement must be at most the number of chosen models')
    } else if (bot.consensusConfig !== undefined) refuse('consensusConfig', 'Consensus needs an ensemble')
    if (new Set(bot.tradingPairs).size !== bot.tradingPairs.length)
      refuse('tradingPairs', 'Each trading pair is named once')
    // One that is made to backtest a model takes what that form takes: any size and balance, and 0 for no limit.
    const { policy = 'signal', timeframe = '1h' } = bot.parameters ?? {}
    if (bot.parameters?.temporary !== true) {
      if (bot.positionSize < 0.001) refuse('positionSize', SMALLEST_POSITION)
      const wrong = wrongDrawdown(bot.maxDrawdown, policy)
      if (wrong !== undefined) refuse('maxDrawdown', wrong)
      if (bot.initialBalance < 10) refuse('initialBalance', 'Initial balance must be at least 10')
    }
    const isEnsemble = bot.mlModelVersions !== undefined
    const obstacle =
      policyObstacle({ ...bot, ...bot.parameters, policy, timeframe, isEnsemble }) ??
      costsObstacle({ ...bot, policy, timeframe, costs: bot.parameters?.costs })
    if (obstacle !== null)
      ctx.addIssue({ code: 'custom', path: ['parameters', obstacle.field], message: obstacle.message })
  })
export type BotDraft = z.infer<typeof BotDraft>

/** What a bot holds. Prices are quote per base, worth and profit quote. */
export const BotPosition = z.object({
  symbol: SymbolId,
  side: z.enum(['long', 'short']),
  /** Base. */
  quantity: z.number(),
  /** Average price paid. */
  entryPrice: z.number(),
  /** Since when it is held, ms. */
  entryTime: epochMs(),
  takeProfitPrice: z.number().nullable(),
  stopLossPrice: z.number().nullable(),
  /** What it is valued at. */
  markPrice: z.number(),
  worth: quote(),
  /** Of the price alone, without fees. */
  unrealizedPnL: quote(),
  /** It is being closed, at the next price. */
  closing: z.boolean().default(false),
})
export type BotPosition = z.infer<typeof BotPosition>

/** What a bot trades on for one of its pairs, from its start until it takes another one. */
export const BotModel = z.object({
  symbol: SymbolId,
  /** The version that speaks; of a bot that follows the current one, the one that it follows now. */
  version: ModelVersion,
  follows: z.boolean(),
  artifactId: z.uuid(),
  /** SHA-256 of its files. */
  hash: z.string(),
  /** What predicts for that version by now, where it is another one. */
  offer: z.object({ version: ModelVersion, artifactId: z.uuid(), createdAt: epochMs() }).nullable(),
  /** It takes the offer at its next decision without a position; of a policy at the next daily one. */
  takesNext: z.boolean(),
})
export type BotModel = z.infer<typeof BotModel>

export const Bot = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  /** Whose candles and prices it trades on: `simulated` and `replay` are no exchange. */
  venue: VenueName,
  name: z.string(),
  description: z.string(),
  strategy: Strategy,
  status: BotStatus,
  statusReason: z.string().nullable(),
  visibility: Visibility,
  isVirtual: z.boolean(),
  tradingPairs: z.array(SymbolId),
  positionSize: base(),
  maxDrawdown: pct(),
  riskLevel: RiskLevel,
  marketType: MarketType,
  leverage: z.number(),
  takeProfitPct: pct(),
  stopLossPct: pct(),
  initialBalance: quote(),
  /** Its equity, quote: money with open positions at the newest price. */
  currentBalance: quote(),
  /** `closedPnL` + `openPnL`, which is `currentBalance` − `initialBalance`. Quote. */
  totalPnL: quote(),
  /** What closed trades made, each sale with its share of the entry fee. */
  closedPnL: quote(),
  /** What open positions have made so far, with their entry fees and funding. */
  openPnL: quote(),
  positions: z.array(BotPosition),
  totalTrades: z.number().int(),
  winningTrades: z.number().int(),
  lastTradeAt: epochMs().nullable(),
  mlModelVersion: ModelVersion.nullable(),
  mlModelVersions: z.array(ModelVersion).nullable(),
  consensusConfig: ConsensusConfig.nullable(),
  parameters: BotParameters.nullable(),
  /** Empty before its first start, and where it asks no model. */
  models: z.array(BotModel),
  createdAt: epochMs(),
})
export type Bot = z.infer<typeof Bot>
/** A bot without what its money is worth now, and what it trades on. */
export type BotRecord = Omit<Bot, 'currentBalance' | 'totalPnL' | 'closedPnL' | 'openPnL' | 'positions' | 'models'>

export const bots = tradingEndpoint('GET /api/bots', {
  publicPath: '/public/bots',
  summary: "The caller's bots and everybody's public ones (an admin sees all).",
  reply: z.array(Bot),
})

export const bot = tradingEndpoint('GET /api/bots/:id', {
  publicPath: '/public/bots/:id',
  summary: 'One bot. A private bot of somebody else is not found.',
  reply: Bot,
})

/**
 * What its owner or an admin may change. Name, description, visibility and the model at any time; what the money
 * depends on only while the bot is stopped.
 */
export const BotPatch = z
  .object({
    name: PlainName.min(1, 'A name is required').max(60),
    description: PlainText.max(500),
    visibility: Visibility,
    /** Null follows the current model. */
    mlModelVersion: ModelVersion.nullable(),
    positionSize: PositionSize.min(0.001, SMALLEST_POSITION),
    /** To 50 of a bot that trades its signal. */
    maxDrawdown: pct().refine(
      (pct) => wrongDrawdown(pct, 'fixed_share') === undefined,
      wrongDrawdown(null, 'fixed_share'),
    ),
    riskLevel: RiskLevel,
    leverage: z.number().int().min(1).max(100),
    takeProfitPct: pct().min(0).max(1000),
    stopLossPct: pct().min(0).max(100),
    parameters: BotParameters.omit({ temporary: true }),
  })
  .partial()
  .strict()
  .refine((patch) => Object.keys(patch).length > 0, 'Name at least one field to change')
export type BotPatch = z.infer<typeof BotPatch>
