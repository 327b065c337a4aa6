import { expect, it } from 'vitest'
import { changeWords } from './audit-page.tsx'

it('tells what differs, and what was made with its values', () => {
  expect(changeWords({ role: 'user', name: 'svea' }, { role: 'admin', name: 'svea' })).toBe('role: user → admin')
  expect(changeWords(null, { pairs: ['BTCUSDT'], note: null })).toBe('pairs: BTCUSDT')
  expect(changeWords(null, null)).toBe('')
  expect(changeWords({ pairs: ['BTCUSDT'] }, { pairs: [] })).toBe('pairs: BTCUSDT → —')
  expect(changeWords(null, { tags: [], params: {}, hash: 'ab'.repeat(32), fromMs: 0 })).toBe(
    'hash: abababababab…, from: 1 Jan 1970, 00:00:00 UTC',
  )
})
