import { profile } from '@shapecast/contracts/auth'
import { bots } from '@shapecast/contracts/bots'
import { activeDataset, datasets, exportDataset, previewDataset } from '@shapecast/contracts/datasets'
import { driftStates } from '@shapecast/contracts/drift'
import { indicators } from '@shapecast/contracts/indicators'
import { markets } from '@shapecast/contracts/market'
import { botsOnModel, type Model, models, setModelStage } from '@shapecast/contracts/ml'
import { predictMulti } from '@shapecast/contracts/predictions'
import { train, trainingJobs } from '@shapecast/contracts/trainings'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp } from '../../testing/render-app.tsx'
import { sampleBot } from '../../testing/sample-bot.ts'
import { sampleModel } from '../../testing/sample-model.ts'

const card = (name: string) => screen.findByRole('region', { name })
const inCard = async (name: string, button: string) =>
  within(await card(name)).findByRole<HTMLButtonElement>('button', { name: button })
const model = (version: string, stage: Model['stage'], lastUpdate: number): Model => ({
  version,
  stage,
  stats: { accuracy: 0.57, interval: [0.52, 0.62], baseline: 0.53, last_update: lastUpdate },
  artifacts: [],
})
/** What a handler waits for, and what lets it go on. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** An empty installation with the lists of the Data Center, all empty, and no candles to learn of. */
function emptyLists() {
  const server = emptyInstallation()
  for (const endpoint of [trainingJobs, datasets, driftStates]) server.on(endpoint, () => [])
  server.on(activeDataset, () => null)
  server.on(indicators, () => {
    throw new Refusal(422, 'too_few_candles', 'There are 0 candles.')
  })
  return server
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the data of the Data Center', () => {
  const COINS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'ADAUSDT']

  it('previews three coins, exports each under its own name where the server sends none, and trains v3 on each', async () => {
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    const server = emptyLists()
    const held = gate()
    server.on(previewDataset, async ({ query }) => {
      await held.opened
      const nothing = { candles: 0, first: null, last: null, example: null }
      return { symbol: query.get('symbol')!, timeframe: '1h' as const, ...nothing }
    })
    server.on(exportDataset, async () => {
      await held.opened
      return 'a zip'
    })
    const trainings: unknown[] = []
    server.on(train, ({ body }) => {
      trainings.push(body)
      return { jobId: MIRA.id }
    })
    await openApp(server, `/ml-analysis?coins=${COINS}&from=2023-01-01&to=2023-03-31`)
    fireEvent.click(await inCard('Data', 'Preview'))
    await inCard('Data', 'Loading…')
    fireEvent.click(await inCard('Data', 'Download Dataset'))
    await inCard('Data', 'Preparing…')
    held.open()
    const previews = await screen.findByRole('list', { name: 'Preview' })
    expect(within(previews).getAllByText('No data')).toHaveLength(3)
    // 90 days of 24 candles, less the 400 that judge models.
    await waitFor(() => expect(saved).toEqual(COINS.map((coin) => `dataset-${coin}-1h-1760.zip`)))
    fireEvent.click(await inCard('Data', 'Train latest'))
    const range = { from: Date.UTC(2023, 0, 1), to: Date.UTC(2023, 3, 1) - 1 }
    await waitFor(() => expect(trainings).toHaveLength(4))
    expect(trainings).toEqual(COINS.map((symbol) => ({ version: 'v3', symbol, timeframe: '1h', ...range, params: {} })))
  })

  it('is neither exported nor trained on without both dates', async () => {
    await openApp(emptyLists(), '/ml-analysis?from=')
    for (const name of ['Download Dataset', 'Train latest'])
      expect([name, (await inCard('Data', name)).disabled]).toEqual([name, true])
  })

  it('offers the first 200 coins, and runs nothing without one', async () => {
    const server = emptyLists()
    server.on(markets, () =>
      Array.from({ length: 210 }, (_, i) => ({
        id: `C${i}USDT`,
        symbol: `C${i}/USDT`,
        base: `C${i}`,
        quote: 'USDT',
        active: true,
        tickSize: 0.1,
        lotSize: 0.001,
        minNotional: 5,
      })),
    )
    await openApp(server, '/ml-analysis?coins=')
    for (const name of ['Preview', 'Download Dataset', 'Train latest'])
      expect([name, (await inCard('Data', name)).disabled]).toEqual([name, true])
    fireEvent.mouseDown(await screen.findByLabelText(/^Coins/))
    await screen.findByText('C199USDT')
    expect(document.querySelectorAll('[role="option"]')).toHaveLength(200)
  })
})

describe('the models of the Data Center', () => {
  const LIST = [model('v1', 'staging', 1), model('v2', 'production', 2), model('v3', 'production', 3)]

  it('are tested with 300 candles, one or all in production, and say so meanwhile', async () => {
    const server = emptyLists()
    const bodies: unknown[] = []
    const held = gate()
    server.on(models, () => ({ models: LIST, current: 'v3' }))
    server.on(predictMulti, async ({ body }) => {
      bodies.push(body)
      const { versions } = body as { versions: string[] }
      await held.opened
      return { results: versions.map((version) => ({ version, prediction: null, error: `${version} is tired.` })) }
    })
    await openApp(server, '/ml-analysis')
    fireEvent.click(await inCard('Models', 'Test v1'))
    await within(await card('Models')).findByText('Testing…')
    held.open()
    await within(await card('Models')).findByText('v1 is tired.')
    fireEvent.click(await inCard('Models', 'Test production'))
    await within(await card('Models')).findByText('v2 is tired.')
    const asked = { symbol: 'BTCUSDT', timeframe: '1h', limit: 300 }
    expect(bodies).toEqual([
      { versions: ['v1'], ...asked },
      { versions: ['v3', 'v2'], ...asked },
    ])
  })

  it('are moved between stages by managers, and read again afterwards', async () => {
    const server = emptyLists()
    const { artifacts } = sampleModel()
    let list = [{ ...model('v3', 'production', 3), artifacts }]
    const bodies: unknown[] = []
    const held = gate()
    server.on(models, () => ({ models: list, current: 'v3' }))
    server.on(setModelStage, async ({ body }) => {
      bodies.push(body)
      await held.opened
      list = [{ ...list[0]!, stage: (body as { stage: Model['stage'] }).stage }]
      return list[0]!
    })
    await openApp(server, '/ml-analysis')
    server.on(botsOnModel, () => ({
      bots: [{ id: sampleBot().id, name: 'Tern', status: 'active' as const, isVirtual: false }],
      others: 2,
    }))
    fireEvent.click(await inCard('Models', 'Set Staging: v3'))
    const demote = await screen.findByRole('dialog', { name: 'v3 to staging?' })
    await within(demote).findByText('Trading on it: Tern (real money), 2 private bots of others.')
    fireEvent.click(within(demote).getByRole('button', { name: 'Set Staging' }))
    await within(demote).findByText('Moving…')
    held.open()
    await screen.findByText('v3 is in staging')
    screen.getByRole('button', { name: 'Undo' })
    fireEvent.click(await inCard('Models', 'Production: v3'))
    const dialog = await screen.findByRole('dialog', { name: 'v3 to production?' })
    within(dialog).getByText('No better than betting on a reversal.')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Production' }))
    await inCard('Models', 'Set Staging: v3')
    expect(bodies).toEqual([{ stage: 'staging', bots: 'keep' }, { stage: 'production' }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it.each([
    ['keep', 'v3 is in staging'],
    ['pause', 'v3 is in staging. Paused bots stay paused, after Undo too.'],
  ] as const)('are in production again after Undo, which starts no bots: %s', async (bots, words) => {
    const server = emptyLists()
    let stage: Model['stage'] = 'production'
    const now = () => model('v3', stage, 3)
    const bodies: unknown[] = []
    server.on(models, () => ({ models: [now()], current: 'v3' }))
    server.on(setModelStage, ({ body }) => {
      bodies.push(body)
      stage = (body as { stage: Model['stage'] }).stage
      return now()
    })
    server.on(botsOnModel, () => ({
      bots: [{ id: sampleBot().id, name: 'Tern', status: 'active' as const, isVirtual: true }],
      others: 0,
    }))
    await openApp(server, '/ml-analysis')
    fireEvent.click(await inCard('Models', 'Set Staging: v3'))
    const dialog = within(await screen.findByRole('dialog', { name: 'v3 to staging?' }))
    const pauses = await dialog.findByRole('checkbox', { name: /^Pause these bots/ })
    if (bots === 'pause') fireEvent.click(pauses)
    fireEvent.click(dialog.getByRole('button', { name: 'Set Staging' }))
    await screen.findByText(words)
    await inCard('Models', 'Production: v3')
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    await inCard('Models', 'Set Staging: v3')
    expect(bodies).toEqual([{ stage: 'staging', bots }, { stage: 'production' }])
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
  })

  it('cannot be moved by others; without bots nobody is asked for their predictions', async () => {
    const server = emptyLists()
    server.on(profile, () => ({ user: { ...MIRA, role: 'user' as const } }))
    server.on(models, () => ({ models: [model('v3', 'production', 3)], current: 'v3' }))
    await openApp(server, '/ml-analysis')
    await within(await card('Bots')).findByText('No bots found')
    await inCard('Models', 'Test v3')
    expect(screen.queryByRole('button', { name: 'Set Staging: v3' })).toBeNull()
    expect(server.calls.filter((call) => call.includes('last-predictions'))).toEqual([])
  })

  it('are asked for once on a phone where they cannot be read: the form that comes then folds no more', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const server = emptyLists()
    server.on(models, () => {
      throw new Refusal(500, 'internal', 'The disk is full.')
    })
    const browser = (window as unknown as { happyDOM: { setViewport(size: { width: number }): void } }).happyDOM
    browser.setViewport({ width: 360 })
    try {
      await openApp(server, '/ml-analysis')
      await screen.findByRole('button', { name: 'Train latest' })
      await new Promise((resolve) => setTimeout(resolve, 500))
      // What is drawn in its turn asks again where nothing could be read.
      expect(server.calls.filter((call) => call.endsWith('/api/ml/models')).length).toBeLessThan(6)
      screen.getByRole('button', { name: 'Train latest' })
    } finally {
      browser.setViewport({ width: 1024 })
    }
  })

  it('say on their cards that they cannot be read, and the page stays', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const server = emptyLists()
    for (const endpoint of [markets, models, bots])
      server.on(endpoint, () => {
        throw new Refusal(500, 'internal', 'Something went wrong on our side.')
      })
    await openApp(server, '/ml-analysis')
    await within(await card('Bots')).findByText('No bots found')
    await within(await card('Models')).findByText('The models could not be loaded')
    await within(await card('Data')).findByText(/^The coins could not be loaded/)
    // While they are asked for again it stays so, without a skeleton.
    for (const endpoint of [markets, models, bots]) server.on(endpoint, () => new Promise<never>(() => undefined))
    for (const name of ['Models', 'Bots'] as const)
      fireEvent.click(within(await card(name)).getByRole('button', { name: 'Try again' }))
    for (const [name, words] of [
      ['Models', 'The models could not be loaded'],
      ['Bots', 'The list could not be loaded.'],
    ] as const) {
      await within(await card(name)).findByText('Loading…')
      within(await card(name)).getByText(words)
      expect(within(await card(name)).queryByRole('status')).toBeNull()
    }
  })
})
