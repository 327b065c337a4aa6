import { expect, it } from 'vitest'
import { tickLabels } from './tick-labels.ts'

it('leaves out the tick that lies 10 px from a tag and keeps the one at 20 px', () => {
  expect(tickLabels([100, 110, 140], [120], (price) => price, String)).toEqual(['100', '', '140'])
})
