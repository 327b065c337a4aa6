import {
  type Bot,
  type BotDraft,
  type BotPatch,
  type ConsensusConfig,
  MOST_BALANCE,
  MOST_POSITION_SIZE,
  type Strategy,
} from '@shapecast/contracts/bots'
import {
  defaultBalance,
  defaultDrawdown,
  type Policy,
  policyObstacle,
  smallestBalance,
  wrongDrawdown,
} from '@shapecast/contracts/policies'
import { RealBotLimits, realBotLimitsOf } from '@shapecast/contracts/real-bots'
import { PlainName, PlainText } from '@shapecast/contracts/storable-text'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { z } from 'zod'
import { asksModels } from '#entities/bots/bot-words.ts'
import { formatCount } from '#kit/format/number.ts'
import { outside, wrongAmount } from './wrong-amount.ts'

/** The pairs that the dialog offers. */
export const SELECTABLE_PAIRS = [
  'BTCUSDT',
  'ETHUSDT',
  'ADAUSDT',
  'SOLUSDT',
  'DOTUSDT',
  'LINKUSDT',
  'LTCUSDT',
  'AVAXUSDT',
  'MATICUSDT',
  'UNIUSDT',
] as const
export const MOST_MODELS = 5
export const FEWEST_MODELS = 2
/** The most that may have to agree while no model is chosen. */
const MOST_AGREEMENT_UNCHOSEN = 3

/**
 * What a position size counts: the base asset, the quote, percent of the equity, or percent of volatility a year (which
 * only bots have that were made so by the API).
 */
export type SizeUnit = 'base' | 'quote' | 'percent' | 'volatility'

/** What stands in the dialogs; an empty number field is null. */
export interface BotForm {
  readonly name: string
  readonly description: string
  readonly initialBalance: number | null
  /** Whether somebody typed it: a policy then leaves it alone. */
  readonly ownBalance: boolean
  readonly tradingPairs: readonly string[]
  readonly marketType: 'spot' | 'futures'
  readonly leverage: number | null
  readonly timeframe: Timeframe
  readonly strategy: Strategy
  readonly isEnsemble: boolean
  /** '' follows the current model. */
  readonly version: string
  readonly versions: readonly string[]
  readonly consensus: ConsensusConfig
  /** Takes a newer training of its models by itself. */
  readonly followModel: boolean
  readonly policy: Policy
  readonly riskLevel: 'low' | 'medium' | 'high'
  readonly sizeUnit: SizeUnit
  readonly size: number | null
  /** Holds unless the expected edge is above the cost. */
  readonly requireEdge: boolean
  readonly openaiCallsADay: number | null
  readonly maxDrawdown: number | null
  /** As `ownBalance`. */
  readonly ownDrawdown: boolean
  readonly takeProfitPct: number | null
  readonly stopLossPct: number | null
  readonly visibility: 'public' | 'private'
  readonly isVirtual: boolean
  /** Of a bot with real money. */
  readonly limits: { readonly [Name in keyof RealBotLimits]: number | null }
}

export const NEW_BOT: BotForm = {
  name: '',
  description: '',
  initialBalance: 10,
  ownBalance: false,
  tradingPairs: ['BTCUSDT'],
  marketType: 'spot',
  leverage: 10,
  timeframe: '1h',
  strategy: 'ml',
  isEnsemble: false,
  version: '',
  versions: [],
  consensus: { strategy: 'majority', minAgreement: 2, minConfidence: 0.6, onDisagreement: 'hold' },
  followModel: false,
  policy: 'signal',
  riskLevel: 'medium',
  sizeUnit: 'base',
  size: 0.001,
  requireEdge: false,
  openaiCallsADay: 100,
  maxDrawdown: 10,
  ownDrawdown: false,
  takeProfitPct: 0,
  stopLossPct: 0,
  visibility: 'private',
  isVirtual: true,
  limits: RealBotLimits.parse({}),
}

const SIZE_DEFAULTS = { base: 0.001, quote: 10, percent: 10, volatility: 40 } as const

/** How many models may have to agree: all that are chosen. */
export const mostAgreementOf = ({ versions }: Pick<BotForm, 'versions'>): number =>
  Math.max(FEWEST_MODELS, versions.length || MOST_AGREEMENT_UNCHOSEN)

/**
 * A change with what follows from it: another strategy than ml ends ensemble mode and the policies, ending ensemble
 * mode clears the chosen models, futures trade the signal only, several pairs have no base asset in common, real money
 * trades a signal only above its cost until somebody says otherwise, and balance and drawdown limit are those of the
 * policy until somebody types them.
 */
export function changeForm(before: BotForm, change: Partial<BotForm>): BotForm {
  let form: BotForm = {
    ...before,
    ...('initialBalance' in change && { ownBalance: true }),
    ...('maxDrawdown' in change && { ownDrawdown: true }),
    ...change,
  }
  if (form.strategy !== 'ml') form = { ...form, isEnsemble: false, policy: 'signal' }
  if (!form.isEnsemble && before.isEnsemble) form = { ...form, version: '', versions: [] }
  if (form.marketType === 'futures') form = { ...form, policy: 'signal' }
  if (form.tradingPairs.length > 1 && form.sizeUnit === 'base') form = { ...form, sizeUnit: 'quote' }
  if (form.sizeUnit !== before.sizeUnit && !('size' in change)) form = { ...form, size: SIZE_DEFAULTS[form.sizeUnit] }
  if (form.isVirtual !== before.isVirtual) form = { ...form, requireEdge: !form.isVirtual }
  const { policy, riskLevel, tradingPairs } = form
  const isOther = policy !== before.policy
  if (!form.ownBalance && (isOther || tradingPairs.length !== before.tradingPairs.length))
    form = { ...form, initialBalance: defaultBalance(policy, tradingPairs.length) }
  if (!form.ownDrawdown && (isOther || riskLevel !== before.riskLevel))
    form = { ...form, maxDrawdown: defaultDrawdown(policy, riskLevel) }
  const { minAgreement, minConfidence } = form.consensus
  // Its fields are off then, with whatever stands in them.
  if (form.policy !== 'signal' && Number.isNaN(minAgreement + minConfidence))
    form = { ...form, consensus: NEW_BOT.consensus }
  const mostAgreement = mostAgreementOf(form)
  if (form.consensus.minAgreement > mostAgreement)
    form = { ...form, consensus: { ...form.consensus, minAgreement: mostAgreement } }
  return form
}

export type FormField =
  | 'name'
  | 'description'
  | 'initialBalance'
  | 'tradingPairs'
  | 'timeframe'
  | 'leverage'
  | 'strategy'
  | 'versions'
  | 'minAgreement'
  | 'minConfidence'
  | 'size'
  | 'openaiCallsADay'
  | keyof RealBotLimits
  | 'maxDrawdown'
  | 'takeProfitPct'
  | 'stopLossPct'
export type FormErrors = Partial<Record<FormField, string>>

/** Each field by its label. */
export const FIELD_LABEL: Readonly<Record<FormField, string>> = {
  name: 'Name',
  description: 'Description',
  initialBalance: 'Initial balance',
  tradingPairs: 'Trading pairs',
  timeframe: 'Candles',
  leverage: 'Leverage',
  strategy: 'Strategy',
  versions: 'ML Models',
  minAgreement: 'Minimum agreement',
  minConfidence: 'Minimum confidence',
  size: 'Position size',
  openaiCallsADay: 'Calls a day at most',
  maxOrderNotional: 'Largest purchase',
  maxPositionNotional: 'Holds at most',
  maxDayLoss: 'Loss a day',
  maxDayOrders: 'Purchases a day',
  maxDrawdown: 'Max drawdown',
  takeProfitPct: 'Take profit',
  stopLossPct: 'Stop loss',
}

/** What a form is judged by beside itself. */
export interface FormFacts {
  /** Names of the person's other bots. */
  readonly takenNames?: readonly string[]
  /** What the market takes at least, quote; null where it is not known. */
  readonly smallestOrder?: number | null
  /** Pairs that the chosen models are not trained on. */
  readonly untrained?: readonly string[]
}

const LONGEST_NAME = 60
const LONGEST_DESCRIPTION = 500

/** What is wrong with a form, field by field, in words. */
export function formErrors(form: BotForm, facts: FormFacts = {}): FormErrors {
  const errors: FormErrors = {}
  const refuse = (field: FormField, wrong: string | undefined) => {
    if (wrong !== undefined) errors[field] = wrong
  }
  const isSignal = form.policy === 'signal'
  refuse('name', wrongName(form.name.trim(), facts.takenNames))
  refuse('description', PlainText.safeParse(form.description).error?.issues[0]?.message)
  if (form.description.trim().length > LONGEST_DESCRIPTION)
    errors.description = `A description must have at most ${LONGEST_DESCRIPTION} characters`
  refuse('initialBalance', wrongBalance(form, facts.smallestOrder ?? null))
  refuse('tradingPairs', wrongPairs(form, facts.untrained))
  if (form.isEnsemble && form.versions.length < FEWEST_MODELS) errors.versions = 'Select at least 2 models for ensemble'
  refuse('maxDrawdown', wrongDrawdown(form.maxDrawdown, form.policy))
  if (form.marketType === 'futures' && !isLeverage(form.leverage))
    errors.leverage = 'Leverage must be a whole number from 1 to 100'
  if (form.isEnsemble && isSignal) {
    const { minAgreement, minConfidence } = form.consensus
    if (outside(minAgreement, FEWEST_MODELS, mostAgreementOf(form)))
      errors.minAgreement = 'Must be from 2 to the number of chosen models'
    if (outside(minConfidence, 0, 1)) errors.minConfidence = 'Must be from 0 to 1'
  }
  const obstacle = policyObstacle(form)
  if (obstacle?.field === 'timeframe') errors.timeframe = obstacle.message
  if (!form.isVirtual) {
    const { maxDayOrders, ...amounts } = form.limits
    for (const [name, amount] of Object.entries(amounts) as [keyof typeof amounts, number | null][])
      refuse(name, wrongAmount(amount, Number.MIN_VALUE, 1e9, ABOVE_0))
    if (outside(maxDayOrders, 1, 10_000) || !Number.isInteger(maxDayOrders))
      errors.maxDayOrders = 'Must be a whole number from 1 to 10,000'
  }
  const calls = form.openaiCallsADay
  if (form.strategy === 'openai' && (outside(calls, 1, 10_000) || !Number.isInteger(calls)))
    errors.openaiCallsADay = 'Must be a whole number from 1 to 10,000'
  if (!isSignal) return errors
  refuse('size', wrongSize(form))
  if (outside(form.takeProfitPct, 0, 1000)) errors.takeProfitPct = 'Must be from 0 (off) to 1,000'
  if (outside(form.stopLossPct, 0, 100)) errors.stopLossPct = 'Must be from 0 (off) to 100'
  return errors
}

const ABOVE_0 = 'Must be above 0'

const isLeverage = (value: number | null): value is number => Number.isInteger(value) && !outside(value, 1, 100)

function wrongName(name: string, taken: readonly string[] = []): string | undefined {
  if (name === '') return 'A name is required'
  if (name.length > LONGEST_NAME) return `A name must have at most ${LONGEST_NAME} characters`
  const other = taken.find((one) => one.toLowerCase() === name.toLowerCase())
  if (other !== undefined) return `You have a bot named ${other}. The name must be another.`
  return PlainName.safeParse(name).error?.issues[0]?.message
}

function wrongBalance(form: BotForm, smallestOrder: number | null): string | undefined {
  const { initialBalance, policy, tradingPairs } = form
  const wrong = wrongAmount(initialBalance, 10, MOST_BALANCE, 'Must be at least 10')
  if (wrong !== undefined || smallestOrder === null) return wrong
  const smallest = smallestBalance(policy, tradingPairs.length, smallestOrder)
  if (smallest === null || initialBalance! >= smallest.refusedBelow) return undefined
  return `Must be at least ${formatCount(smallest.refusedBelow)}: with less it would hardly ever trade`
}

function wrongPairs({ tradingPairs, timeframe }: BotForm, untrained: readonly string[] = []): string | undefined {
  if (tradingPairs.length === 0) return 'Select at least one trading pair'
  if (untrained.length === 0) return undefined
  return `No model is trained on ${untrained.join(' and ')} ${timeframe}. Train one, or choose a policy that asks no model.`
}

function wrongSize({ size, sizeUnit }: BotForm): string | undefined {
  switch (sizeUnit) {
    case 'base':
      return wrongAmount(size, 0.001, MOST_POSITION_SIZE, 'Must be at least 0.001')
    case 'quote':
      return wrongAmount(size, Number.MIN_VALUE, MOST_BALANCE, ABOVE_0)
    case 'percent':
      return wrongAmount(size, Number.MIN_VALUE, 100, ABOVE_0)
    case 'volatility':
      return wrongAmount(size, Number.MIN_VALUE, 1000, ABOVE_0)
    default:
      return sizeUnit satisfies never
  }
}

/** What stands in a field. */
const valueIn = (form: BotForm, field: FormField): unknown =>
  ({ ...form, ...form.consensus, ...form.limits })[field as keyof BotForm]

/** Those of the errors whose fields are no longer as they were. */
export function errorsOfChanges(errors: FormErrors, { before, form }: { before: BotForm; form: BotForm }): FormErrors {
  const changed = Object.entries(errors).filter(
    ([field]) => valueIn(form, field as FormField) !== valueIn(before, field as FormField),
  )
  return Object.fromEntries(changed)
}

/** One line that names every field that is wrong; undefined where none is. What is wrong stands beside each. */
export function wrongFields(errors: FormErrors): string | undefined {
  const labels = (Object.keys(errors) as FormField[]).map((field) => FIELD_LABEL[field])
  if (labels.length === 0) return undefined
  return labels.length === 1
    ? `${labels[0]} must be changed.`
    : `${labels.length} fields must be changed: ${labels.join(', ')}.`
}

/** Why Create is off; null where it can be pressed. */
export function whyNotCreate(form: BotForm): string | null {
  if (form.name.trim() === '') return 'A name is required'
  if (form.initialBalance === null) return 'An initial balance is required'
  if (form.initialBalance === 0) return 'Initial balance must be at least 10'
  if (form.isEnsemble && form.versions.length < FEWEST_MODELS) return 'Select at least 2 models for ensemble'
  return null
}

/** Whether such a bot trades by what models say. */
export const formAsksModels = ({ strategy, policy }: Pick<BotForm, 'strategy' | 'policy'>): boolean =>
  asksModels({ strategy, parameters: { policy } })

const sizingOf = (form: BotForm) => {
  if (form.sizeUnit === 'quote') return { kind: 'quote_amount', quote: form.size! } as const
  if (form.sizeUnit === 'percent') return { kind: 'percent_of_equity', pct: form.size! } as const
  if (form.sizeUnit === 'volatility') return { kind: 'volatility_target', annualPct: form.size! } as const
  return undefined
}

/** The body of the call, of a form without errors. */
export function draftOf(form: BotForm): z.input<typeof BotDraft> {
  const isSignal = form.policy === 'signal'
  const sizing = isSignal ? sizingOf(form) : undefined
  const models =
    form.strategy !== 'ml'
      ? {}
      : form.isEnsemble
        ? { mlModelVersions: [...form.versions], consensusConfig: form.consensus }
        : form.version === ''
          ? {}
          : { mlModelVersion: form.version }
  return {
    name: form.name.trim(),
    description: form.description.trim(),
    strategy: form.strategy,
    tradingPairs: [...form.tradingPairs],
    // Also where something else sizes its entries.
    positionSize: form.sizeUnit === 'base' && wrongSize(form) === undefined ? form.size! : NEW_BOT.size!,
    maxDrawdown: form.maxDrawdown!,
    riskLevel: form.riskLevel,
    initialBalance: form.initialBalance!,
    marketType: form.marketType,
    leverage: isLeverage(form.leverage) ? form.leverage : NEW_BOT.leverage!,
    takeProfitPct: isSignal ? form.takeProfitPct! : 0,
    stopLossPct: isSignal ? form.stopLossPct! : 0,
    isVirtual: form.isVirtual,
    visibility: form.visibility,
    ...models,
    parameters: {
      policy: form.policy,
      timeframe: form.timeframe,
      ...(sizing !== undefined && { sizing }),
      ...(isSignal && form.strategy === 'ml' && { requireEdge: form.requireEdge }),
      ...(form.followModel && formAsksModels(form) && { followModel: true }),
      ...(!form.isVirtual && { limits: RealBotLimits.parse(form.limits) }),
      ...(form.strategy === 'openai' && { openaiCallsADay: form.openaiCallsADay! }),
    },
  }
}

const sizeOf = ({ positionSize, parameters }: Bot): Pick<BotForm, 'sizeUnit' | 'size'> => {
  const { sizing } = parameters ?? {}
  if (sizing?.kind === 'quote_amount') return { sizeUnit: 'quote', size: sizing.quote }
  if (sizing?.kind === 'percent_of_equity') return { sizeUnit: 'percent', size: sizing.pct }
  if (sizing?.kind === 'volatility_target') return { sizeUnit: 'volatility', size: sizing.annualPct }
  return { sizeUnit: 'base', size: positionSize }
}

/** A bot as the form shows it. */
export const formOf = (bot: Bot): BotForm => ({
  ...NEW_BOT,
  name: bot.name,
  description: bot.description,
  initialBalance: bot.initialBalance,
  ownBalance: true,
  tradingPairs: bot.tradingPairs,
  marketType: bot.marketType,
  leverage: bot.leverage,
  timeframe: bot.parameters?.timeframe ?? NEW_BOT.timeframe,
  strategy: bot.strategy,
  isEnsemble: bot.mlModelVersions !== null,
  version: bot.mlModelVersion ?? '',
  versions: bot.mlModelVersions ?? [],
  consensus: bot.consensusConfig ?? NEW_BOT.consensus,
  followModel: bot.parameters?.followModel ?? false,
  policy: bot.parameters?.policy ?? 'signal',
  riskLevel: bot.riskLevel,
  ...sizeOf(bot),
  requireEdge: bot.parameters?.requireEdge ?? !bot.isVirtual,
  openaiCallsADay: bot.parameters?.openaiCallsADay ?? NEW_BOT.openaiCallsADay,
  maxDrawdown: bot.maxDrawdown,
  // One that its policy has by itself changes with the policy.
  ownDrawdown: bot.maxDrawdown !== defaultDrawdown(bot.parameters?.policy ?? 'signal', bot.riskLevel),
  takeProfitPct: bot.takeProfitPct,
  stopLossPct: bot.stopLossPct,
  visibility: bot.visibility,
  isVirtual: bot.isVirtual,
  limits: realBotLimitsOf(bot.parameters),
})

const PATCHED = [
  'name',
  'description',
  'positionSize',
  'maxDrawdown',
  'riskLevel',
  'leverage',
  'takeProfitPct',
  'stopLossPct',
  'parameters',
] as const

/** What a form, one without errors, changes of a bot; null where that is nothing. */
export function patchOf(bot: Bot, form: BotForm): BotPatch | null {
  const [before, after] = [draftOf(formOf(bot)), draftOf(form)]
  const changed = PATCHED.filter(
    (field) => after[field] !== undefined && JSON.stringify(after[field]) !== JSON.stringify(before[field]),
  )
  return changed.length === 0 ? null : Object.fromEntries(changed.map((field) => [field, after[field]]))
}
