import {
  activeDataset,
  chooseDataset,
  type Dataset,
  datasets,
  deleteDataset,
  leaveDataset,
} from '@shapecast/contracts/datasets'
import { driftStates } from '@shapecast/contracts/drift'
import { indicators } from '@shapecast/contracts/indicators'
import { repeatTraining, type TrainingJob, trainingJobs } from '@shapecast/contracts/trainings'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, openApp } from '../../testing/render-app.tsx'

const HOUR_MS = 3_600_000
const idOf = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`

const dataset = (n: number, about: Partial<Dataset> = {}): Dataset => ({
  id: idOf(n),
  venue: 'simulated',
  symbol: 'BTCUSDT',
  timeframe: '1h',
  rows: 320 + n,
  from: 0,
  to: (319 + n) * HOUR_MS,
  hash: 'abcdef0123456789',
  active: false,
  createdAt: 0,
  ...about,
})

const training = (n: number, about: Partial<TrainingJob> = {}): TrainingJob => ({
  _id: idOf(n),
  venue: 'simulated',
  status: 'completed',
  version: 'v3',
  symbol: 'BTCUSDT',
  timeframe: '1h',
  progress: {
    current: 1,
    total: 1,
    phase: 'done',
    epoch: null,
    trainLoss: null,
    validationLoss: null,
    secondsLeft: null,
  },
  artifactId: null,
  outcome: null,
  error: null,
  createdAt: n,
  ...about,
})

/** A Data Center with these datasets, which change as they are chosen and deleted, and these trainings. */
function dataCenter(saved: Dataset[] = [], jobs: TrainingJob[] = []) {
  const server = emptyInstallation()
  const choose = (id: string | null) => {
    saved = saved.map((one) => ({ ...one, active: one.id === id }))
  }
  server.on(driftStates, () => [])
  server.on(indicators, () => {
    throw new Refusal(409, 'too_few_candles', 'There are too few candles.')
  })
  server.on(trainingJobs, () => jobs)
  server.on(datasets, () => saved)
  server.on(activeDataset, () => saved.find(({ active }) => active) ?? null)
  server.on(chooseDataset, ({ body }) => {
    const { id } = body as { id: string }
    choose(id)
    return saved.find((one) => one.id === id)!
  })
  server.on(deleteDataset, ({ params }) => {
    saved = saved.filter(({ id }) => id !== params.id)
    return { ok: true as const }
  })
  server.on(leaveDataset, () => {
    choose(null)
    return { ok: true as const }
  })
  return server
}

const datasetRow = (rows: number) => screen.findByRole('listitem', { name: `BTCUSDT 1h, ${rows} rows` })

it('a dataset is chosen, left and deleted, and the list says so', async () => {
  const user = userEvent.setup()
  await openApp(dataCenter([dataset(1), dataset(2)]), '/ml-analysis')
  await user.click(within(await datasetRow(322)).getByRole('button', { name: 'Use BTCUSDT 1h, 322 rows' }))
  await within(await datasetRow(322)).findByText('active')
  const stop = screen.getByRole('button', { name: 'Stop using BTCUSDT 1h, 322 rows' })
  await waitFor(() => expect(stop.getAttribute('aria-disabled')).toBeNull())
  await user.click(stop)
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Stop using/ })).toBeNull())
  await user.click(within(await datasetRow(321)).getByRole('button', { name: 'Delete BTCUSDT 1h, 321 rows' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete dataset?' }))
  dialog.getByText('The candles themselves stay; the same range can be saved again.')
  await user.click(dialog.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'BTCUSDT 1h, 321 rows' })).toBeNull())
  await datasetRow(322)
})

it('shows five datasets, and all of them when asked', async () => {
  const user = userEvent.setup()
  await openApp(dataCenter([1, 2, 3, 4, 5, 6].map((n) => dataset(n))), '/ml-analysis')
  await datasetRow(325)
  expect(screen.queryByRole('listitem', { name: 'BTCUSDT 1h, 326 rows' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Show all 6' }))
  await datasetRow(326)
})

it('says why a dataset could not be chosen, until that is dismissed', async () => {
  const user = userEvent.setup()
  const server = dataCenter([dataset(1)])
  server.on(chooseDataset, () => {
    throw new Refusal(404, 'not_found', 'This dataset is gone.')
  })
  await openApp(server, '/ml-analysis')
  await user.click(within(await datasetRow(321)).getByRole('button', { name: 'Use BTCUSDT 1h, 321 rows' }))
  const banner = (await screen.findByText('The dataset could not be chosen')).closest('[role=alert]')
  await user.click(within(banner as HTMLElement).getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByText('The dataset could not be chosen')).toBeNull()
})

it('a training that failed says why, and is asked for again', async () => {
  const user = userEvent.setup()
  const asked: string[] = []
  const failed = training(1, { status: 'failed', error: 'The loss was no number.' })
  const server = dataCenter([], [failed])
  server.on(repeatTraining, ({ params }) => {
    asked.push(params.id!)
    if (asked.length === 1) throw new Refusal(409, 'conflict', 'It is under way already.')
    return { jobId: idOf(9) }
  })
  await openApp(server, '/ml-analysis')
  await screen.findByText('The loss was no number.')
  const again = screen.getByRole('button', { name: 'Train again: v3 on BTCUSDT 1h' })
  await user.click(again)
  await screen.findByText(/It is under way already/)
  await user.click(again)
  await waitFor(() => expect(asked).toEqual([idOf(1), idOf(1)]))
})

it('shows three trainings, those under way first with epoch and losses, and the others when asked', async () => {
  const user = userEvent.setup()
  const running = training(1, {
    status: 'running',
    version: 'v4',
    progress: {
      current: 3,
      total: 10,
      phase: 'training',
      epoch: 3,
      trainLoss: 0.5,
      validationLoss: 0.625,
      secondsLeft: 60,
    },
  })
  const ended = [2, 3, 4, 5].map((n) => training(n, { version: `v${n + 10}` }))
  await openApp(dataCenter([], [...ended, running]), '/ml-analysis')
  const list = within(await screen.findByRole('list', { name: 'Trainings' }))
  const [first, ...others] = list.getAllByRole('listitem')
  expect(within(first!).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('30')
  expect(others).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Show 2 more' }))
  expect(list.getAllByRole('listitem')).toHaveLength(5)
})
