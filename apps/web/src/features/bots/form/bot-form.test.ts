import { type Bot, BotDraft, BotPatch } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { describe, expect, it } from 'vitest'
import { draftOf, formOf, patchOf } from './bot-body.ts'
import {
  type BotForm,
  changeForm,
  createDisabledReason,
  mostAgreementOf,
  NEW_BOT,
  takenName,
  tooSmall,
  untrainedError,
  untrainedPairs,
  wrongChange,
  wrongFields,
} from './bot-form.ts'
import { recommendedStart } from './recommended-start.tsx'

const named: BotForm = { ...NEW_BOT, name: 'Tern' }
/** Where the contract refuses what a form would send. */
const refused = (form: BotForm) =>
  BotDraft.safeParse(draftOf(form)).error?.issues.map(({ path }) => path.join('.')) ?? []
const marketOf = (minNotional: number) => [{ id: 'BTCUSDT', minNotional }] as unknown as readonly Market[]

describe('the form of a new bot', () => {
  it('starts from the defaults, lacks only a name, and is then accepted by the contract', () => {
    expect(createDisabledReason(NEW_BOT)).toBe('A name is required')
    expect(createDisabledReason(named)).toBeNull()
    // What is sent, not what the contract makes of it.
    expect(draftOf(named)).toMatchObject({ positionSize: 0.001, leverage: 10 })
    expect(BotDraft.parse(draftOf(named))).toMatchObject({
      strategy: 'ml',
      tradingPairs: ['BTCUSDT'],
      positionSize: 0.001,
      maxDrawdown: 10,
      riskLevel: 'medium',
      initialBalance: 10,
      marketType: 'spot',
      leverage: 10,
      takeProfitPct: 0,
      stopLossPct: 0,
      isVirtual: true,
      visibility: 'private',
      parameters: { policy: 'signal', timeframe: '1h' },
    })
  })

  it('sends costs of its own, of real money those of a share, and keeps those that a bot has', () => {
    const kraken = { ...named, policy: 'trend_ensemble', feePct: 0.4, makerPct: 0.25, postOnly: true } as const
    const costs = { feeRate: 0.004, slippageBps: 5, postOnly: { makerFeeRate: 0.0025 } }
    expect(draftOf(kraken).parameters).toMatchObject({ costs })
    expect(BotDraft.parse(draftOf({ ...kraken, initialBalance: 1000 })).parameters).toMatchObject({ costs })
    expect(draftOf({ ...kraken, isVirtual: false }).parameters).toMatchObject({ costs })
    const signal = draftOf({ ...kraken, isVirtual: false, policy: 'signal' })
    expect(signal.parameters).not.toHaveProperty('costs')
    expect(draftOf(named).parameters).not.toHaveProperty('costs')
    const bot = { ...BotDraft.parse(draftOf(kraken)), mlModelVersions: null, consensusConfig: null } as unknown as Bot
    expect(draftOf(formOf(bot)).parameters).toMatchObject({ costs })
  })

  it('ends ensemble mode with another strategy, and clears the models with ensemble mode', () => {
    const ensemble = changeForm(changeForm(named, { isEnsemble: true }), { versions: ['v1', 'v2'] })
    expect(draftOf(ensemble)).toMatchObject({ mlModelVersions: ['v1', 'v2'] })
    expect(changeForm(ensemble, { isEnsemble: false })).toMatchObject({ versions: [], version: '' })
    const openai = changeForm(ensemble, { strategy: 'openai' })
    expect(openai).toMatchObject({ isEnsemble: false, versions: [], policy: 'signal' })
    expect(draftOf(openai)).not.toHaveProperty('mlModelVersions')
  })

  it('asks for at least 2 models, and for no more agreement than there are models', () => {
    const three = changeForm({ ...named, isEnsemble: true, policy: 'signal' }, { versions: ['a', 'b', 'c'] })
    const agreed = changeForm(three, { consensus: { ...three.consensus, minAgreement: 3 } })
    const two = changeForm(agreed, { versions: ['a', 'b'] })
    expect(two.consensus.minAgreement).toBe(2)
    const one = changeForm(two, { versions: ['a'] })
    expect(createDisabledReason(one)).toBe('Select at least 2 models for ensemble')
    expect(refused(one)).toContain('mlModelVersions')
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c', 'd']].map((versions) => mostAgreementOf({ versions }))).toEqual([
      3, 2, 2, 4,
    ])
  })

  it('forgets a consensus that cannot be read where a policy does not ask for it', () => {
    const unread = { ...NEW_BOT.consensus, minAgreement: Number.NaN }
    const ensemble = { ...named, isEnsemble: true, versions: ['v1', 'v2'], consensus: unread }
    expect(refused(ensemble)).toEqual(['consensusConfig.minAgreement'])
    expect(changeForm(ensemble, { policy: 'model_brake' }).consensus).toEqual(NEW_BOT.consensus)
  })

  it('asks for a name and an initial balance before it can be created', () => {
    expect(createDisabledReason({ ...named, name: '  ' })).toBe('A name is required')
    expect(createDisabledReason({ ...named, initialBalance: null })).toBe('An initial balance is required')
    expect(createDisabledReason({ ...named, initialBalance: 0 })).toBe('Initial balance must be at least 10')
  })

  it('takes balance and limit of a policy with it, unless they were typed', () => {
    const brake = changeForm(named, { policy: 'model_brake' })
    expect([brake.initialBalance, brake.maxDrawdown]).toEqual([1000, 65])
    const low = changeForm(brake, { riskLevel: 'low' })
    expect([low.initialBalance, low.maxDrawdown]).toEqual([1000, 40])
    const back = changeForm(low, { policy: 'signal' })
    expect([back.initialBalance, back.maxDrawdown]).toEqual([10, 10])
    const typed = changeForm(changeForm(named, { initialBalance: 250 }), { maxDrawdown: 20 })
    const fixed = changeForm(typed, { policy: 'fixed_share' })
    expect([fixed.initialBalance, fixed.maxDrawdown]).toEqual([250, 20])
    // Six pairs of fixed share need 200 each.
    const pairs = ['A', 'B', 'C', 'D', 'E', 'F']
    expect(changeForm(changeForm(named, { policy: 'fixed_share' }), { tradingPairs: pairs }).initialBalance).toBe(1200)
  })

  it('is filled by the recommended start, which is then a bot that the contract takes, and goes back as it was', () => {
    const before = changeForm(named, { initialBalance: 77 })
    const start = recommendedStart(['BTCUSDT', 'ETHUSDT', 'SOLUSDT'])
    const form = changeForm(before, start!)
    expect(BotDraft.parse(draftOf(form))).toMatchObject({
      name: 'Tern',
      strategy: 'ml',
      tradingPairs: ['BTCUSDT', 'ETHUSDT'],
      riskLevel: 'medium',
      initialBalance: 1000,
      maxDrawdown: 30,
      marketType: 'spot',
      parameters: { policy: 'trend_ensemble' },
    })
    expect(tooSmall(form, marketOf(10))).toEqual({})
    expect(changeForm(form, before)).toEqual(before)
    expect(recommendedStart(['BTCUSDT'])?.tradingPairs).toEqual(['BTCUSDT'])
    expect(recommendedStart(['ADAUSDT'])).toBeNull()
  })

  it('wants the name for itself, whatever its capitals', () => {
    expect(takenName(named, [{ name: 'TERN' }])).toEqual({
      name: 'You have a bot named TERN. The name must be another.',
    })
  })

  it('wants a balance with which a policy can trade at all: half of 2 × 10 / 0.1', () => {
    const form = changeForm(changeForm(named, recommendedStart(['BTCUSDT', 'ETHUSDT'])!), { initialBalance: 99 })
    const wrong = 'Must be at least 100: with less it would hardly ever trade'
    expect(tooSmall(form, marketOf(10))).toEqual({ initialBalance: wrong })
    expect(tooSmall(form, marketOf(5))).toEqual({})
    expect(tooSmall(form, undefined)).toEqual({})
  })

  it('names the pairs that its models are not trained on, of a policy that asks them', () => {
    const artifact = (symbol: string, timeframe = '1h', venue = 'replay') => ({ venue, symbol, timeframe })
    const models = [
      { version: 'v3', stage: 'production', artifacts: [artifact('BTCUSDT'), artifact('ADAUSDT', '4h')] },
      { version: 'v4', stage: 'staging', artifacts: [artifact('ETHUSDT'), artifact('SOLUSDT', '1h', 'binance')] },
    ] as never
    const of = (change: Partial<BotForm>) =>
      untrainedPairs(
        { ...named, tradingPairs: ['BTCUSDT', 'ETHUSDT', 'ADAUSDT', 'SOLUSDT'], ...change },
        models,
        'replay',
      )
    expect(of({})).toEqual(['ETHUSDT', 'ADAUSDT', 'SOLUSDT'])
    expect(of({ version: 'v4' })).toEqual(['BTCUSDT', 'ADAUSDT', 'SOLUSDT'])
    expect(of({ isEnsemble: true, versions: ['v3', 'v4'] })).toHaveLength(4)
    expect(of({ timeframe: '4h' })).toEqual(['BTCUSDT', 'ETHUSDT', 'SOLUSDT'])
    for (const none of [{ policy: 'trend_ensemble' }, { strategy: 'openai' }] as const) expect(of(none)).toEqual([])
    expect(untrainedPairs(named, undefined, 'replay')).toEqual([])
    expect(untrainedError({ ...named, tradingPairs: ['ETHUSDT', 'ADAUSDT'] }, models, 'replay').tradingPairs).toBe(
      'No model is trained on ETHUSDT and ADAUSDT 1h. Train one, or choose a policy that asks no model.',
    )
  })

  it('names all fields that are wrong in one line', () => {
    const errors = { initialBalance: 'x', maxDrawdown: 'x', minConfidence: 'x' }
    expect(wrongFields(errors)).toBe('3 fields must be changed: Initial balance, Max drawdown, Minimum confidence.')
    expect([wrongFields({ size: 'x' }), wrongFields({})]).toEqual(['Position size must be changed.', undefined])
  })

  it('follows its model only where that is asked for, and where it asks one', () => {
    expect(draftOf(named).parameters).not.toHaveProperty('followModel')
    const follows = changeForm(named, { followModel: true })
    const ensemble = { isEnsemble: true, versions: ['v1', 'v2'] }
    for (const form of [{}, { policy: 'model_brake' }, ensemble] as const)
      expect(BotDraft.parse(draftOf(changeForm(follows, form))).parameters).toMatchObject({ followModel: true })
    for (const form of [{ policy: 'trend_ensemble' }, { strategy: 'openai' }] as const)
      expect(draftOf(changeForm(follows, form)).parameters).not.toHaveProperty('followModel')
  })

  it('trades the signal only on futures', () => {
    expect(changeForm(named, { marketType: 'futures' }).policy).toBe('signal')
  })

  it('sizes several pairs in USDT, since they share no base asset', () => {
    const pairs = changeForm({ ...named, policy: 'signal' }, { tradingPairs: ['BTCUSDT', 'ETHUSDT'] })
    expect(pairs).toMatchObject({ sizeUnit: 'quote', size: 10 })
    expect(draftOf(pairs).parameters?.sizing).toEqual({ kind: 'quote_amount', quote: 10 })
  })

  it.each([
    [{ maxDrawdown: 10.5 }, 'maxDrawdown'],
    [{ policy: 'steady_risk', maxDrawdown: 91 }, 'maxDrawdown'],
    [{ marketType: 'futures', leverage: 101 }, 'leverage'],
    [{ size: 0.0009 }, 'positionSize'],
    [{ sizeUnit: 'quote', size: 0 }, 'parameters.sizing.quote'],
    [{ sizeUnit: 'percent', size: null }, 'parameters.sizing.pct'],
    [{ stopLossPct: null }, 'stopLossPct'],
    [{ policy: 'steady_risk', timeframe: '1m' }, 'parameters.timeframe'],
    [{ isVirtual: false, limits: { ...NEW_BOT.limits, maxDayLoss: null } }, 'parameters.limits.maxDayLoss'],
  ] as const)('is refused by the contract with %o', (change, path) => {
    expect(refused({ ...named, ...change })).toEqual([path])
  })

  it('is not refused for a field that is off', () => {
    expect(refused({ ...named, leverage: null })).toEqual([])
    expect(refused({ ...named, policy: 'steady_risk', size: null, takeProfitPct: null, stopLossPct: null })).toEqual([])
  })
})

describe('the form of a bot that exists', () => {
  const bot = {
    ...BotDraft.parse({ ...draftOf(named), parameters: { policy: 'signal', timeframe: '4h' } }),
    mlModelVersion: null,
    mlModelVersions: null,
    consensusConfig: null,
    parameters: { policy: 'signal', timeframe: '4h', sizing: { kind: 'volatility_target', annualPct: 30 } },
  } as unknown as Bot

  it('changes its limit with its policy where it never had another than that of the policy', () => {
    expect(patchOf(bot, changeForm(formOf(bot), { policy: 'trend_ensemble' }))).toMatchObject({ maxDrawdown: 30 })
    const own = { ...bot, maxDrawdown: 25 }
    expect(patchOf(own, changeForm(formOf(own), { policy: 'trend_ensemble' }))).not.toHaveProperty('maxDrawdown')
  })

  it('changes nothing until something is changed, and then no more than that', () => {
    const form = formOf(bot)
    expect(patchOf(bot, form)).toBeNull()
    expect(patchOf(bot, changeForm(form, { riskLevel: 'low' }))).toEqual({ riskLevel: 'low' })
  })

  it('keeps that it follows its model when something beside it changes, until that is switched off', () => {
    const follows = { ...bot, parameters: { ...bot.parameters, followModel: true } } as Bot
    const later = changeForm(formOf(follows), { timeframe: '1h' })
    expect(patchOf(follows, later)?.parameters).toMatchObject({ timeframe: '1h', followModel: true })
    expect(patchOf(follows, changeForm(formOf(follows), { followModel: false }))?.parameters).toEqual({
      policy: 'signal',
      timeframe: '4h',
      requireEdge: false,
      sizing: { kind: 'volatility_target', annualPct: 30 },
    })
  })

  it('keeps what a bot was given by the API when something beside it changes', () => {
    const patch = patchOf(bot, changeForm(formOf(bot), { timeframe: '1h' }))
    expect(BotPatch.parse(patch).parameters).toEqual({
      policy: 'signal',
      timeframe: '1h',
      requireEdge: false,
      sizing: { kind: 'volatility_target', annualPct: 30 },
    })
  })

  it('keeps the rule of a bot that trades one, and its sizing, when something beside it changes', () => {
    const rule = 'enter: ema(20) crosses above ema(50) exit: rsi(14) > 75'
    const sizing = { kind: 'percent_of_equity', pct: 25 }
    const ruled = { ...bot, parameters: { policy: 'rule', timeframe: '4h', rule, sizing } } as Bot
    expect(patchOf(ruled, formOf(ruled))).toBeNull()
    const patch = patchOf(ruled, changeForm(formOf(ruled), { timeframe: '1h' }))
    expect(BotPatch.parse(patch)).toEqual({ parameters: { policy: 'rule', timeframe: '1h', rule, sizing } })
    const other = patchOf(ruled, changeForm(formOf(ruled), { policy: 'steady_risk' }))
    expect(other?.parameters).toEqual({ policy: 'steady_risk', timeframe: '4h' })
  })

  it('keeps a limit that a new bot could not have until it or its policy is changed', () => {
    const before = { ...formOf(bot), maxDrawdown: 60 }
    expect(wrongChange(before, { ...before, name: 'Tern' })).toEqual({})
    const wrong = { maxDrawdown: 'Max drawdown must be a whole number from 1 to 50 percent' }
    expect(wrongChange(before, { ...before, maxDrawdown: 55 })).toEqual(wrong)
    expect(wrongChange({ ...before, policy: 'fixed_share' }, before)).toEqual(wrong)
    expect(wrongChange(before, { ...before, policy: 'steady_risk', timeframe: '1m' })).toEqual({
      timeframe: 'A policy decides once a day: choose 15m or longer candles',
    })
  })
})

it('holds the most traded of the pairs for a policy that holds a share alone, and all once no more are left', () => {
  const three = changeForm(NEW_BOT, { policy: 'fixed_share', tradingPairs: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'] })
  const two = changeForm(three, { mostTraded: 2 })
  expect(draftOf(two).parameters).toMatchObject({ mostTraded: 2 })
  // 200 USDT a pair that is held.
  expect([tooSmall(changeForm(two, { initialBalance: 199 }), marketOf(10)), tooSmall(two, marketOf(10))]).toEqual([
    { initialBalance: 'Must be at least 200: with less it would hardly ever trade' },
    {},
  ])
  expect(changeForm(two, { tradingPairs: ['BTCUSDT', 'ETHUSDT'] }).mostTraded).toBeNull()
  expect(draftOf(changeForm(two, { policy: 'signal' })).parameters).not.toHaveProperty('mostTraded')
  const { error } = BotDraft.safeParse({ name: 'B', parameters: { policy: 'signal', mostTraded: 2 } })
  expect(error!.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['parameters.mostTraded', 'Only a policy that holds a share of the equity holds the most traded of its pairs'],
  ])
})
