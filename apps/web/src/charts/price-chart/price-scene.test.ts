import { TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { expect, it } from 'vitest'
import { futureLabel } from './price-scene.ts'

it('says how long six candles last', () =>
  expect(TIMEFRAMES.map(futureLabel)).toEqual([
    'Next 6 min',
    'Next 30 min',
    'Next 1.5 h',
    'Next 3 h',
    'Next 6 h',
    'Next 24 h',
    'Next 6 d',
  ]))
