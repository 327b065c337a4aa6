// @vitest-environment happy-dom
import { backtestRun, backtestRuns } from '@shapecast/contracts/backtest'
import { bots } from '@shapecast/contracts/bots'
import { models } from '@shapecast/contracts/ml'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { emptyInstallation, openApp } from '../../testing/render-app.tsx'
import { sampleRun } from './sample.fixture.ts'

const panel = () => screen.findByRole('region', { name: 'Parameters' })
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)

describe('the backtest page of an installation without bots', () => {
  it('starts in Model Only, says what the size is worth, and lets an error go with its cause', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [])
    server.on(models, () => ({ models: [], current: null }))
    await openApp(server, '/backtest')
    const parameters = await panel()
    await waitFor(() =>
      expect(within(parameters).getByRole('button', { name: 'Model Only' }).getAttribute('aria-pressed')).toBe('true'),
    )
    await within(parameters).findByText('≈ 1,011.18 USDT · 10.1× balance')
    fireEvent.click(within(parameters).getByRole('button', { name: 'Use 1×: 0.00148 BTC' }))
    expect(field('Position Size').value).toBe('0.00148')
    expect(within(parameters).queryByText(/drawdown limit/)).toBeNull()

    fireEvent.click(within(parameters).getByRole('button', { name: 'Run Backtest' }))
    const refused = () => screen.queryAllByText('Please select a model to test.')
    await waitFor(() => expect(refused()).not.toEqual([]))
    fireEvent.click(within(parameters).getByRole('button', { name: 'Bot Configuration' }))
    await waitFor(() => expect(refused()).toEqual([]))
  })
  it('does not move the dates for a candle limit that cannot be tested', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [])
    await openApp(server, '/backtest')
    await panel()
    const limit = field('Candles limit')
    expect(limit.value).toBe('720')
    const from = screen.getByRole('group', { name: 'From' }).textContent
    fireEvent.change(limit, { target: { value: '99999999' } })
    expect(screen.getByRole('group', { name: 'From' }).textContent).toBe(from)
  })
})

describe('an opened run', () => {
  it('fills the form with what it was run with, to be run again', async () => {
    const run = sampleRun({ own: true, name: 'Small size', note: 'as a check' })
    const opened = {
      ...run,
      initialBalance: 250,
      params: { ...run.params, mode: 'model' as const, leverage: 7, feeRate: 0.001 },
    }
    const server = emptyInstallation()
    server.on(bots, () => [])
    server.on(backtestRun, () => opened)
    server.on(backtestRuns, () => [opened])
    await openApp(server, `/backtest?run=${run._id}`)
    await screen.findByRole('heading', { name: 'Small size', level: 1 })
    await waitFor(() => expect(field('Leverage').value).toBe('7'))
    expect([field('Initial Balance').value, field('Fee').value]).toEqual(['250', '0.1'])
    screen.getByRole('button', { name: 'Run again' })
    const saved = screen.getByRole('region', { name: 'Saved Runs' })
    expect(saved.textContent).toContain('as a check')
    fireEvent.click(within(saved).getByRole('button', { name: 'More for the run Small size' }))
    expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual([
      'Rename',
      'Edit note',
      'Trades as CSV',
      'Delete run',
    ])
  })
})
