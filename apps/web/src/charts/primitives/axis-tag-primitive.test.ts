import { expect, it } from 'vitest'
import { tickLabels } from './axis-tag-primitive.ts'

it('leaves out the tick that lies 10 px from a tag and keeps the one at 20 px', () => {
  expect(tickLabels([100, 110, 140], [120], (price) => price, String)).toEqual(['100', '', '140'])
})

it('two tags that overlap by 8 px reach 8 px further: one of them is moved', () => {
  const y = (price: number) => price
  expect(tickLabels([76, 100, 132, 160], [100, 110], y, String)).toEqual(['', '', '', '160'])
  expect(tickLabels([76, 100, 140, 160], [100, 120], y, String)).toEqual(['76', '', '140', '160'])
})
