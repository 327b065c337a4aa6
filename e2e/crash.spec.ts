import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { backtestJob, backtestRuns, createBacktestJob } from '@shapecast/contracts/backtest'
import { seriesList } from '@shapecast/contracts/market'
import { train, trainingJob } from '@shapecast/contracts/trainings'
import { generatedHours } from './candles.ts'
import { cancelFirstModel, signedIn, trainModel } from './people.ts'
import { type Installation, install } from './server.ts'

/** A power cut at the worst moment: the next start works, nothing is half there, the jobs go on. */
test.describe.configure({ mode: 'serial' })

const MINUTE_MS = 60_000
let home: Installation
let folder = ''

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shapecast-files-'))
  home = await install({ MARKET: 'replay' })
  const file = await generatedHours(folder)
  await home.run('import', file.path, '--symbol', 'BTCUSDT', '--timeframe', '1h')
  await home.start()
  await cancelFirstModel((await signedIn(home.address, 'mira')).call)
})

test.afterAll(async () => {
  await home.remove()
  await rm(folder, { recursive: true, force: true })
})

async function ended<T extends { status: string }>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    const job = await read()
    if (job.status !== 'queued' && job.status !== 'running') return job
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

async function untilWellUnderWay(
  read: () => Promise<{ status: string; progress: { current: number } }>,
): Promise<void> {
  for (;;) {
    const { status, progress } = await read()
    if (progress.current > 0 || (status !== 'queued' && status !== 'running')) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('killed in an import and a training: all of the file is there, or nothing; the training goes on and ends', async () => {
  let { call } = await signedIn(home.address, 'mira')
  const path = join(folder, 'ETHUSDT-1m.csv')
  const rows = 100_000
  const lines = Array.from({ length: rows }, (_, i) => `${1_600_000_020_000 + i * MINUTE_MS},10,11,9,10.5,1\n`)
  await writeFile(path, `timestamp,open,high,low,close,volume\n${lines.join('')}`)
  const { jobId } = await call(train, {
    body: { version: 'v3', symbol: 'BTCUSDT', limit: 5_000, params: { epochs: 3 } },
  })
  const importing = home.run('import', path, '--symbol', 'ETHUSDT', '--timeframe', '1m')
  await untilWellUnderWay(() => call(trainingJob, { params: { id: jobId } }))
  await home.kill()
  await importing
  await home.start()
  ;({ call } = await signedIn(home.address, 'mira'))
  const stored = (await call(seriesList, {})).find((series) => series.symbol === 'ETHUSDT')
  expect([undefined, rows]).toContain(stored?.candles)
  expect((await home.run('import', path, '--symbol', 'ETHUSDT', '--timeframe', '1m')).code).toBe(0)
  expect((await call(seriesList, {})).find((series) => series.symbol === 'ETHUSDT')?.candles).toBe(rows)
  const job = await ended(() => call(trainingJob, { params: { id: jobId } }))
  expect(job.status === 'completed' || /interrupted/i.test(job.error ?? '')).toBe(true)
})

test('killed in a backtest: it goes on after the next start and saves one run', async () => {
  let { call } = await signedIn(home.address, 'mira')
  await trainModel(call, 'v9', 3_000, { epochs: 1 })
  const before = (await call(backtestRuns, { query: { limit: 100 } })).length
  const { jobId } = await call(createBacktestJob, {
    body: { mode: 'model', mlModelVersion: 'v9', symbol: 'BTCUSDT', timeframe: '1h', limit: 6_000 },
  })
  await new Promise((resolve) => setTimeout(resolve, 200))
  await home.kill()
  await home.start()
  ;({ call } = await signedIn(home.address, 'mira'))
  const job = await ended(() => call(backtestJob, { params: { id: jobId } }))
  const after = (await call(backtestRuns, { query: { limit: 100 } })).length
  if (job.status === 'completed') expect(after).toBe(before + 1)
  else expect(job.error).toMatch(/interrupted/i)
})
