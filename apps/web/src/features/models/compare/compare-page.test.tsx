import { models } from '@shapecast/contracts/ml'
import { compareModels, type ModelComparison } from '@shapecast/contracts/model-comparison'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { Refusal } from '../../../testing/fake-server.ts'
import { emptyInstallation, openApp } from '../../../testing/render-app.tsx'
import { sampleModel } from '../../../testing/sample-model.ts'

const [artifact] = sampleModel().artifacts
const trainedOn = (version: string, ...symbols: string[]) => ({
  ...sampleModel(),
  version,
  artifacts: symbols.map((symbol) => ({ ...artifact!, symbol })),
})

/** v3 is better than v4 in direction; in range they cannot be told apart. */
const comparison = (versions: readonly string[], symbol: string): ModelComparison => {
  const test = (pValue: number) => ({
    outcomes: 400,
    meanDifference: -0.01,
    interval: [-0.02, 0.01] as [number, number],
    statistic: -2.1,
    pValue,
    verdict: 'no difference',
  })
  return {
    symbol,
    timeframe: '1h',
    horizon: 1,
    from: Date.UTC(2026, 10, 7),
    to: Date.UTC(2026, 10, 20),
    outcomes: 400,
    effectiveOutcomes: 233,
    models: versions.map((version, k) => ({
      version,
      artifactId: artifact!.id,
      hash: 'a'.repeat(64),
      stage: 'production',
      accuracy: 0.56 - k / 100,
      accuracyInterval: [0.5, 0.6],
      brier: 0.24,
      logLoss: 0.69,
      pinballBps: 12,
      coverage90: [{ horizon: 1, coverage: 0.9, interval: [0.86, 0.93] }],
      signals: { buy: 10, sell: 5, hold: 385 },
    })),
    baselines: { majority: 0.51, reversal: 0.49 },
    pairs: [{ a: versions[0]!, b: versions[1]!, logLoss: test(0.01), pinball: test(0.4), errorCorrelation: 0.8 }],
    ensembles: [{ strategy: 'majority', calls: 120, accuracy: 0.58, interval: [0.5, 0.66], bestSingle: 0.56 }],
  }
}

function installation() {
  const server = emptyInstallation()
  const asked: unknown[] = []
  server.on(models, () => ({
    models: [trainedOn('v3', 'BTCUSDT', 'ETHUSDT'), trainedOn('v4', 'BTCUSDT', 'ETHUSDT'), trainedOn('v5', 'SOLUSDT')],
    current: 'v3',
  }))
  server.on(compareModels, ({ body }) => {
    asked.push(body)
    const { versions, symbol } = body as { versions: string[]; symbol: string }
    return comparison(versions, symbol)
  })
  return { server, asked }
}

it('compares the versions of its address on their first common series, with who is better in words', async () => {
  const { server, asked } = installation()
  await openApp(server, '/ml-analysis/compare?versions=v3,v4')
  const table = await screen.findByRole('table', { name: 'Versions side by side' })
  expect(within(table).getByRole('link', { name: 'v3' }).getAttribute('href')).toContain('/ml-analysis/models/v3')
  screen.getByText('v3 and v4: v3 is better in direction, in range they cannot be told apart.')
  const [vote] = within(screen.getByRole('table', { name: 'Voting together' }))
    .getAllByRole('row')
    .slice(1)
  expect(within(vote!).getByRole('cell', { name: '+2.0' })).toBeTruthy()
  expect(asked).toEqual([{ versions: ['v3', 'v4'], symbol: 'BTCUSDT', timeframe: '1h' }])
})

it('compares on another series once it is chosen, and names it in the address', async () => {
  const { server, asked } = installation()
  await openApp(server, '/ml-analysis/compare?versions=v3,v4')
  await screen.findByRole('table', { name: 'Versions side by side' })
  const user = userEvent.setup()
  await user.click(screen.getByRole('combobox', { name: 'Series' }))
  await user.click(await screen.findByRole('option', { name: 'ETHUSDT 1h' }))
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ symbol: 'ETHUSDT' }))
  expect(new URLSearchParams(window.location.search).get('series')).toBe('ETHUSDT 1h')
})

it('opens on the series of its address', async () => {
  const { server, asked } = installation()
  await openApp(server, '/ml-analysis/compare?versions=v3,v4&series=ETHUSDT%201h')
  await screen.findByRole('table', { name: 'Versions side by side' })
  expect(asked).toEqual([{ versions: ['v3', 'v4'], symbol: 'ETHUSDT', timeframe: '1h' }])
})

it('asks for nothing with one version, or without a series in common, and says what to choose', async () => {
  const { server, asked } = installation()
  await openApp(server, '/ml-analysis/compare?versions=v3')
  await screen.findByText('Choose at least 2 versions')
  const user = userEvent.setup()
  await user.type(screen.getByRole('combobox', { name: /^Versions/ }), 'v5')
  await user.click(await screen.findByRole('option', { name: 'v5' }))
  await screen.findByText('These versions have no series in common')
  expect(window.location.search).toBe('?versions=v3,v5')
  expect(asked).toEqual([])
})

it('says the reason of a refusal, without a way to try again', async () => {
  const { server } = installation()
  server.on(compareModels, () => {
    throw new Refusal(422, 'too_few_candles', 'Only 12 candles are new to all of them.')
  })
  await openApp(server, '/ml-analysis/compare?versions=v3,v4')
  await screen.findByText('Only 12 candles are new to all of them.')
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})
