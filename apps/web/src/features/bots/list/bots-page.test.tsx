import { profile } from '@shapecast/contracts/auth'
import {
  createBot,
  deleteBot,
  patchBot,
  pauseBot,
  resetBot,
  startBot,
  stopBot,
  takeModel,
} from '@shapecast/contracts/bot-changes'
import { botDecisions } from '@shapecast/contracts/bot-decisions'
import { previewBot } from '@shapecast/contracts/bot-preview'
import { botBalance, botEquity, botOrders, botTrades } from '@shapecast/contracts/bot-trading'
import { type Bot, bots } from '@shapecast/contracts/bots'
import { health, markets } from '@shapecast/contracts/market'
import { models } from '@shapecast/contracts/ml'
import { policyShare } from '@shapecast/contracts/predictions'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { painted } from '#kit/theme/scheme.ts'
import { colors } from '#kit/theme/tokens.ts'
import { drawnStyle } from '../../../testing/drawn-style.ts'
import { Refusal } from '../../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp, readAgain, SIMULATED } from '../../../testing/render-app.tsx'
import { sampleBot as bot, NO_POSITION } from '../../../testing/sample-bot.ts'
import '../../../testing/tokens.ts'
import { sampleModel } from '../../../testing/sample-model.ts'

const OTHER = '01890000-0000-7000-8000-000000000002'
/** What a bot trades on, with a newer training of it on offer. */
const OFFERED = {
  symbol: 'BTCUSDT',
  version: 'v3',
  follows: false,
  artifactId: '01890000-0000-7000-8000-0000000000a1',
  hash: 'a'.repeat(64),
  offer: { version: 'v3', artifactId: '01890000-0000-7000-8000-0000000000a2', createdAt: 1_700_000_000_000 },
  takesNext: false,
}
const HELD = {
  symbol: 'BTCUSDT',
  side: 'long' as const,
  quantity: 0.02,
  entryPrice: 50_000,
  entryTime: 0,
  takeProfitPrice: null,
  stopLossPrice: null,
  markPrice: 60_000,
  worth: 1200,
  unrealizedPnL: 200,
  closing: false,
}
const card = (name: string) => screen.findByRole('article', { name })

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the Bots page', () => {
  it('asks to create the first bot where there is none', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [])
    await openApp(server, '/trading')
    await screen.findByText('No Trading Bots Yet')
    fireEvent.click(screen.getByRole('button', { name: 'Create First Bot' }))
    await screen.findByRole('dialog', { name: 'Create Trading Bot' })
  })

  it('shows what a bot is and how it stands', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [bot({ lastTradeAt: Date.now() - 3.5 * 86_400_000 })])
    await openApp(server, '/trading')
    const text = (await card('Northwind')).textContent
    for (const words of ['🎮 VIRTUAL', 'Private', '1,062.40', '+6.24%', '37.5%', 'ML · v3.2', '10×', 'TP 4%', '+1'])
      expect(text).toContain(words)
    expect(text).toMatch(/^Northwind.*Hourly trend\..*BTCUSDTETHUSDTSOLUSDT\+1/)
    for (const fact of ['Risk levelMedium', 'Position size0.015', 'Pairs4', 'Max drawdown10%', 'Trades8'])
      expect(text).toContain(fact)
    expect(text).toMatch(/Last trade \d+ d ago/)
    expect(text).not.toContain('SL')
    expect(text).not.toContain('Read Only')
  })

  it('says of a bot that holds and has closed nothing what it does, holds and has made, and — for its win rate', async () => {
    const server = emptyInstallation()
    const position = { ...HELD, worth: 1187.03 }
    const held = { currentBalance: 1364.43, totalPnL: 364.43, closedPnL: -6.28, openPnL: 370.71, positions: [position] }
    const nothing = { totalTrades: 0, winningTrades: 0, lastTradeAt: null }
    server.on(bots, () => [bot({ ...held, ...nothing, parameters: { policy: 'trend_steady_risk' } })])
    await openApp(server, '/trading')
    const text = (await card('Northwind')).textContent
    for (const words of ['1,364.43', '+36.44%', 'Trend with steady risk · holds 87% BTC', '+370.71', 'Balance 993.72'])
      expect(text).toContain(words)
    for (const words of ['Win rate —', 'Long 0.02 BTC@ 50,000.0 → 60,000.0 · +20.00%']) expect(text).toContain(words)
    expect(text).toContain('No trade closed yet')
  })

  it("sums the reader's own bots, with the profit in its colour", async () => {
    const server = emptyInstallation()
    server.on(bots, () => [
      bot({ status: 'active', totalPnL: -20.5 }),
      bot({ id: OTHER, name: 'Tern', currentBalance: 100, totalPnL: 5 }),
      bot({ id: MIRA.id, name: 'Not mine', userId: OTHER, visibility: 'public' }),
    ])
    await openApp(server, '/trading')
    await card('Tern')
    expect(within(screen.getByRole('region', { name: 'Together' })).getByText('1 active · 1 stopped'))
    within(screen.getByRole('region', { name: 'Total equity' })).getByText(/^1,162.40/)
    const pnl = screen.getByText('−15.50')
    expect(drawnStyle(pnl).color).toBe(painted(colors.down))
    fireEvent.click(screen.getByRole('button', { name: 'Create a bot' }))
    await screen.findByRole('dialog', { name: 'Create Trading Bot' })
  })

  it("lets nobody press anything on somebody else's public bot", async () => {
    const server = emptyInstallation()
    server.on(bots, () => [bot({ userId: OTHER, visibility: 'public' })])
    await openApp(server, '/trading')
    const other = await card('Northwind')
    within(other).getByText('Read Only')
    within(other).getByText('Public bot — actions limited to owner.')
    expect(within(other).queryByRole('button', { name: 'Start' })).toBeNull()
    expect(within(other).queryByRole('button', { name: 'More about Northwind' })).toBeNull()
  })

  it('starts, pauses and stops a bot, and loads the list again after each', async () => {
    const server = emptyInstallation()
    let status: Bot['status'] = 'stopped'
    server.on(bots, () => [bot({ status })])
    const moveTo = (next: Bot['status']) => () => {
      status = next
      return bot({ status })
    }
    server.on(startBot, moveTo('active'))
    server.on(pauseBot, moveTo('paused'))
    server.on(stopBot, moveTo('stopped'))
    await openApp(server, '/trading')
    fireEvent.click(within(await card('Northwind')).getByRole('button', { name: 'Start' }))
    fireEvent.click(await within(await card('Northwind')).findByRole('button', { name: 'Pause' }))
    await within(await card('Northwind')).findByText('Paused')
    fireEvent.click(within(await card('Northwind')).getByRole('button', { name: 'Start' }))
    fireEvent.click(await within(await card('Northwind')).findByRole('button', { name: 'Stop' }))
    await within(await card('Northwind')).findByText('Stopped')
  })

  it('asks before it stops a bot that holds something, with its position kept unless it is to be sold', async () => {
    const server = emptyInstallation()
    const asked: unknown[] = []
    server.on(bots, () => [bot({ status: 'paused', marketType: 'spot', positions: [HELD] })])
    server.on(stopBot, ({ body }) => {
      asked.push(body)
      return bot()
    })
    await openApp(server, '/trading')
    for (const choice of [/^Keep the position/, /^Sell now/]) {
      // A paused bot is stopped from its card, too.
      fireEvent.click(within(await card('Northwind')).getByRole('button', { name: 'Stop' }))
      const dialog = await screen.findByRole('dialog', { name: 'Stop Northwind?' })
      expect(dialog.textContent).toContain('It holds 0.02 BTC, worth 1,200.00 USDT: +200.00 USDT since 50,000')
      // 5 bps of 1,200, and 6 bps of what that leaves.
      within(dialog).getByText('Brings about 1,198.68 USDT after 1.32 of fee and slippage, and books +198.68 USDT.')
      expect(within(dialog).queryByRole('button', { name: 'Pause instead' })).toBeNull()
      const keep = within(dialog).getByRole<HTMLInputElement>('radio', { name: /^Keep the position/ })
      expect(keep.checked).toBe(true)
      fireEvent.click(within(dialog).getByRole('radio', { name: choice }))
      fireEvent.click(within(dialog).getByRole('button', { name: /^Stop and/ }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
    expect(asked).toEqual([{ position: 'keep' }, { position: 'sell' }])
  })

  it('pauses instead of stopping where that is pressed, and keeps the position', async () => {
    const server = emptyInstallation()
    const asked: string[] = []
    server.on(bots, () => [bot({ status: 'active', marketType: 'spot', positions: [HELD] })])
    server.on(stopBot, () => bot(void asked.push('stop')))
    server.on(pauseBot, () => bot(void asked.push('pause')))
    await openApp(server, '/trading')
    fireEvent.click(within(await card('Northwind')).getByRole('button', { name: 'Stop' }))
    const dialog = await screen.findByRole('dialog', { name: 'Stop Northwind?' })
    within(dialog).getByText(/^Virtual · .* \+1 · 1h · equity 1,062\.40 USDT$/)
    fireEvent.click(within(dialog).getByRole('button', { name: 'Pause instead' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(asked).toEqual(['pause'])
  })

  it('says of a stopped bot what it has kept, and sells it when that is asked for', async () => {
    const server = emptyInstallation()
    const asked: unknown[] = []
    const statusReason = 'It keeps 0.02 BTCUSDT. No stop-loss and no take profit acts on it.'
    server.on(bots, () => [bot({ statusReason, marketType: 'spot', positions: [HELD] })])
    server.on(stopBot, ({ body }) => {
      asked.push(body)
      return bot()
    })
    await openApp(server, '/trading')
    within(await card('Northwind')).getByText(statusReason)
    fireEvent.click(within(await card('Northwind')).getByRole('button', { name: 'Sell' }))
    const dialog = await screen.findByRole('dialog', { name: 'Sell what Northwind has kept?' })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Sell' }))
    await waitFor(() => expect(asked).toEqual([{ position: 'sell' }]))
  })

  it('says before a deletion what is sold', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [bot({ status: 'active', positions: [HELD] })])
    await openApp(server, '/trading')
    fireEvent.click(within(await card('Northwind')).getByRole('button', { name: 'More about Northwind' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete Trading Bot?' })
    within(dialog).getByText(/it is stopped first · sells 0\.02 BTC at the newest price$/)
  })

  it('says on the card why a bot could not be started', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const server = emptyInstallation()
    server.on(bots, () => [bot()])
    server.on(startBot, () => {
      throw new Refusal(422, 'model_not_trained', 'v3.2 is not trained on ADAUSDT 1h.')
    })
    await openApp(server, '/trading')
    const own = await card('Northwind')
    fireEvent.click(within(own).getByRole('button', { name: 'Start' }))
    await within(own).findByText('v3.2 is not trained on ADAUSDT 1h.')
  })

  it('asks before it deletes, and changes model and visibility without asking', async () => {
    const server = emptyInstallation()
    let list = [bot()]
    const patches: unknown[] = []
    const stats = { accuracy: 0.57, interval: null, baseline: null, last_update: 0 }
    const named = (version: string) => ({ version, stage: 'staging' as const, stats, artifacts: [] })
    server.on(models, () => ({ models: [named('v3.2'), named('v4')], current: null }))
    server.on(bots, () => list)
    server.on(patchBot, ({ body }) => {
      patches.push(body)
      return bot({ visibility: 'public' })
    })
    server.on(deleteBot, () => {
      list = []
      return { ok: true as const }
    })
    await openApp(server, '/trading')
    const openMenu = async () =>
      fireEvent.click(within(await card('Northwind')).getByRole('button', { name: 'More about Northwind' }))
    await openMenu()
    await screen.findByText('Trades on v3.2')
    screen.getByRole('combobox', { name: 'Model' })
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Make Public' }))
    await waitFor(() => expect(patches).toEqual([{ visibility: 'public' }]))
    await openMenu()
    // By keyboard too: the arrows go along the entries, Tab to the choice above them.
    fireEvent.keyDown(await screen.findByRole('menuitem', { name: 'Edit' }), { key: 'Tab' })
    const model = screen.getByRole('combobox', { name: /^Model/ })
    expect(document.activeElement).toBe(model)
    fireEvent.click(model)
    fireEvent.click(await screen.findByRole('option', { name: /^v4/ }))
    await waitFor(() => expect(patches.at(-1)).toEqual({ mlModelVersion: 'v4' }))
    await openMenu()
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete Trading Bot?' })
    within(dialog).getByText('This action cannot be undone. All bot data and trade history will be deleted.')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await screen.findByText('No Trading Bots Yet')
  })

  it('resets a stopped virtual bot after one question, and never a running one', async () => {
    const server = emptyInstallation()
    let list = [bot({ totalTrades: 8 }), bot({ id: OTHER, name: 'Running', status: 'active' })]
    server.on(bots, () => list)
    server.on(resetBot, () => {
      list = [bot({ currentBalance: 1000, totalTrades: 0 })]
      return list[0]!
    })
    await openApp(server, '/trading')
    fireEvent.click(within(await card('Running')).getByRole('button', { name: 'More about Running' }))
    await screen.findByRole('menuitem', { name: 'Stop' })
    expect(screen.queryByRole('menuitem', { name: 'Reset' })).toBeNull()
    fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' })
    fireEvent.click(within(await card('Northwind')).getByRole('button', { name: 'More about Northwind' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Reset' }))
    const dialog = await screen.findByRole('dialog', { name: 'Reset the bot?' })
    expect(dialog.textContent).toContain('Its balance goes back to 1,000.00 USDT')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Reset' }))
    await waitFor(async () => expect((await card('Northwind')).textContent).toContain('1,000.00'))
  })

  it('edits a stopped bot: only what was changed is sent, and a refusal leaves what was typed', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const server = emptyInstallation()
    const patches: unknown[] = []
    server.on(bots, () => [bot({ tradingPairs: ['BTCUSDT'] })])
    server.on(patchBot, ({ body }) => {
      patches.push(body)
      throw new Refusal(409, 'conflict', 'Stop Northwind first.')
    })
    await openApp(server, '/trading')
    fireEvent.click(within(await card('Northwind')).getByRole('button', { name: 'More about Northwind' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const dialog = await screen.findByRole('dialog', { name: 'Edit Northwind' })
    const save = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Save' })
    expect(save.disabled).toBe(true)
    const drawdown = within(dialog).getByLabelText<HTMLInputElement>('Max drawdown')
    fireEvent.change(drawdown, { target: { value: '60' } })
    fireEvent.click(save)
    await within(dialog).findByText('Max drawdown must be a whole number from 1 to 50 percent')
    within(dialog).getByText('Max drawdown must be changed.')
    fireEvent.change(drawdown, { target: { value: '12' } })
    fireEvent.click(save)
    await within(dialog).findByText('Stop Northwind first.')
    expect(patches).toEqual([{ maxDrawdown: 12 }])
    expect(drawdown.value).toBe('12')
  })

  it('takes a newer training from the menu at once where nothing is held, and says why it could not be taken', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const server = emptyInstallation()
    let list = [bot({ models: [OFFERED] })]
    const bodies: unknown[] = []
    server.on(bots, () => list)
    server.on(takeModel, () => {
      throw new Refusal(503, 'unavailable', 'The database is being repaired.')
    })
    await openApp(server, '/trading')
    const openMenu = async () =>
      fireEvent.click(within(await card('Northwind')).getByRole('button', { name: 'More about Northwind' }))
    await openMenu()
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Use the newer v3' }))
    const failed = await screen.findByRole('menuitem', {
      name: /^Use the newer v3\s*The database is being repaired\.$/,
    })
    server.on(takeModel, ({ params, body }) => {
      bodies.push([params.id, body])
      list = [bot({ models: [{ ...OFFERED, offer: null }] })]
      return list[0]!
    })
    fireEvent.click(failed)
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(bodies).toEqual([[bot().id, {}]])
    await openMenu()
    await screen.findByRole('menuitem', { name: 'Edit' })
    expect(screen.queryByRole('menuitem', { name: /newer/ })).toBeNull()
  })

  it.each([
    [undefined, 'A position is held to its end first.', 'It takes the newer v3 once it holds nothing'],
    [
      'model_brake',
      'While it holds something, it is taken at its next daily decision.',
      'It takes the newer v3 at its next daily decision',
    ],
  ] as const)(
    'says in the menu of a bot with a position and the policy %s when it takes it',
    async (policy, wait, agreed) => {
      const server = emptyInstallation()
      let takesNext = false
      const now = () => bot({ positions: [HELD], models: [{ ...OFFERED, takesNext }], parameters: { policy } })
      server.on(bots, () => [now()])
      server.on(takeModel, () => {
        takesNext = true
        return now()
      })
      await openApp(server, '/trading')
      const openMenu = async () =>
        fireEvent.click(within(await card('Northwind')).getByRole('button', { name: 'More about Northwind' }))
      await openMenu()
      const entry = await screen.findByRole('menuitem', { name: /^Use the newer v3/ })
      within(entry).getByText(wait)
      fireEvent.click(entry)
      await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
      await openMenu()
      const said = await screen.findByRole('menuitem', { name: agreed })
      expect(said.getAttribute('aria-disabled')).toBe('true')
    },
  )

  it('has a stopped bot take newer trainings by itself, where its policy asks a model', async () => {
    const server = emptyInstallation()
    const patches: unknown[] = []
    server.on(bots, () => [bot({ tradingPairs: ['BTCUSDT'], marketType: 'spot' })])
    server.on(patchBot, ({ body }) => {
      patches.push(body)
      return bot()
    })
    await openApp(server, '/trading')
    fireEvent.click(within(await card('Northwind')).getByRole('button', { name: 'More about Northwind' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Northwind' }))
    const follow = () => dialog.queryByRole<HTMLInputElement>('switch', { name: 'Take newer trainings by itself' })
    expect(follow()?.checked).toBe(false)
    fireEvent.click(dialog.getByText('Steady risk'))
    expect(follow()).toBeNull()
    fireEvent.click(dialog.getByText('Model signal'))
    fireEvent.click(follow()!)
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(patches).toEqual([{ parameters: expect.objectContaining({ followModel: true }) }]))
  })

  it('lets only name and description of a running bot be changed', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [bot({ status: 'active' })])
    await openApp(server, '/trading')
    fireEvent.click(within(await card('Northwind')).getByRole('button', { name: 'More about Northwind' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const dialog = await screen.findByRole('dialog', { name: 'Edit Northwind' })
    within(dialog).getByText('Stop it to change how it trades')
    expect(within(dialog).queryByLabelText('Max drawdown')).toBeNull()
    const description = within(dialog).getByLabelText('Description')
    fireEvent.change(description, { target: { value: 'x'.repeat(501) } })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
    await within(dialog).findByText('Must have at most 500 characters')
    await waitFor(() => expect(document.activeElement).toBe(description))
  })

  it('opens the create dialog where the address asks for it; closed, it leaves the focus on what opens it', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [])
    await openApp(server, '/trading?create')
    const dialog = await screen.findByRole('dialog', { name: 'Create Trading Bot' })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Create a bot' })))
  })

  it('says in the words of the server why the list could not be loaded, and in its own where the server says nothing', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const server = emptyInstallation()
    server.on(bots, () => {
      throw new Refusal(500, 'internal', 'The bots are away.')
    })
    await openApp(server, '/trading')
    await screen.findByText('The bots are away.')
    window.fetch = async () => new Response('', { status: 500 })
    await readAgain()
    await screen.findByText('Failed to load bots list')
  })
})

/** A model that is trained on the one market. */
function withModel() {
  const server = emptyInstallation()
  server.on(models, () => ({ models: [sampleModel()], current: 'v3' }))
  return server
}

describe('the dialog that creates a bot', () => {
  const opened = async (server = withModel()) => {
    await openApp(server, '/trading?create')
    return within(await screen.findByRole('dialog', { name: 'Create Trading Bot' }))
  }
  const written = (dialog: Awaited<ReturnType<typeof opened>>, label: string) =>
    dialog.getByLabelText<HTMLInputElement>(label).value

  it('opens with the defaults of the spec, and sends the position size', async () => {
    const server = withModel()
    server.on(bots, () => [])
    const bodies: unknown[] = []
    server.on(createBot, ({ body }) => {
      bodies.push(body)
      return { botId: OTHER }
    })
    const dialog = await opened(server)
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: /^Model signal/ }).checked).toBe(true)
    expect(
      ['Initial balance', 'Position size', 'Max drawdown', 'Take profit'].map((label) => written(dialog, label)),
    ).toEqual(['10', '0.001', '10', '0'])
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Tern' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Create' }))
    await waitFor(() =>
      expect(bodies).toEqual([
        expect.objectContaining({ positionSize: 0.001, leverage: 10, marketType: 'spot', initialBalance: 10 }),
      ]),
    )
  })

  it('offers to take newer trainings, off and with when it does, to what asks a model', async () => {
    const server = withModel()
    server.on(bots, () => [])
    const bodies: unknown[] = []
    server.on(createBot, ({ body }) => {
      bodies.push(body)
      return { botId: OTHER }
    })
    const dialog = await opened(server)
    const follow = () => dialog.queryByRole<HTMLInputElement>('switch', { name: 'Take newer trainings by itself' })
    const off = 'Off, it keeps the model of its start and its owner is offered the newer one.'
    expect(follow()?.checked).toBe(false)
    dialog.getByText(`Taken while it holds nothing. ${off}`)
    fireEvent.click(dialog.getByText('Model as brake'))
    dialog.getByText(`Taken at its next daily decision. ${off}`)
    fireEvent.click(dialog.getByText('Steady risk'))
    expect(follow()).toBeNull()
    fireEvent.click(dialog.getByText('OpenAI'))
    expect(follow()).toBeNull()
    fireEvent.click(dialog.getByText('ML'))
    fireEvent.click(dialog.getByText('Ensemble'))
    expect(follow()?.checked).toBe(false)
    fireEvent.click(dialog.getByText('Single model'))
    fireEvent.click(follow()!)
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Tern' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Create' }))
    const parameters = expect.objectContaining({ policy: 'signal', followModel: true })
    await waitFor(() => expect(bodies).toEqual([expect.objectContaining({ parameters })]))
  })

  it('is filled from a file, says beside its fields what is wrong there, and why it takes no other file', async () => {
    const dialog = await opened()
    const choose = (content: string) =>
      fireEvent.change(dialog.getByLabelText('File with the settings of a bot'), {
        target: { files: [new File([content], 'tern.bot.json')] },
      })
    choose('{"marketType":"margin"}')
    await dialog.findByText('tern.bot.json: marketType must be one of spot, futures.')
    choose(`{"name":"Huge","description":"${'x'.repeat(200_000)}"}`)
    await dialog.findByText('tern.bot.json: It is too large for the settings of a bot.')
    choose('{"name":"Newer","format":2}')
    await dialog.findByText(/^tern\.bot\.json: It has format, which no bot here has/)
    expect(written(dialog, 'Name')).toBe('')
    choose('{"name":"Elsewhere","tradingPairs":["NOTUSDT"],"mlModelVersion":"v99"}')
    await dialog.findByText('This market does not have NOTUSDT: take it out.')
    dialog.getByText('There is no model v99 here: choose another.')
    dialog.getByText('2 fields must be changed: Trading pairs, ML Models.')
    choose('{"name":"Tern","initialBalance":5,"maxDrawdown":12,"parameters":{"policy":"fixed_share"}}')
    await dialog.findByText('Filled from tern.bot.json.')
    expect(['Name', 'Initial balance', 'Max drawdown'].map((label) => written(dialog, label))).toEqual([
      'Tern',
      '5',
      '12',
    ])
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: /^Fixed share/ }).checked).toBe(true)
    expect(dialog.getByLabelText('Initial balance').getAttribute('aria-invalid')).toBe('true')
    dialog.getByText('Initial balance must be changed.')
  })

  it('recommends one start with what it did, takes it with one press, and takes it back', async () => {
    const dialog = await opened()
    await dialog.findByText(/\+56\.92%, worst fall −14\.8%\. Holding both: \+209\.82%, worst fall −42\.6%/)
    await dialog.findByText('Trend ensemble on BTC')
    fireEvent.click(dialog.getByRole('button', { name: 'Use these' }))
    dialog.getByText('The recommended settings are in.')
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: /^Trend ensemble/ }).checked).toBe(true)
    expect(['Name', 'Initial balance', 'Max drawdown'].map((label) => written(dialog, label))).toEqual([
      'Trend ensemble',
      '1000',
      '30',
    ])
    fireEvent.click(dialog.getByRole('button', { name: 'Undo' }))
    expect([written(dialog, 'Initial balance'), written(dialog, 'Max drawdown')]).toEqual(['10', '10'])
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: /^Model signal/ }).checked).toBe(true)
  })

  it('opens with what is recommended and a name where that was pressed on the first run, so that Create is next', async () => {
    const server = withModel()
    server.on(previewBot, () => {
      throw new Refusal(422, 'no_candles', 'No candles are stored.')
    })
    await openApp(server, '/trading?create=recommended')
    const dialog = within(await screen.findByRole('dialog', { name: 'Create Trading Bot' }))
    await dialog.findByText('The recommended settings are in.')
    dialog.getByText(
      /It fell 28 points less \(95%: 4 to 39\): that shows that holding less falls less, not that it earns more/,
    )
    dialog.getByText(/Its worst year made −1\.9%, that of holding −1\.2%\. It costs about 1\.2% a year, lags in rises/)
    expect(['Name', 'Initial balance', 'Max drawdown'].map((label) => written(dialog, label))).toEqual([
      'Trend ensemble',
      '1000',
      '30',
    ])
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Create' }).disabled).toBe(false)
    fireEvent.click(dialog.getByRole('button', { name: 'Undo' }))
    expect(written(dialog, 'Name')).toBe('')
  })

  it('names the share of one-year starts that the limit would have halted, and the smallest balance that works', async () => {
    const dialog = await opened()
    await dialog.findByText('Trend ensemble on BTC')
    fireEvent.click(dialog.getByRole('button', { name: 'Use these' }))
    const drawdown = dialog.getByLabelText('Max drawdown')
    dialog.getByText(
      'A limit of 30% would have halted none of 277 one-year starts of Trend ensemble on BTC since 2018.',
    )
    fireEvent.change(drawdown, { target: { value: '10' } })
    dialog.getByText(
      'A limit of 10% would have halted 267 of 277 one-year starts of Trend ensemble on BTC since 2018 (96.4%).',
    )
    // 5 USDT in a band of 0.1 of one pair.
    dialog.getByText('It works from 50.00 USDT on, as orders below 5.00 USDT are not taken.')
    const balance = dialog.getByLabelText('Initial balance')
    fireEvent.change(balance, { target: { value: '40' } })
    dialog.getByText(
      'Too small to follow its target: It works from 50.00 USDT on, as orders below 5.00 USDT are not taken.',
    )
    fireEvent.change(balance, { target: { value: '24' } })
    fireEvent.blur(balance)
    await dialog.findByText('Must be at least 25: with less it would hardly ever trade')
  })

  it('shows what these settings did on the stored candles, with buy and hold beside it', async () => {
    const server = withModel()
    server.on(health, () => ({ ...SIMULATED, market: 'replay' as const, venue: 'replay' }))
    const run = { orders: 246, tooSmall: 0, costs: 30.5, turnoverPerYear: 10.6, heldPct: 40 }
    const bodies: unknown[] = []
    const band = (k: number) => ({
      lowest: -6 * k,
      p5: -5 * k,
      p25: -k,
      median: k,
      p75: 2 * k,
      p95: 5 * k,
      highest: 6 * k,
    })
    const months = (k: number) => Array.from({ length: 12 }, (_, i) => band(k * (i + 1)))
    server.on(previewBot, ({ body }) => {
      bodies.push(body)
      return {
        policy: 'trend_ensemble' as const,
        symbols: ['BTCUSDT', 'ETHUSDT'],
        timeframe: '1h' as const,
        from: Date.UTC(2022, 6, 1),
        to: Date.UTC(2024, 3, 21),
        candles: 15_840,
        feeRate: 0.0006,
        slippageBps: 5,
        minimumOrder: 5,
        smallestBalance: { works: 50, refusedBelow: 25 },
        policyRun: { ...run, finalBalance: 1569.3, totalReturnPct: 56.93, maxDrawdownPct: 14.82, haltedAt: null },
        holdRun: { ...run, finalBalance: 3098.2, totalReturnPct: 209.82, maxDrawdownPct: 42.61, haltedAt: null },
        alone: ['BTCUSDT', 'ETHUSDT'].map((symbol, k) => ({
          symbol,
          from: Date.UTC(2022, 6 * k, 1),
          to: Date.UTC(2024, 3, 21),
          policyRun: {
            ...run,
            finalBalance: 1769.6 - 800 * k,
            totalReturnPct: 76.96 - 80 * k,
            maxDrawdownPct: 29.1,
            haltedAt: k === 0 ? null : Date.UTC(2023, 2, 4),
          },
          holdRun: { ...run, finalBalance: 1403.58, totalReturnPct: 40.36, maxDrawdownPct: 67.4, haltedAt: null },
        })),
        edge: { pctAYear: 6, volatilityPct: 12, years: 32.4 },
        years: {
          starts: 42,
          daysBetween: 7,
          halted: 0,
          policy: { returnPct: band(12), maxDrawdownPct: band(1), returnPctByMonth: months(1) },
          hold: { returnPct: band(24), maxDrawdownPct: band(2), returnPctByMonth: months(2) },
        },
      }
    })
    const dialog = await opened(server)
    dialog.getByText('It asks a model: only a backtest of that model says what it did.')
    fireEvent.click(dialog.getByRole('radio', { name: /^Trend ensemble/ }))
    const table = within(await dialog.findByRole('table', { name: 'What these settings did before' }))
    const texts = table.getAllByRole('row').map((row) => row.textContent)
    expect(texts.slice(1)).toEqual([
      'BTCJan 2022 – Apr 20241,769.60−29.1%never1,403.58−67.4%',
      'ETHJul 2022 – Apr 2024969.60−29.1%4 Mar 2023 after 246 days1,403.58−67.4%',
      'All 2 in equal partsJul 2022 – Apr 20241,569.30−14.8%never3,098.20−42.6%',
    ])
    dialog.getByText(/^BTC, ETH, 1 Jul 2022 to 21 Apr 2024, 15,840 stored candles of 1h; fee 0\.06% and slippage 5 bps/)
    const byMonth = within(dialog.getByRole('table', { name: 'Return by months held, from 42 starting days' }))
    const held = byMonth.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent))
    expect(held).toHaveLength(13)
    expect(held[3]).toEqual([
      '3',
      '+3.00%',
      '−3.00% to +6.00%',
      '−15.00% to +15.00%',
      '+6.00%',
      '−6.00% to +12.00%',
      '−30.00% to +30.00%',
    ])
    const known = within(dialog.getByRole('table', { name: 'When will I know?' }))
    expect(known.getAllByRole('row').map((row) => row.textContent)).toEqual([
      'If the true edge over holding isEdge, points a yearTold from luck after',
      'As in the past+6.0about 32 years',
      'Half is left, the usual case+3.0about 130 years',
      'A quarter is left+1.5about 518 years',
      'None0.0never; wrongly in 5%',
    ])
    expect(bodies).toEqual([
      expect.objectContaining({ initialBalance: 1000, maxDrawdown: 30, tradingPairs: ['BTCUSDT'] }),
    ])
    dialog.getByText('The limit of 30% would have halted it on ETH, after 246 days.')
    const drawdown = dialog.getByLabelText('Max drawdown')
    fireEvent.change(drawdown, { target: { value: '95' } })
    await dialog.findByText('Waits for the fields marked above: Max drawdown.')
  })

  it('says what is wrong with a field when it is left, once, and no longer when it is right', async () => {
    const dialog = await opened()
    const drawdown = dialog.getByLabelText('Max drawdown')
    fireEvent.change(drawdown, { target: { value: '10.5' } })
    const wrong = 'Max drawdown must be a whole number from 1 to 50 percent'
    expect(dialog.queryByText(wrong)).toBeNull()
    fireEvent.blur(drawdown)
    expect(await dialog.findAllByText(wrong)).toHaveLength(1)
    fireEvent.change(drawdown, { target: { value: '11' } })
    expect(dialog.queryByText(wrong)).toBeNull()
    const size = dialog.getByLabelText('Position size')
    fireEvent.change(size, { target: { value: 'abc' } })
    fireEvent.blur(size)
    dialog.getByText('Write the number like 1000.5, without commas')
    expect(dialog.queryByText('Must be a number')).toBeNull()
  })

  it.each([
    ['Create Trading Bot', '/trading?create', () => undefined],
    [
      'Edit Northwind',
      '/trading',
      async () => {
        fireEvent.click(within(await card('Northwind')).getByRole('button', { name: 'More about Northwind' }))
        fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
      },
    ],
  ])('asks before Escape throws away what was typed: %s', async (name, path, open) => {
    const server = withModel()
    server.on(bots, () => [bot()])
    await openApp(server, path)
    await open()
    const dialog = await screen.findByRole('dialog', { name })
    fireEvent.change(within(dialog).getByLabelText('Description'), { target: { value: 'By the river' } })
    fireEvent.keyDown(dialog, { key: 'Escape' })
    const asked = await screen.findByRole('dialog', { name: 'Discard what you typed?' })
    fireEvent.click(within(asked).getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('says of a pair without a trained model that there is none, before anything is sent', async () => {
    const server = emptyInstallation()
    server.on(createBot, () => {
      throw new Error('nothing is to be sent')
    })
    const dialog = await opened(server)
    const wrong = 'No model is trained on BTCUSDT 1h. Train one, or choose a policy that asks no model.'
    await dialog.findByText(wrong)
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Tern' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Create' }))
    dialog.getByText('Trading pairs must be changed.')
    fireEvent.click(dialog.getByRole('radio', { name: /^Steady risk/ }))
    expect(dialog.queryByText(wrong)).toBeNull()
  })

  it('says at its field what the server refused, until it is changed, and knows the names that are taken', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    vi.stubGlobal('alert', vi.fn())
    const server = withModel()
    server.on(bots, () => [bot({ name: 'Heron', userId: MIRA.id })])
    const refused = 'This installation has no key of a language model: OPENAI_API_KEY is not set.'
    server.on(createBot, () => {
      throw new Refusal(422, 'unprocessable', refused, 'strategy')
    })
    const dialog = await opened(server)
    const name = dialog.getByLabelText('Name')
    fireEvent.change(name, { target: { value: 'heron' } })
    fireEvent.blur(name)
    await dialog.findByText('You have a bot named Heron. The name must be another.')
    fireEvent.change(name, { target: { value: 'Egret' } })
    fireEvent.click(dialog.getByText('OpenAI'))
    fireEvent.click(dialog.getByRole('button', { name: 'Create' }))
    await dialog.findByText(refused, { selector: '[role=alert]' })
    dialog.getByText('Strategy must be changed.')
    fireEvent.click(dialog.getByText('ML'))
    await waitFor(() => expect(dialog.queryByText(refused)).toBeNull())
  })

  it('says what the policy holds today, and warns of what is below the smallest order of 5 USDT', async () => {
    const server = emptyInstallation()
    server.on(policyShare, ({ query }) => ({ share: query.get('policy') === 'model_brake' ? 0.72 : 0.4, at: 0 }))
    await openApp(server, '/trading?create')
    fireEvent.change(await screen.findByLabelText('Initial balance'), { target: { value: '12' } })
    fireEvent.click(screen.getByRole('radio', { name: /^Model as brake/ }))
    await screen.findByText('Today that is 72.0% in BTC (≈ 8.64 USDT) and 3.36 USDT in cash.')
    fireEvent.click(screen.getByRole('radio', { name: /^Steady risk/ }))
    await screen.findByText(
      'Today that is 40.0% in BTC (≈ 4.80 USDT) and 7.20 USDT in cash. That is below the market’s smallest order of 5.00 USDT: no order would be made.',
    )
    fireEvent.click(screen.getByRole('radio', { name: /^Model signal/ }))
    const size = screen.getByLabelText('Position size')
    fireEvent.change(size, { target: { value: '0.00005' } })
    await screen.findByText('Below the market’s smallest order of 5.00 USDT: no order would be made.')
    // 67.41 USDT on a balance of 10: on spot no more than that is bought, and only 10× leverage carries it.
    fireEvent.change(size, { target: { value: '0.001' } })
    await screen.findByText('The balance carries 12.00 USDT at most: it opens no more.')
    expect(screen.queryByText(/reaches the drawdown limit/)).toBeNull()
    fireEvent.click(screen.getByText('Futures'))
    await screen.findByText('A move of 1.8% against it reaches the drawdown limit.')
    expect(screen.queryByText(/^The balance carries/)).toBeNull()
  })

  it('has the limits of each number, and offers an ensemble to models only, of two at least', async () => {
    const server = withModel()
    server.on(bots, () => [])
    await openApp(server, '/trading?create')
    const dialog = await screen.findByRole('dialog', { name: 'Create Trading Bot' })
    const limitsOf = (label: string) => {
      const limit = within(dialog).getByLabelText(label)
      const step = () => {
        fireEvent.keyDown(limit, { key: 'ArrowUp' })
        return limit.getAttribute('aria-valuenow')
      }
      return [limit.getAttribute('aria-valuemin'), limit.getAttribute('aria-valuemax'), step()]
    }
    expect(limitsOf('Position size')).toEqual(['0.001', '1000000', '0.002'])
    expect(limitsOf('Max drawdown')).toEqual(['1', '50', '11'])
    expect(limitsOf('Initial balance')).toEqual(['10', '1000000000', '20'])
    expect(limitsOf('Leverage').slice(0, 2)).toEqual(['1', '100'])
    const leverage = within(dialog).getByLabelText<HTMLInputElement>('Leverage')
    expect([leverage.value, leverage.placeholder]).toEqual(['', '—'])
    expect(leverage.parentElement?.textContent).not.toContain('×')
    expect(limitsOf('Take profit').with(1, null)).toEqual(['0', null, '0.5'])
    expect(limitsOf('Stop loss').with(1, null)).toEqual(['0', null, '0.5'])

    const press = (text: string) => fireEvent.click(within(dialog).getByText(text))
    const create = within(dialog).getByText<HTMLButtonElement>('Create')
    fireEvent.change(within(dialog).getByLabelText('Name'), { target: { value: 'Tern' } })
    press('Ensemble')
    await within(dialog).findByText('ML Models (2-5 models)')
    expect(within(dialog).getAllByText('Select at least 2 models for ensemble')).not.toEqual([])
    expect(create.disabled).toBe(true)
    expect(limitsOf('Minimum agreement')).toEqual(['2', '3', '3'])
    fireEvent.click(within(dialog).getByLabelText(/^Consensus/))
    fireEvent.click(await screen.findByText('Weighted'))
    expect(limitsOf('Minimum confidence')).toEqual(['0', '1', '0.65'])
    expect(within(dialog).getByLabelText<HTMLInputElement>('Minimum confidence').value).toBe('0.65')
    press('OpenAI')
    expect(within(dialog).queryByText('Ensemble')).toBeNull()
    expect(create.disabled).toBe(false)
  })

  it('offers an ensemble with how it votes, which counts only where the signal is traded', async () => {
    const server = emptyInstallation()
    server.on(markets, () => {
      throw new Refusal(502, 'venue_unreachable', 'The exchange does not answer.')
    })
    await openApp(server, '/trading?create')
    const dialog = within(await screen.findByRole('dialog', { name: 'Create Trading Bot' }))
    const consensus = () => dialog.queryByLabelText(/^Consensus/)
    expect(consensus()).toBeNull()
    fireEvent.click(dialog.getByText('Ensemble'))
    dialog.getByLabelText('ML Models (2-5 models)')
    expect(consensus()?.matches(':disabled')).toBe(false)
    fireEvent.click(dialog.getByText('Model as brake'))
    expect(consensus()?.matches(':disabled')).toBe(true)
    fireEvent.click(dialog.getByText('Model signal'))
    expect(consensus()?.matches(':disabled')).toBe(false)
    const agreement = dialog.getByLabelText<HTMLInputElement>('Minimum agreement')
    expect([consensus()?.textContent, agreement.value]).toEqual(['Majority', '2'])
    const options = () => [...document.querySelectorAll('[role=option]')].map((option) => option.textContent).join()
    const open = async (label: string | RegExp, choices: string) => {
      await userEvent.click(dialog.getByLabelText(label))
      await waitFor(() => expect(options()).toBe(choices))
    }
    await open(/^Consensus/, 'Unanimous,Majority,Weighted,Confidence threshold')
    fireEvent.click(screen.getByText('Weighted'))
    expect(dialog.getByLabelText<HTMLInputElement>('Minimum confidence').value).toBe('0.6')
    await open(/^On disagreement/, 'Hold,Skip,Use highest confidence')
    fireEvent.click(screen.getByText('Skip'))
    fireEvent.click(dialog.getByText('OpenAI'))
    expect(consensus()).toBeNull()
    const pairs = 'ETHUSDT,ADAUSDT,SOLUSDT,DOTUSDT,LINKUSDT,LTCUSDT,AVAXUSDT,MATICUSDT,UNIUSDT'
    await open('Trading pairs', pairs)
  })

  it('offers real money to admins, and says who will see a public bot', async () => {
    const server = emptyInstallation()
    server.on(profile, () => ({ user: { ...MIRA, role: 'admin' as const } }))
    await openApp(server, '/trading?create')
    const dialog = within(await screen.findByRole('dialog', { name: 'Create Trading Bot' }))
    // At the press: a reply that comes before the release may move it away.
    fireEvent.mouseDown(dialog.getByText('Real money'))
    expect(dialog.getByText('Real money').getAttribute('aria-pressed')).toBe('true')
    await dialog.findByRole('region', { name: 'Limits for real money' })
    fireEvent.change(dialog.getByLabelText('Loss a day'), { target: { value: '0' } })
    fireEvent.blur(dialog.getByLabelText('Loss a day'))
    await dialog.findByText('Must be more than 0')
    fireEvent.click(dialog.getByText('Public'))
    dialog.getByText('Visible to all users (read-only for others)')
  })

  it('sends the defaults with a name; what the server refuses is said and what was typed stays', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const alert = vi.fn()
    vi.stubGlobal('alert', alert)
    const server = withModel()
    server.on(bots, () => [])
    const bodies: unknown[] = []
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    server.on(createBot, async ({ body }) => {
      bodies.push(body)
      await answered
      throw new Refusal(422, 'unprocessable', 'A user has at most 200 bots.')
    })
    await openApp(server, '/trading')
    fireEvent.click(await screen.findByRole('button', { name: 'Create First Bot' }))
    const dialog = await screen.findByRole('dialog', { name: 'Create Trading Bot' })
    within(dialog).getByText('Visible only to you and administrators')
    within(dialog).getByText('Virtual mode only - test strategies safely without real money')
    const create = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Create' })
    expect(create.disabled).toBe(true)
    fireEvent.change(within(dialog).getByLabelText('Name'), { target: { value: 'Tern' } })
    expect(create.disabled).toBe(false)
    const balance = within(dialog).getByLabelText<HTMLInputElement>('Initial balance')
    fireEvent.change(balance, { target: { value: '5' } })
    fireEvent.click(create)
    // Once, at the field, which has the focus; at the button its name, as it may be out of sight.
    expect(await within(dialog).findAllByText('Initial balance must be at least 10')).toHaveLength(1)
    within(dialog).getByText('Initial balance must be changed.', { selector: '[role=status]' })
    expect(document.activeElement).toBe(balance)
    fireEvent.change(balance, { target: { value: '10' } })
    fireEvent.click(create)
    await within(dialog).findByRole('button', { name: 'Creating…' })
    expect(create.getAttribute('aria-disabled')).toBe('true')
    answer()
    await waitFor(() => expect(alert).toHaveBeenCalledWith('A user has at most 200 bots.'))
    // It says so though nothing can be read again.
    window.fetch = (_, init) =>
      init?.method === 'GET' ? new Promise(() => {}) : Promise.reject(new TypeError('Failed to fetch'))
    fireEvent.click(create)
    await waitFor(() => expect(alert).toHaveBeenCalledWith('Failed to create bot'))
    await within(dialog).findByText(/^Failed to create bot\. The server cannot be reached/, {
      selector: '[role=status]',
    })
    expect(bodies).toEqual([expect.objectContaining({ name: 'Tern', initialBalance: 10, isVirtual: true })])
    expect(within(dialog).getByLabelText<HTMLInputElement>('Name').value).toBe('Tern')
  })
})

describe('a bot that was created, and the answer was lost', () => {
  it('is not created again unawares', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    vi.stubGlobal('alert', vi.fn())
    const server = withModel()
    let isThere = false
    server.on(bots, () => (isThere ? [bot({ name: 'Tern', userId: MIRA.id })] : []))
    await openApp(server, '/trading?create')
    const dialog = await screen.findByRole('dialog', { name: 'Create Trading Bot' })
    fireEvent.change(within(dialog).getByLabelText('Name'), { target: { value: 'Tern' } })
    window.fetch = async (...request) => {
      if (request[1]?.method !== 'POST') return server.fetch(...request)
      isThere = true
      throw new TypeError('Failed to fetch')
    }
    fireEvent.click(within(dialog).getByRole('button', { name: 'Create' }))
    await within(dialog).findByText(/^You have a bot of that name now: it was created, only the answer was lost\.$/)
  })
})

describe('the details of a bot', () => {
  it.each([
    [MIRA.id, 1],
    [OTHER, 0],
  ])('of a bot of %s say how to start it %i times', async (userId, times) => {
    const server = emptyInstallation()
    server.on(bots, () => [bot({ userId, visibility: 'public' })])
    for (const call of [botBalance, botEquity, botDecisions, botTrades])
      server.on(call, () => new Promise(() => undefined))
    await openApp(server, `/trading?bot=${bot().id}`)
    await screen.findByText('Stopped: it decides nothing.')
    expect(screen.queryAllByText(/^Press Start/)).toHaveLength(times)
  })

  it('opened by the address, leave the focus on the card once they are closed', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [bot()])
    for (const call of [botBalance, botEquity, botDecisions, botTrades])
      server.on(call, () => new Promise(() => undefined))
    await openApp(server, `/trading?bot=${bot().id}`)
    const dialog = await screen.findByRole('dialog', { name: 'Northwind' })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open Northwind' })))
  })

  it('offer a newer training: one press asks for it, and then they say when it is taken', async () => {
    const server = emptyInstallation()
    let takesNext = false
    const now = () => bot({ status: 'active', positions: [HELD], models: [{ ...OFFERED, takesNext }] })
    server.on(bots, () => [now()])
    for (const call of [botBalance, botEquity, botDecisions, botTrades])
      server.on(call, () => new Promise(() => undefined))
    const bodies: unknown[] = []
    server.on(takeModel, ({ params, body }) => {
      bodies.push([params.id, body])
      takesNext = true
      return now()
    })
    await openApp(server, `/trading?bot=${bot().id}`)
    const dialog = within(await screen.findByRole('dialog', { name: 'Northwind' }))
    await dialog.findByText('v3 was trained again')
    dialog.getByText('This bot goes on with the training of its start. A position is held to its end first.')
    fireEvent.click(dialog.getByRole('button', { name: 'Use the newer one' }))
    await dialog.findByText('It takes the newer v3 once it holds nothing')
    expect(dialog.queryByRole('button', { name: 'Use the newer one' })).toBeNull()
    expect(bodies).toEqual([[bot().id, {}]])
  })

  it('say of a bot that follows its model when it takes a newer training, and ask nothing', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [bot({ models: [OFFERED], parameters: { policy: 'model_brake', followModel: true } })])
    for (const call of [botBalance, botEquity, botDecisions, botTrades])
      server.on(call, () => new Promise(() => undefined))
    await openApp(server, `/trading?bot=${bot().id}`)
    await screen.findByText('It takes the newer v3 at its next daily decision')
    expect(screen.queryByRole('button', { name: 'Use the newer one' })).toBeNull()
  })

  it('say why it does not trade and what it holds, and lead to its page', async () => {
    const server = emptyInstallation()
    const active = bot({ status: 'active' })
    server.on(bots, () => [active])
    server.on(botDecisions, () => ({
      summary: '61 of the last 72 candles: expected edge 4 bps, below the cost of 22 bps.',
      nextAt: 1_700_003_600_000,
      decisions: [
        {
          id: '01890000-0000-7000-8000-0000000000d1',
          symbol: 'BTCUSDT',
          candleTs: 1_700_000_000_000,
          votes: [{ version: 'v3.2', signal: 'BUY' as const, confidence: 0.561, pUp: 0.561, edgeBps: 4 }],
          rule: 'below_cost' as const,
          signal: 'HOLD' as const,
          action: 'no_order' as const,
          reason: 'Expected edge 4 bps, below the cost of 22 bps.',
          target: null,
          orderId: null,
          price: null,
          netPnL: null,
          decidedAt: 1_700_003_600_000,
        },
      ],
    }))
    server.on(botBalance, () => ({
      ...NO_POSITION,
      positions: [
        {
          symbol: 'BTCUSDT',
          side: 'long' as const,
          quantity: 0.01,
          entryPrice: 66_494.3,
          entryTime: 1_700_000_000_000,
          markPrice: 67_412.3,
          worth: 674.12,
          markedBy: 'last' as const,
          unrealizedPnL: 9.18,
          margin: 221.65,
          takeProfitPrice: null,
          stopLossPrice: 65_164.4,
          liquidationPrice: null,
          fees: null,
          funding: null,
        },
      ],
    }))
    server.on(botEquity, () => ({ initialBalance: 1000, points: [], hold: [] }))
    server.on(botTrades, () => [])
    await openApp(server, `/trading?bot=${active.id}`)
    const dialog = await screen.findByRole('dialog', { name: 'Northwind' })
    await within(dialog).findByText('61 of the last 72 candles: expected edge 4 bps, below the cost of 22 bps.')
    await within(dialog).findByText('1,073.18')
    for (const words of ['Active', ...active.tradingPairs]) within(dialog).getAllByText(words)
    expect(dialog.textContent).toContain('ML · v3.2 · Model signal · size')
    expect(dialog.textContent).toContain('Fees 3.00')
    within(dialog).getByText('+7.32%')
    await within(dialog).findByText(/^\+9\.18/)
    within(dialog).getByText('Live price')
    fireEvent.click(within(dialog).getByRole('link', { name: 'Open page' }))
    await screen.findByRole('heading', { name: 'Northwind', level: 1 })
    await within(await screen.findByRole('table', { name: 'Trades' })).findByText('open')
    expect(document.body.textContent).not.toContain('0 of 8')
    fireEvent.click(screen.getByRole('tab', { name: /^Decisions/ }))
    await within(await screen.findByRole('table', { name: 'Decisions' })).findByText('No order')
    fireEvent.click(screen.getByRole('link', { name: 'Back to the bots' }))
    await card('Northwind')
  })

  it('keep the place of what has not come yet, and say nothing of it', async () => {
    const server = emptyInstallation()
    const active = bot({ status: 'active' })
    server.on(bots, () => [active])
    server.on(botBalance, () => new Promise(() => undefined))
    server.on(botEquity, () => ({ initialBalance: 1000, points: [], hold: [] }))
    server.on(botDecisions, () => new Promise(() => undefined))
    server.on(botTrades, () => [])
    await openApp(server, `/trading?bot=${active.id}`)
    const dialog = await screen.findByRole('dialog', { name: 'Northwind' })
    const figures = await within(dialog).findByRole('status', { name: 'Loading the figures' })
    within(figures).getByText('Equity')
    expect(figures.textContent).not.toMatch(/—|USDT/)
    within(dialog).getByRole('status', { name: 'Loading the position' })
    expect(dialog.textContent).not.toContain('no decision yet')
  })

  it.each([
    ['binance', 5, 'An order at Binance'],
    ['bybit', 0, 'An order at Bybit'],
    ['bybit', 5, 'Watched by Shapecast: it works only while Shapecast runs'],
  ])(
    'say where the take profit of a bot with real money waits: at %s, with a stop-loss of %i%%',
    async (venue, stopLossPct, words) => {
      const server = emptyInstallation()
      const real = bot({ isVirtual: false, venue, marketType: 'spot', stopLossPct })
      server.on(bots, () => [real])
      server.on(botDecisions, () => ({ summary: '', nextAt: null, decisions: [] }))
      server.on(botEquity, () => ({ initialBalance: 1000, points: [], hold: [] }))
      server.on(botTrades, () => [])
      server.on(botOrders, () => [])
      const money = { balance: 1000, equity: 1000, closedPnL: 0, openPnL: 0, realizedPnL: 0, unrealizedPnL: 0, fees: 0 }
      server.on(botBalance, () => ({
        botId: real.id,
        venue,
        isVirtual: false,
        currency: 'USDT',
        initialBalance: 1000,
        ...money,
        drawdownPct: 0,
        worstDrawdownPct: 0,
        winInterval: null,
        positions: [
          {
            symbol: 'BTCUSDT',
            side: 'long' as const,
            quantity: 0.01,
            entryPrice: 20_000,
            entryTime: 1_700_000_000_000,
            markPrice: 20_000,
            worth: 200,
            markedBy: 'mark' as const,
            unrealizedPnL: 0,
            margin: 0,
            takeProfitPrice: 21_000,
            stopLossPrice: null,
            liquidationPrice: null,
            fees: null,
            funding: null,
          },
        ],
      }))
      await openApp(server, `/trading?bot=${real.id}`)
      await screen.findByText(words, { exact: false })
      screen.getByText('Mark price')
    },
  )

  it('say that a bot does not exist where the address names none', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [])
    await openApp(server, '/trading?bot=01890000-0000-7000-8000-0000000000ff')
    await screen.findByText('This bot does not exist, or its owner keeps it private')
  })
})
