import { type Alert, alerts, changeAlert, createAlert, deleteAlert, restoreAlert } from '@shapecast/contracts/alerts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { emptyInstallation, openApp } from '../../testing/render-app.tsx'
import { bodyOf, formOf } from './alert-dialog.tsx'

const alert = (change: Partial<Alert> = {}): Alert => ({
  id: '01890000-0000-7000-8000-0000000000a1',
  rule: { kind: 'price', symbol: 'BTCUSDT', direction: 'above', price: 70_000 },
  about: 'BTCUSDT above 70,000.00',
  note: 'Sell some.',
  restMinutes: 60,
  isOn: true,
  rangAt: null,
  timesRung: 0,
  createdAt: 0,
  ...change,
})

it('makes an alert, once what is wrong with it is said', async () => {
  const server = emptyInstallation()
  let list: Alert[] = []
  server.on(alerts, () => list)
  server.on(createAlert, ({ body }) => {
    expect(body).toEqual({
      rule: { kind: 'price', symbol: 'BTCUSDT', direction: 'above', price: 70_000 },
      note: '',
      restMinutes: 60,
    })
    list = [alert({ note: '' })]
    return list[0]!
  })
  await openApp(server, '/settings/alerts')
  await screen.findByText(/No alerts yet/)
  fireEvent.click(screen.getByRole('button', { name: 'New alert' }))
  const dialog = await screen.findByRole('dialog', { name: 'New alert' })
  expect(window.location.search).toBe('?edit=new')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await within(dialog).findByText('must be a price')
  fireEvent.change(within(dialog).getByLabelText('Price'), { target: { value: '70000' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await screen.findByText('BTCUSDT above 70,000.00')
  await waitFor(() => expect(window.location.search).toBe(''))
})

it('pauses one, deletes it, and takes that back', async () => {
  const server = emptyInstallation()
  let list = [alert()]
  server.on(alerts, () => list)
  server.on(changeAlert, ({ body }) => {
    expect(body).toEqual({ isOn: false })
    list = [alert({ isOn: false })]
    return list[0]!
  })
  server.on(deleteAlert, () => {
    list = []
    return { ok: true as const }
  })
  server.on(restoreAlert, () => {
    list = [alert()]
    return list[0]!
  })
  await openApp(server, '/settings/alerts')
  fireEvent.click(await screen.findByRole('switch', { name: 'Watch: BTCUSDT above 70,000.00' }))
  await screen.findByText(/Paused/)
  fireEvent.click(screen.getByRole('button', { name: 'Delete BTCUSDT above 70,000.00' }))
  await screen.findByText(/No alerts yet/)
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await screen.findByText('Sell some.')
})

it('opens the one that the address names, with what it has', async () => {
  const server = emptyInstallation()
  server.on(alerts, () => [alert()])
  await openApp(server, `/settings/alerts?edit=${alert().id}`)
  const dialog = await screen.findByRole('dialog', { name: 'Change alert' })
  expect(within(dialog).getByLabelText<HTMLInputElement>('Price').value).toBe('70000')
})

it('reads each kind into the form and back', () => {
  const rules: Alert['rule'][] = [
    { kind: 'price', symbol: 'ETHUSDT', direction: 'below', price: 1 },
    { kind: 'indicator', symbol: 'ETHUSDT', timeframe: '4h', condition: 'close > 1' },
    { kind: 'signal', symbol: 'ETHUSDT', timeframe: '4h', signal: 'SELL' },
    { kind: 'drawdown', botId: alert().id, pct: 3 },
    { kind: 'bot_silent', botId: alert().id, minutes: 7 },
    { kind: 'feed_silent', symbol: 'ETHUSDT', timeframe: '4h', minutes: 7 },
  ]
  for (const rule of rules) expect(createAlert.body.parse(bodyOf(formOf(alert({ rule })))).rule).toEqual(rule)
})
