import { ApiError } from '@shapecast/contracts/client'
import { QueryClientProvider, QueryObserver } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQueryClient } from './query-client.ts'
import { useHealth } from './use-health.ts'

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

it('whether the server answers is asked every 30 s, and every 5 s while it does not', async () => {
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  let isAway = false
  const asked = vi.fn(async () =>
    isAway ? Promise.reject(new TypeError('Failed to fetch')) : Response.json({ data: OK }),
  )
  window.fetch = asked
  const client = createQueryClient(vi.fn())
  const { result } = renderHook(() => useHealth(), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  await pass(29_000)
  expect(asked).toHaveBeenCalledTimes(1)
  isAway = true
  await pass(5_000)
  expect(result.current.isError).toBe(true)
  isAway = false
  await pass(6_000)
  expect(result.current.isError).toBe(false)
})

const OK = {
  status: 'ok',
  testnet: true,
  venue: 'simulated',
  market: 'simulated',
  marketTime: 0,
  websocket: { public: true, private: false },
}
