import { expect, it } from 'vitest'
import { changeWords } from './change-words.ts'

it('tells what differs, and what was made with its values', () => {
  expect(changeWords({ role: 'user', name: 'svea' }, { role: 'admin', name: 'svea' })).toBe('role: user → admin')
  expect(changeWords(null, { pairs: ['BTCUSDT'], note: null })).toBe('pairs: ["BTCUSDT"]')
  expect(changeWords(null, null)).toBe('')
})
