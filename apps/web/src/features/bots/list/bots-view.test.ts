import { expect, it } from 'vitest'
import { sampleBot } from '../../../testing/sample-bot.ts'
import { botsIn, viewIn, withView } from './bots-view.ts'

const ME = sampleBot().userId
const BOTS = [
  sampleBot({ name: 'Ash', currentBalance: 900, initialBalance: 1000, createdAt: 3 }),
  sampleBot({ name: 'Beech', currentBalance: 2000, initialBalance: 1900, createdAt: 1, tradingPairs: ['SOLUSDT'] }),
  sampleBot({ name: 'Cedar', currentBalance: 50, isVirtual: false, status: 'active', createdAt: 2 }),
  sampleBot({ name: 'Elm', currentBalance: 9000, userId: 'somebody', status: 'paused', statusReason: 'A limit.' }),
]
const names = (query: string) => botsIn(BOTS, viewIn(new URLSearchParams(query)), ME).map(({ name }) => name)

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

it('changes the address by what differs from the beginning, and leaves the rest of it', () => {
  const search = withView(new URLSearchParams('bot=b1&show=active'), { sort: 'name', isReversed: true })
  expect(search.toString()).toBe('bot=b1&show=active&sort=-name')
  expect(withView(search, { sort: null, shown: 'all', words: '' }).toString()).toBe('bot=b1')
})
