// @vitest-environment happy-dom
import { ApiError } from '@shapecast/contracts/client'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQueryClient } from './query-client.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it.each([
  [new ApiError(0, 'unreachable', 'The server cannot be reached.', false), 4],
  [new ApiError(404, 'not_found', 'There is no such model.', true), 1],
])('what nobody answered is asked for again by itself, what was refused is not: %s', async (error, tries) => {
  const read = vi.fn(() => Promise.reject(error))
  const leave = new QueryObserver(createQueryClient(vi.fn()), { queryKey: ['a'], queryFn: read }).subscribe(vi.fn())
  await vi.advanceTimersByTimeAsync(33_500)
  expect(read).toHaveBeenCalledTimes(tries)
  leave()
})
