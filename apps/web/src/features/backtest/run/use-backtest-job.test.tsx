import { type BacktestJob, backtestJob, createBacktestJob } from '@shapecast/contracts/backtest'
import { BacktestRequest } from '@shapecast/contracts/backtest-request'
import { createBot, deleteBot } from '@shapecast/contracts/bot-changes'
import { type CandleRow, ohlcv } from '@shapecast/contracts/market'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQueryClient } from '#wire/calls/query-client.ts'
import { createFakeServer } from '../../../testing/fake-server.ts'
import { useBacktestJob } from './use-backtest-job.ts'

const BOT = '01890000-0000-7000-8000-0000000000b1'
const JOB = '01890000-0000-7000-8000-0000000000d1'
const RUN = '01890000-0000-7000-8000-0000000000e1'
const job = (more: Partial<BacktestJob>): BacktestJob => ({
  _id: JOB,
  status: 'queued',
  progress: { current: 0, total: 720 },
  runId: null,
  error: null,
  createdAt: 0,
  ...more,
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** Lets replies arrive, with no interval passing, until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000 && !isSo(); turn++) await act(() => new Promise((resolve) => setTimeout(resolve)))
  expect(isSo()).toBe(true)
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** Starts the backtest of a model alone; its job answers with `answers`, one after the other. */
function started(answers: BacktestJob[]) {
  const server = createFakeServer()
  window.fetch = server.fetch
  server.on(ohlcv, (): CandleRow[] => [[0, 1, 1, 1, 1, 1]])
  server.on(createBot, () => ({ botId: BOT }))
  server.on(createBacktestJob, () => ({ jobId: JOB }))
  server.on(deleteBot, () => ({ ok: true as const }))
  server.on(backtestJob, () => answers[Math.min(asked(), answers.length) - 1]!)
  const of = (method: string) =>
    server.calls.filter((call) => call.startsWith(`${method} /bot/api/`)).map((call) => call.slice(method.length + 10))
  const asked = () => of('GET').filter((path) => path === `backtest/jobs/${JOB}`).length
  const onRun = vi.fn()
  const queryClient = createQueryClient(() => undefined)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(() => useBacktestJob(onRun), { wrapper })
  const asksFor = { mode: 'model', mlModelVersion: 'v3', symbol: 'BTCUSDT', to: 720 * 3_600_000 - 1 }
  act(() => result.current.start({ request: BacktestRequest.parse(asksFor), symbol: 'BTCUSDT' }))
  return { result, onRun, asked, deleted: () => of('DELETE') }
}

it('is asked for every 1.5 s until it is done; then its run is opened and its bot deleted', async () => {
  const answers = [job({}), job({ status: 'running' }), job({ status: 'completed', runId: RUN })]
  const { result, onRun, asked, deleted } = started(answers)
  await until(() => result.current.job?.status === 'queued')
  await pass(1499)
  expect(asked()).toBe(1)
  await pass(1)
  await until(() => result.current.job?.status === 'running')
  expect([asked(), deleted()]).toEqual([2, []])
  await pass(1500)
  await until(() => onRun.mock.calls.length > 0 && deleted().length > 0)
  expect([onRun.mock.calls, deleted()]).toEqual([[[RUN]], [`bots/${BOT}`]])
  await pass(60_000)
  expect([asked(), result.current.isRunning]).toEqual([3, false])
})

it('a failed run says its reason, also after its bot was deleted', async () => {
  const { result, onRun, deleted } = started([job({ status: 'failed', error: 'There are 12 candles.' })])
  await until(() => deleted().length > 0)
  expect(result.current.failure).toEqual({ title: 'Backtest failed with error', detail: 'There are 12 candles.' })
  expect([deleted(), onRun.mock.calls]).toEqual([[`bots/${BOT}`], []])
})
