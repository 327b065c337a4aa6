import { expect, it } from 'vitest'
import { runName } from './run-name.ts'

const named = (botName: string) => runName({ symbol: 'BTCUSDT', params: { botName, mlModelVersion: 'v3' } })

it('calls a run by its bot, by the model that was tested alone, or by its symbol', () =>
  expect([named('Northwind'), named('v3'), named('v3 model only'), named('')]).toEqual([
    'Northwind',
    'v3 model only',
    'v3 model only',
    'BTCUSDT',
  ]))
