import { activeDataset, datasets } from '@shapecast/contracts/datasets'
import { driftStates } from '@shapecast/contracts/drift'
import { indicators } from '@shapecast/contracts/indicators'
import { train, trainingJobs } from '@shapecast/contracts/trainings'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Refusal } from '../../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp } from '../../../testing/render-app.tsx'

/** The Data Center with its training options open, and what is trained there. */
async function openOptions() {
  const server = emptyInstallation()
  for (const endpoint of [trainingJobs, datasets, driftStates]) server.on(endpoint, () => [])
  server.on(activeDataset, () => null)
  server.on(indicators, () => {
    throw new Refusal(422, 'too_few_candles', 'There are 0 candles.')
  })
  const trained: unknown[] = []
  server.on(train, ({ body }) => {
    trained.push(body)
    return { jobId: MIRA.id }
  })
  await openApp(server, '/ml-analysis?coins=BTCUSDT&from=2023-01-01&to=2023-03-31')
  const data = within(await screen.findByRole('region', { name: 'Data' }))
  fireEvent.click(await data.findByRole('button', { name: 'Training options' }))
  const options = within(await data.findByRole('group', { name: 'Training options' }))
  const type = (label: string, value: string) => fireEvent.change(options.getByLabelText(label), { target: { value } })
  const press = (name: string) => fireEvent.click(data.getByRole('button', { name }))
  return { trained, options, type, press }
}

it('say what a field takes at most when it is left, and no more while it is mended', async () => {
  const { options, type } = await openOptions()
  options.getByText('1 to 100; 20 by default')
  type('Epochs, at most', '101')
  await waitFor(() => expect(options.queryByText('Must be at most 100')).toBeNull())
  fireEvent.blur(options.getByLabelText('Epochs, at most'))
  await options.findByText('Must be at most 100')
  type('Epochs, at most', '10')
  await waitFor(() => expect(options.queryByText('Must be at most 100')).toBeNull())
})

it('train with what was typed, and leave an emptied field to the recipe', async () => {
  const { trained, type, press } = await openOptions()
  type('Version', ' v4 ')
  type('Epochs, at most', '7')
  type('Epochs, at most', '')
  type('Seed', '9')
  press('Train latest')
  await waitFor(() => expect(trained).toHaveLength(1))
  expect(trained[0]).toMatchObject({ version: 'v4', params: { seed: 9 } })
})

it('train nothing with a wrong field, and open where they are folded to show it', async () => {
  const { trained, type, press } = await openOptions()
  type('Transformer width', '33')
  type('Version', '')
  press('Training options')
  press('Train latest')
  await screen.findByText('Must be a multiple of 2')
  await screen.findByText('A version is a short name such as v3')
  expect(trained).toEqual([])
})

it('ask before what was typed is thrown away, and no more once it is sent', async () => {
  const { type, press } = await openOptions()
  const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(isAsked()).toBe(false)
  type('Version', 'v4')
  await waitFor(() => expect(isAsked()).toBe(true))
  window.dispatchEvent(new PopStateEvent('popstate'))
  const question = await screen.findByRole('dialog', { name: 'Discard what you typed?' })
  fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
  press('Train latest')
  await waitFor(() => expect(isAsked()).toBe(false))
})
