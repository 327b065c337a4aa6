import { type Bot, BotDraft, type BotParameters, ConsensusConfig } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import type { Model } from '@shapecast/contracts/ml'
import {
  defaultBalance,
  defaultDrawdown,
  heldPairs,
  holdsShare,
  policyObstacle,
  smallestBalance,
  wrongDrawdown,
} from '@shapecast/contracts/policies'
import { RealBotLimits } from '@shapecast/contracts/real-bots'
import { asksModels } from '#entities/bots/bot-words.ts'
import { type CostValues, USUAL_COSTS } from '#entities/bots/costs.ts'
import { formatCount } from '#kit/format/number.ts'

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

/** Settings that the form, a bot and the calls know by the same names. */
const SAME = [
  'name',
  'description',
  'strategy',
  'tradingPairs',
  'maxDrawdown',
  'riskLevel',
  'initialBalance',
  'marketType',
  'leverage',
  'takeProfitPct',
  'stopLossPct',
  'isVirtual',
  'visibility',
] as const
type Same = (typeof SAME)[number]
export const sameOf = <From extends Record<Same, unknown>>(from: From) =>
  Object.fromEntries(SAME.map((name) => [name, from[name]])) as Pick<From, Same>

type OwnParameter = 'policy' | 'timeframe' | 'followModel' | 'requireEdge' | 'openaiCallsADay' | 'pauseWhenWorse'
/** An empty number field is null. */
type Typed<Settings> = {
  [Name in keyof Settings]-?: NonNullable<Settings[Name]> extends number ? number | null : NonNullable<Settings[Name]>
}

/** What stands in the dialogs. */
export interface BotForm extends CostValues, Typed<Pick<BotDraft, Same> & Pick<BotParameters, OwnParameter>> {
  /** Whether somebody typed it: a policy then leaves it alone. */
  ownBalance: boolean
  ownDrawdown: boolean
  isEnsemble: boolean
  /** '' follows the current model. */
  version: string
  versions: readonly string[]
  consensus: ConsensusConfig
  /** Of a policy that holds a share: so many of its pairs, the most traded; null for all. */
  mostTraded: number | null
  sizeUnit: SizeUnit
  size: number | null
  /** Of a bot with real money. */
  limits: Typed<RealBotLimits>
  /** Of a bot that trades a rule, which is written elsewhere. */
  kept: Pick<BotParameters, 'rule' | 'ruleOrigin' | 'sizing'>
}

export const NEW_BOT: BotForm = {
  ...sameOf(BotDraft.parse({ name: 'New' })),
  name: '',
  ownBalance: false,
  ownDrawdown: false,
  timeframe: '1h',
  isEnsemble: false,
  version: '',
  versions: [],
  consensus: ConsensusConfig.parse({}),
  followModel: false,
  policy: 'signal',
  mostTraded: null,
  sizeUnit: 'base',
  size: 0.001,
  requireEdge: false,
  openaiCallsADay: 100,
  limits: RealBotLimits.parse({}),
  kept: {},
  pauseWhenWorse: false,
  ...USUAL_COSTS,
}

const SIZE_DEFAULTS = { base: 0.001, quote: 10, percent: 10, volatility: 40 } as const

/** How many of its pairs such a bot holds at a time. */
export const heldIn = ({ tradingPairs, mostTraded }: Pick<BotForm, 'tradingPairs' | 'mostTraded'>): number =>
  heldPairs({ tradingPairs, parameters: { mostTraded: mostTraded ?? undefined } })

/** How many models may have to agree: all that are chosen. */
export const mostAgreementOf = ({ versions }: Pick<BotForm, 'versions'>): number =>
  Math.max(FEWEST_MODELS, versions.length || MOST_AGREEMENT_UNCHOSEN)

/**
 * A change with what follows from it: another strategy than ml ends ensemble mode and the policies, ending ensemble
 * mode clears the chosen models, futures trade the signal or a rule only, several pairs have no base asset in common, real money
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
  if (form.marketType === 'futures' && form.policy !== 'rule') form = { ...form, policy: 'signal' }
  if (form.tradingPairs.length > 1 && form.sizeUnit === 'base') form = { ...form, sizeUnit: 'quote' }
  if (form.sizeUnit !== before.sizeUnit && !('size' in change)) form = { ...form, size: SIZE_DEFAULTS[form.sizeUnit] }
  if (form.isVirtual !== before.isVirtual) form = { ...form, requireEdge: !form.isVirtual }
  const { policy, riskLevel, tradingPairs, mostTraded } = form
  if (mostTraded !== null && (!holdsShare(policy) || mostTraded >= tradingPairs.length))
    form = { ...form, mostTraded: null }
  const isOther = policy !== before.policy
  if (!form.ownBalance && (isOther || heldIn(form) !== heldIn(before)))
    form = { ...form, initialBalance: defaultBalance(policy, heldIn(form)) }
  if (!form.ownDrawdown && (isOther || riskLevel !== before.riskLevel))
    form = { ...form, maxDrawdown: defaultDrawdown(policy, riskLevel) }
  // Its fields are off then, with whatever stands in them.
  if (policy !== 'signal' && !ConsensusConfig.safeParse(form.consensus).success)
    form = { ...form, consensus: NEW_BOT.consensus }
  const mostAgreement = mostAgreementOf(form)
  if (form.consensus.minAgreement > mostAgreement)
    form = { ...form, consensus: { ...form.consensus, minAgreement: mostAgreement } }
  return form
}

/** Each field by its label. */
export const FIELD_LABEL = {
  name: 'Name',
  description: 'Description',
  initialBalance: 'Initial balance',
  tradingPairs: 'Trading pairs',
  timeframe: 'Candles',
  leverage: 'Leverage',
  strategy: 'Strategy',
  marketType: 'Market type',
  visibility: 'Visibility',
  riskLevel: 'Risk level',
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
  feePct: 'Fee',
  makerPct: 'Maker fee',
  slippageBps: 'Slippage',
} as const
export type FormField = keyof typeof FIELD_LABEL
export type FormErrors = Partial<Record<FormField, string>>

/** The fields of what has another name in the call. */
export const PLACES: Readonly<Record<string, FormField>> = {
  positionSize: 'size',
  quote: 'size',
  pct: 'size',
  annualPct: 'size',
  mlModelVersion: 'versions',
  mlModelVersions: 'versions',
  consensusConfig: 'minAgreement',
  feeRate: 'feePct',
  makerFeeRate: 'makerPct',
  costs: 'makerPct',
}

/** What stands in a field. */
export const valueIn = (form: BotForm, field: string): unknown =>
  ({ ...form.consensus, ...form.limits, ...form })[field as keyof BotForm]

/** What is wrong with a name, as that of another bot. */
export function takenName({ name }: BotForm, bots: readonly Pick<Bot, 'name'>[]): FormErrors {
  const other = bots.find((one) => one.name.toLowerCase() === name.trim().toLowerCase())
  return other === undefined ? {} : { name: `You have a bot named ${other.name}. The name must be another.` }
}

/** What is wrong with a balance that is too small for the orders that its market takes. */
export function tooSmall(
  { policy, tradingPairs, mostTraded, initialBalance }: BotForm,
  markets: readonly Market[] | undefined,
): FormErrors {
  const market = markets?.find(({ id }) => id === tradingPairs[0])
  const least = market && smallestBalance(policy, heldIn({ tradingPairs, mostTraded }), market.minNotional)
  if (!least || initialBalance === null || initialBalance >= least.refusedBelow) return {}
  return {
    initialBalance: `Must be at least ${formatCount(least.refusedBelow)}: with less it would hardly ever trade`,
  }
}

/** What is wrong with a change of a bot that its fields alone do not tell. What it has and is not changed stays. */
export function wrongChange(before: BotForm, form: BotForm): FormErrors {
  const isChanged = (field: 'maxDrawdown' | 'timeframe') =>
    form.policy !== before.policy || form[field] !== before[field]
  const drawdown = isChanged('maxDrawdown') ? wrongDrawdown(form.maxDrawdown, form.policy) : undefined
  const obstacle = isChanged('timeframe') ? policyObstacle({ ...form, rule: form.kept.rule }) : null
  return {
    ...(drawdown !== undefined && { maxDrawdown: drawdown }),
    ...(obstacle?.field === 'timeframe' && { timeframe: obstacle.message }),
  }
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
export function createDisabledReason(form: BotForm): string | null {
  if (form.name.trim() === '') return 'A name is required'
  if (form.initialBalance === null) return 'An initial balance is required'
  if (form.initialBalance === 0) return 'Initial balance must be at least 10'
  if (form.isEnsemble && form.versions.length < FEWEST_MODELS) return 'Select at least 2 models for ensemble'
  return null
}

/** The models that were chosen: none where it follows the current one. */
const chosenOf = ({ isEnsemble, version, versions }: BotForm): readonly string[] =>
  isEnsemble ? versions : version === '' ? [] : [version]

/** Whether such a bot trades by what models say. */
export const formAsksModels = ({ strategy, policy }: Pick<BotForm, 'strategy' | 'policy'>): boolean =>
  asksModels({ strategy, parameters: { policy } })

/** Pairs of a form that its models are not trained on in this market; none while that is not known. */
export function untrainedPairs(
  form: BotForm,
  models: readonly Model[] | undefined,
  venue: string | undefined,
): string[] {
  if (!formAsksModels(form) || models === undefined || venue === undefined) return []
  const isTrained = (pair: string, isMeant: (model: Model) => boolean) =>
    models.some(
      (model) =>
        isMeant(model) &&
        model.artifacts.some(
          ({ venue: where, symbol, timeframe }) => where === venue && symbol === pair && timeframe === form.timeframe,
        ),
    )
  const versions = chosenOf(form)
  return form.tradingPairs.filter((pair) =>
    versions.length === 0
      ? !form.isEnsemble && !isTrained(pair, ({ stage }) => stage === 'production')
      : versions.some((version) => !isTrained(pair, (model) => model.version === version)),
  )
}

/** What is wrong with pairs and models that this installation does not have; nothing while that is not known. */
export function absent(
  form: BotForm,
  models: readonly Model[] | undefined,
  markets: readonly Market[] | undefined,
): FormErrors {
  const pairs = markets === undefined ? [] : form.tradingPairs.filter((pair) => !markets.some(({ id }) => id === pair))
  const chosen = form.strategy === 'ml' ? chosenOf(form) : []
  const versions = models === undefined ? [] : chosen.filter((one) => !models.some(({ version }) => version === one))
  return {
    ...(pairs.length > 0 && { tradingPairs: `This market does not have ${pairs.join(' and ')}: take it out.` }),
    ...(versions.length > 0 && { versions: `There is no model ${versions.join(' and ')} here: choose another.` }),
  }
}

export function untrainedError(...of: Parameters<typeof untrainedPairs>): FormErrors {
  const pairs = untrainedPairs(...of)
  if (pairs.length === 0) return {}
  const series = `${pairs.join(' and ')} ${of[0].timeframe}`
  return { tradingPairs: `No model is trained on ${series}. Train one, or choose a policy that asks no model.` }
}
