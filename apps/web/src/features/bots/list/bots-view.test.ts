import { expect, it } from 'vitest'
import { sampleBot } from '../../../testing/sample-bot.ts'
import { botsIn, viewIn, warningOf, withView } from './bots-view.ts'

const ME = sampleBot().userId
const BOTS = [
  sampleBot({ name: 'Ash', currentBalance: 900, initialBalance: 1000, createdAt: 3 }),
  sampleBot({ name: 'Beech', currentBalance: 2000, initialBalance: 1900, createdAt: 1, tradingPairs: ['SOLUSDT'] }),
  sampleBot({ name: 'Cedar', currentBalance: 50, isVirtual: false, status: 'active', createdAt: 2 }),
  sampleBot({ name: 'Elm', currentBalance: 9000, userId: 'somebody', status: 'paused', statusReason: 'A limit.' }),
]
const course = (holdPct: number | null, drawdownPct: number) => ({ botId: '', values: [], holdPct, drawdownPct })
const names = (query: string) => botsIn(BOTS, viewIn(new URLSearchParams(query)), ME, new Map()).map(({ name }) => name)

it("shows real money first, then by equity, and others' bots last", () => {
  expect(names('')).toEqual(['Cedar', 'Beech', 'Ash', 'Elm'])
})

it('finds bots by name and pair, and by how they stand', () => {
  expect(names('q=ee')).toEqual(['Beech'])
  expect(names('q= solusdt')).toEqual(['Cedar', 'Beech', 'Ash', 'Elm'])
  expect(names('show=active')).toEqual(['Cedar'])
  expect(names('show=warned')).toEqual(['Elm'])
  expect(names('show=real')).toEqual(['Cedar'])
  expect(names('show=constructor&sort=toString')).toEqual(names(''))
})

it('sorts the largest first and names from A to Z, or the other way round', () => {
  expect(names('sort=return')).toEqual(['Elm', 'Beech', 'Ash', 'Cedar'])
  expect(names('sort=-equity')).toEqual(['Cedar', 'Ash', 'Beech', 'Elm'])
  expect(names('sort=name')).toEqual(['Ash', 'Beech', 'Cedar', 'Elm'])
})

it('sorts by what the pairs held made and by the fall from the peak, what is unknown last in either order', () => {
  const bots = BOTS.map((bot, i) => ({ ...bot, id: String(i) }))
  const courses = new Map([
    ['0', course(5, 1)],
    ['1', course(-2, 7)],
    ['2', course(null, 3)],
  ])
  const sorted = (query: string) =>
    botsIn(bots, viewIn(new URLSearchParams(query)), ME, courses).map(({ name }) => name)
  expect(sorted('sort=hold').slice(0, 2)).toEqual(['Ash', 'Beech'])
  expect(sorted('sort=-hold').slice(0, 2)).toEqual(['Beech', 'Ash'])
  expect(sorted('sort=drawdown')).toEqual(['Beech', 'Cedar', 'Ash', 'Elm'])
})

it('warns from three quarters of the drawdown limit on, with what is left of it', () => {
  // 1,441.68 is 8.95% below 1,583.39, of which a limit of 10% leaves 1,425.05.
  const near = sampleBot({ status: 'active', statusReason: null, maxDrawdown: 10, currentBalance: 1441.68 })
  expect(warningOf(near, course(0, 8.95))).toBe('Drawdown −8.95% of 10%: another 16.63 USDT and it closes and pauses.')
  expect(warningOf(near, course(0, 7.4))).toBeNull()
  expect(warningOf({ ...near, status: 'paused', statusReason: 'A limit.' }, course(0, 8.95))).toBe('A limit.')
})

it('changes the address by what differs from the beginning, and leaves the rest of it', () => {
  const search = withView(new URLSearchParams('bot=b1&show=active'), { sort: 'name', isReversed: true })
  expect(search.toString()).toBe('bot=b1&show=active&sort=-name')
  expect(withView(search, { sort: null, shown: 'all', words: '' }).toString()).toBe('bot=b1')
})
