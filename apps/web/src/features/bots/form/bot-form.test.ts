import { type Bot, BotDraft, BotPatch } from '@shapecast/contracts/bots'
import { describe, expect, it } from 'vitest'
import {
  type BotForm,
  changeForm,
  draftOf,
  formErrors,
  formOf,
  mostAgreementOf,
  NEW_BOT,
  patchOf,
  whyNotCreate,
} from './bot-form.ts'

const named: BotForm = { ...NEW_BOT, name: 'Tern' }

describe('the form of a new bot', () => {
  it('starts from the defaults, lacks only a name, and is then accepted by the contract', () => {
    expect(whyNotCreate(NEW_BOT)).toBe('A name is required')
    expect(whyNotCreate(named)).toBeNull()
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
      parameters: { policy: 'model_brake', timeframe: '1h' },
    })
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
    expect(whyNotCreate(one)).toBe('Select at least 2 models for ensemble')
    expect(formErrors(one).versions).toBe('Select at least 2 models for ensemble')
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c', 'd']].map((versions) => mostAgreementOf({ versions }))).toEqual([
      3, 2, 2, 4,
    ])
  })

  it('takes no number that cannot be read, and forgets one of a consensus that a policy does not ask for', () => {
    const unread = { ...NEW_BOT.consensus, minAgreement: Number.NaN }
    const ensemble = {
      ...named,
      isEnsemble: true,
      policy: 'signal',
      versions: ['v1', 'v2'],
      consensus: unread,
    } as const
    expect(formErrors({ ...ensemble, size: Number.NaN, maxDrawdown: Number.NaN })).toMatchObject({
      minAgreement: 'At least 2, at most the number of chosen models',
      size: 'Position size is at least 0.001',
      maxDrawdown: 'Max drawdown is 1 to 50 percent',
    })
    expect(changeForm(ensemble, { policy: 'model_brake' }).consensus).toEqual(NEW_BOT.consensus)
  })

  it('says of an amount that is too large what it is at most', () => {
    const huge = { ...named, policy: 'signal', initialBalance: 1e300, size: 1e300, takeProfitPct: 1e300 } as const
    expect(formErrors(huge)).toEqual({
      initialBalance: 'At most 1,000,000,000,000',
      size: 'At most 1,000,000,000',
      takeProfitPct: '0 is off, at most 1,000',
    })
    expect(formErrors({ ...huge, sizeUnit: 'quote' }).size).toBe('At most 1,000,000,000,000')
    expect(formErrors({ ...named, policy: 'signal', sizeUnit: 'quote', size: 0 }).size).toBe('An amount above 0')
  })

  it('asks for a name and an initial balance before it can be created', () => {
    expect(formErrors({ ...named, name: 'x'.repeat(61) }).name).toBe('A name has at most 60 characters')
    expect(formErrors({ ...named, description: 'x'.repeat(501) }).description).toMatch(/at most 500/)
    expect(formErrors({ ...named, name: 'a\0b' }).name).toBe('A name has no invisible characters')
    expect(formErrors({ ...named, description: 'a\0b' }).description).toBe(
      'This text has characters that cannot be stored',
    )
    expect(whyNotCreate({ ...named, name: '  ' })).toBe('A name is required')
    expect(whyNotCreate({ ...named, initialBalance: null })).toBe('An initial balance is required')
    expect(whyNotCreate({ ...named, initialBalance: 0 })).toBe('Initial balance is at least 10')
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
    [{ initialBalance: 9.99 }, 'initialBalance'],
    [{ maxDrawdown: 0.5 }, 'maxDrawdown'],
    [{ maxDrawdown: 51 }, 'maxDrawdown'],
    [{ marketType: 'futures', leverage: 101 }, 'leverage'],
    [{ marketType: 'futures', leverage: 2.5 }, 'leverage'],
    [{ policy: 'signal', size: 0.0009 }, 'size'],
    [{ policy: 'signal', takeProfitPct: -1 }, 'takeProfitPct'],
    [{ policy: 'signal', stopLossPct: null }, 'stopLossPct'],
    [{ tradingPairs: [] }, 'tradingPairs'],
    [{ timeframe: '1m' }, 'timeframe'],
  ] as const)('refuses %o', (change, field) => {
    expect(Object.keys(formErrors({ ...named, ...change }))).toEqual([field])
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

  it('changes nothing until something is changed, and then no more than that', () => {
    const form = formOf(bot)
    expect(patchOf(bot, form)).toBeNull()
    expect(patchOf(bot, changeForm(form, { riskLevel: 'low' }))).toEqual({ riskLevel: 'low' })
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
})
