import { describe, expect, it } from 'vitest'
import { comparedIn, movedTo, paths } from './paths.ts'

describe('an address of before, with the page of the Data Center in its query,', () => {
  it.each([
    ['model=v3', '/ml-analysis/models/v3'],
    ['model=v3.1&artifact=a1&tab=inputs', '/ml-analysis/models/v3.1?artifact=a1&tab=inputs'],
    ['compare=v3,v4', '/ml-analysis/compare?versions=v3,v4'],
    ['compare=', '/ml-analysis/compare'],
    ['record', '/ml-analysis/record'],
    ['record=v3', '/ml-analysis/record?version=v3'],
    ['model=../settings', '/ml-analysis/models/..%2Fsettings'],
  ])('%s, leads to %s', (query, to) => expect(movedTo(new URLSearchParams(query))).toBe(to))

  it('leads nowhere else where it chooses data', () =>
    expect(movedTo(new URLSearchParams('coins=BTCUSDT&from=2023-01-01'))).toBeNull())
})

it('a comparison names each version once, and at most 5', () => {
  const read = (to: string) => comparedIn(new URL(to, 'http://local').searchParams)
  expect(read(paths.compare(['v3', 'v4']))).toEqual(['v3', 'v4'])
  expect(read(paths.compare([]))).toEqual([])
  expect(read('/ml-analysis/compare?versions=v3,v3,%20,v4')).toEqual(['v3', 'v4'])
  expect(read('/ml-analysis/compare?versions=a,b,c,d,e,f')).toEqual(['a', 'b', 'c', 'd', 'e'])
})
