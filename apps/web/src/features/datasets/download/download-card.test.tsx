import { cancelJob } from '@shapecast/contracts/jobs'
import { type DownloadJob, downloadJob } from '@shapecast/contracts/market'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { createFakeServer, Refusal } from '../../../testing/fake-server.ts'
import { DownloadRow, downloadWords } from './download-card.tsx'

afterEach(cleanup)

const ID = '01890000-0000-7000-8000-00000000000a'
const JOB: DownloadJob = {
  _id: ID,
  status: 'running',
  venue: 'binance',
  symbol: 'BTCUSDT',
  timeframe: '1h',
  from: 0,
  to: 100,
  resumeAt: 40,
  candles: 1200,
  progress: 0.4,
  error: null,
  createdAt: 1,
}

it('cancels a download that is under way, says why it could not, and what is kept', async () => {
  const server = createFakeServer()
  let job = JOB
  let isRefused = true
  server.on(downloadJob, () => job)
  server.on(cancelJob, () => {
    if (isRefused) throw new Refusal(403, 'forbidden', 'Somebody else asked for this download first.')
    job = { ...JOB, status: 'cancelled' }
    return { id: ID }
  })
  window.fetch = server.fetch
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <DownloadRow jobId={ID} symbol="BTCUSDT" />
    </QueryClientProvider>,
  )
  const button = await screen.findByRole('button', { name: 'Cancel the download of BTCUSDT 1h' })
  fireEvent.click(button)
  await screen.findByText('Not cancelled, again')
  expect(button.title).toContain('Somebody else asked for this download first.')
  isRefused = false
  fireEvent.click(button)
  await screen.findByText('BTCUSDT 1h: Cancelled, 1,200 candles kept', {}, { timeout: 10_000 })
  expect(screen.queryByRole('button')).toBeNull()
})

it('a download says how many candles came, or why it failed', () => {
  expect(downloadWords({ status: 'running', candles: 12_500, error: null })).toBe('Downloading, 12,500 candles so far')
  expect(downloadWords({ status: 'failed', candles: 0, error: 'Binance does not answer' })).toBe(
    'Binance does not answer',
  )
  expect(downloadWords({ status: 'failed', candles: 0, error: null })).toBe('The download failed')
})
