import type { AuditRecord } from '@shapecast/contracts/users'
import { expect, it } from 'vitest'
import { actorName, changesOf, sentenceOf } from './audit-sentences.ts'

const MIRA = '01890000-0000-7000-8000-000000000001'
const KEIKO = '01890000-0000-7000-8000-000000000002'

const entry = (action: string, told: Partial<AuditRecord> & { name?: string | null } = {}): AuditRecord => {
  const { name = null, ...rest } = told
  return {
    id: '01890000-0000-7000-8000-0000000000a1',
    at: 0,
    actor: { id: MIRA, username: 'mira' },
    address: '203.0.113.24',
    action,
    subject: { type: action.split('.')[0]!, id: KEIKO, name },
    before: null,
    after: null,
    ...rest,
  }
}
const words = (...told: Parameters<typeof entry>) =>
  sentenceOf(entry(...told))
    .map((part) => (typeof part === 'string' ? part : `*${part.name}*`))
    .join('')

it.each([
  [
    'user.role_changed',
    { name: 'keiko', before: { role: 'user' }, after: { role: 'bot_manager' } },
    'made *keiko* a Manager; before: User',
  ],
  ['user.disabled', { name: 'keiko' }, 'disabled the account of *keiko*'],
  ['user.disabled', {}, 'disabled the account of *a deleted account*'],
  ['user.sessions_ended', { name: 'keiko' }, 'ended all sessions of *keiko*'],
  ['user.sessions_ended', { subject: { type: 'user', id: MIRA, name: 'mira' } }, 'ended all other sessions'],
  [
    'bot.created',
    { name: 'Ash', after: { name: 'Ash', isVirtual: false, tradingPairs: ['BTCUSDT', 'ETHUSDT'] } },
    'created the bot *Ash*, real money, on BTCUSDT, ETHUSDT',
  ],
  [
    'bot.changed',
    { name: 'Ash', before: { stopLossPct: 5, leverage: 2 }, after: { stopLossPct: 4, leverage: 2 } },
    'changed the stop loss of *Ash* from 5% to *4%*',
  ],
  [
    'bot.changed',
    { name: 'Ash', before: { stopLossPct: 5, leverage: 2 }, after: { stopLossPct: 4, leverage: 3 } },
    'changed stop loss, leverage of *Ash*',
  ],
  [
    'bot.paused',
    { name: 'Ash', after: { status: 'paused', statusReason: 'v3 was taken out of production.' } },
    'paused *Ash*: v3 was taken out of production.',
  ],
  [
    'bot.position_closed',
    { name: 'Ash', after: { symbol: 'BTCUSDT', quantity: 0.02, status: 'active' } },
    'told *Ash* to close *0.02 BTCUSDT*',
  ],
  [
    'policy.changed',
    { before: { registration: 'open' }, after: { registration: 'closed' } },
    'changed the registration of the policy from open to *closed*',
  ],
  ['real_trading.killed', { after: { closing: false } }, 'used the kill switch; real bots keep their positions'],
  [
    'real_trading.killed',
    { after: { closing: true, killedReason: 'prices are wrong' } },
    'used the kill switch; real bots sell what they hold (“prices are wrong”)',
  ],
  [
    'order.placed',
    {
      after: {
        side: 'buy',
        amount: 0.01,
        symbol: 'BTCUSDT',
        type: 'limit',
        price: 65000,
        average: null,
        isVirtual: true,
      },
    },
    'placed a virtual order: buy *0.01 BTCUSDT* at 65,000.0, limit',
  ],
  ['order.cancel_asked', {}, 'asked to cancel the order *01890000*'],
  ['task.created', { name: 'Faster charts', after: { title: 'Charts' } }, 'proposed the task *Charts*'],
  [
    'model.stage_changed',
    { subject: { type: 'model', id: 'v3', name: null }, before: { stage: 'staging' }, after: { stage: 'production' } },
    'moved *v3* from staging to production',
  ],
  ['webhook.set', { after: { address: 'hooks.example.org' } }, 'set webhook to *hooks.example.org*'],
  ['training.cancelled', {}, 'cancelled the training *01890000*'],
] as const)('says %s of %o', (action, told, sentence) => {
  expect(words(action, told)).toBe(sentence)
})

it('lists what differs, and what was made or removed with its values', () => {
  expect(changesOf({ before: { role: 'user', name: 'svea' }, after: { role: 'admin', name: 'svea' } })).toEqual([
    { key: 'role', was: 'user', is: 'admin' },
  ])
  expect(changesOf({ before: null, after: { pairs: ['BTCUSDT'], note: null, isOn: false } })).toEqual([
    { key: 'pairs', is: 'BTCUSDT' },
    { key: 'isOn', is: 'no' },
  ])
  expect(changesOf({ before: { pairs: ['BTCUSDT'] }, after: { pairs: [] } })).toEqual([
    { key: 'pairs', was: 'BTCUSDT', is: '—' },
  ])
  expect(changesOf({ before: { hash: 'ab'.repeat(32) }, after: null })).toEqual([{ key: 'hash', is: 'abababababab…' }])
  expect(changesOf({ before: null, after: null })).toEqual([])
})

it('tells the system from somebody who was not signed in, and from an account that is gone', () => {
  expect(actorName({ actor: null, address: null })).toBe('System')
  expect(actorName({ actor: null, address: '192.0.2.1' })).toBe('Somebody')
  expect(actorName({ actor: { id: MIRA, username: null }, address: null })).toBe('a deleted account')
})
