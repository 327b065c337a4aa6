import { expect, it } from 'vitest'
import { pairWords, returnPct, strategyWords } from './bot-words.ts'

const ml = { strategy: 'ml', mlModelVersion: null, mlModelVersions: null } as const

it('names what decides for a bot', () =>
  expect([
    strategyWords({ ...ml, mlModelVersion: 'v3' }),
    strategyWords({ ...ml, mlModelVersions: ['v3', 'v4', 'v5'] }),
    strategyWords({ ...ml, strategy: 'openai' }),
  ]).toEqual(['ML v3', 'ML 3 models', 'OpenAI']))

it('names the first pairs and counts the others', () =>
  expect([pairWords(['BTCUSDT'], 2), pairWords(['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'ADAUSDT'], 2)]).toEqual([
    'BTCUSDT',
    'BTCUSDT, ETHUSDT +2',
  ]))

it('measures a return against the initial balance', () =>
  expect(returnPct({ initialBalance: 200, currentBalance: 190 })).toBeCloseTo(-5))
