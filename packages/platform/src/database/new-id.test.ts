import { afterEach, expect, it, vi } from 'vitest'
import { newId } from './new-id.ts'

afterEach(() => vi.useRealTimers())

it('ids are UUIDs of version 7, each later than the one before, 10,000 in one ms and with the clock set back', () => {
  vi.useFakeTimers({ now: Date.UTC(2100, 0, 1) })
  const ids = Array.from({ length: 10_000 }, newId)
  vi.setSystemTime(0)
  ids.push(newId())
  vi.setSystemTime(Date.UTC(2100, 0, 2))
  ids.push(newId())
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(ids.toSorted()).toEqual(ids)
  expect(Number.parseInt(ids.at(-1)!.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.UTC(2100, 0, 2))
})
