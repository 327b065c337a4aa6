import { previewRule, ruleLibrary } from '@shapecast/contracts/rules'
import {
  changeRule,
  createRule,
  deleteRule,
  type RuleWithVersions,
  saveRule,
  storedRule,
  storedRules,
} from '@shapecast/contracts/stored-rules'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Refusal } from '../../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp, readAgain } from '../../../testing/render-app.tsx'

const FIRST = 'enter: close > sma(20)\nexit: close < sma(20)'
const SECOND = FIRST.replaceAll('20', '50')
const ID = '01890000-0000-7000-8000-00000000000a'
const COPY = '01890000-0000-7000-8000-00000000000b'
const OTHER = '01890000-0000-7000-8000-000000000009'

const ruleOf = (texts: readonly string[], more: Partial<RuleWithVersions> = {}): RuleWithVersions => ({
  id: ID,
  userId: MIRA.id,
  name: 'Cross',
  visibility: 'private',
  version: texts.length,
  text: texts.at(-1)!,
  createdAt: 0,
  savedAt: 0,
  versions: texts.map((text, k) => ({ version: k + 1, text, savedAt: 0 })).reverse(),
  ...more,
})

/** One that keeps a rule as the service does. */
function installation(begin: RuleWithVersions) {
  const server = emptyInstallation()
  const kept = { rule: begin, asked: [] as unknown[] }
  server.on(previewRule, () => {
    throw new Refusal(422, 'no_candles', 'No candles are stored.')
  })
  server.on(storedRule, ({ params }) => {
    if (params.id !== kept.rule.id)
      throw new Refusal(404, 'not_found', 'This rule does not exist, or its owner keeps it private.')
    return kept.rule
  })
  server.on(ruleLibrary, () => ({
    stretch: { symbol: 'BTCUSDT', timeframe: '1d' as const, from: '2018-09-01', to: '2024-04-21', holdPct: 826 },
    rules: [
      {
        id: 'dm',
        name: 'Directional movement',
        source: 'Wilder',
        rule: SECOND,
        did: { totalReturnPct: 1546, maxDrawdownPct: 27, trades: 30, investedPct: 37, p: 0.021 },
      },
    ],
  }))
  server.on(storedRules, ({ query }) => [kept.rule].filter(({ name }) => name.includes(query.get('search') ?? '')))
  server.on(saveRule, (asked) => {
    const body = asked.body as { text: string; after: number }
    kept.asked.push(body)
    if (body.after !== kept.rule.version) throw new Refusal(409, 'conflict', 'Another version was saved meanwhile.')
    kept.rule = ruleOf([...kept.rule.versions.map(({ text }) => text).reverse(), body.text])
    return kept.rule
  })
  server.on(createRule, (asked) => {
    const body = asked.body as Pick<RuleWithVersions, 'name' | 'text' | 'visibility'>
    kept.asked.push(body)
    kept.rule = ruleOf([body.text], { id: COPY, name: body.name, visibility: body.visibility })
    return kept.rule
  })
  return { server, kept }
}

const field = () => screen.findByLabelText<HTMLTextAreaElement>('Rule as text')
const write = async (text: string) => fireEvent.change(await field(), { target: { value: text } })
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const diff = () => within(screen.getByRole('region', { name: 'What changed' }))

it('saves a new rule under a name, and goes on at its address', async () => {
  const { server, kept } = installation(ruleOf([FIRST]))
  await openApp(server, '/backtest/rule')
  await write(SECOND)
  await screen.findByText('not saved')
  await press('Save rule')
  const dialog = within(await screen.findByRole('dialog', { name: 'Save as a rule' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Save rule' }))
  await dialog.findByText('A name is required')
  expect(kept.asked).toEqual([])
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Slow cross' } })
  fireEvent.click(dialog.getByRole('switch', { name: 'Public' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Save rule' }))
  await screen.findByRole('heading', { name: 'Slow cross' })
  expect(kept.asked).toEqual([{ name: 'Slow cross', text: SECOND, visibility: 'public' }])
  expect(window.location.pathname).toBe(`/backtest/rules/${COPY}`)
  expect(screen.getByText('version 1')).toBeDefined()
})

it('saves a change as the next version, shows what changed, and brings an old one back', async () => {
  const { server, kept } = installation(ruleOf([FIRST]))
  await openApp(server, `/backtest/rules/${ID}`)
  expect((await field()).value).toBe(FIRST)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Saved' }).disabled).toBe(true)
  await write(SECOND)
  await screen.findByText('version 1, changed')
  expect(diff().getAllByText('20')[0]!.tagName).toBe('DEL')
  await press('Save version 2')
  await screen.findByText('version 2')
  expect(kept.asked).toEqual([{ text: SECOND, after: 1 }])
  expect(diff().getAllByText('50')[0]!.tagName).toBe('INS')
  await press('Bring back version 1')
  expect((await field()).value).toBe(FIRST)
  await screen.findByText('version 1, not the newest')
  await press('Undo')
  expect((await field()).value).toBe(SECOND)
})

it('tells the second of two tabs, keeps what it typed, and saves it as a version after the other', async () => {
  const { server, kept } = installation(ruleOf([FIRST]))
  await openApp(server, `/backtest/rules/${ID}`)
  await write(`${FIRST} time: 9`)
  kept.rule = ruleOf([FIRST, SECOND])
  await press('Save version 2')
  await screen.findByText('Version 2 was saved meanwhile, in another tab or by an admin')
  expect((await field()).value).toBe(`${FIRST} time: 9`)
  await press('Go on with mine')
  await press('Save version 3')
  await screen.findByText('version 3')
  expect(kept.rule.versions.map(({ text }) => text)).toEqual([`${FIRST} time: 9`, SECOND, FIRST])
})

it('takes the other version where that is wanted, and what was typed comes back by Undo', async () => {
  const { server, kept } = installation(ruleOf([FIRST]))
  await openApp(server, `/backtest/rules/${ID}`)
  await write(`${FIRST} time: 9`)
  kept.rule = ruleOf([FIRST, SECOND])
  await readAgain()
  await press('Take version 2')
  expect((await field()).value).toBe(SECOND)
  await press('Undo')
  expect((await field()).value).toBe(`${FIRST} time: 9`)
})

it('follows another version by itself where nothing was typed', async () => {
  const { server, kept } = installation(ruleOf([FIRST]))
  await openApp(server, `/backtest/rules/${ID}`)
  await screen.findByText('version 1')
  kept.rule = ruleOf([FIRST, SECOND])
  await readAgain()
  await screen.findByText('version 2')
  expect((await field()).value).toBe(SECOND)
})

it("offers a copy of somebody else's rule, and nothing that changes it", async () => {
  const { server, kept } = installation(ruleOf([FIRST], { userId: OTHER, visibility: 'public' }))
  await openApp(server, `/backtest/rules/${ID}`)
  await screen.findByText('version 1')
  expect(screen.queryByRole('button', { name: 'More with this rule' })).toBeNull()
  await press('Copy')
  const dialog = within(await screen.findByRole('dialog', { name: 'Save as a rule' }))
  expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('Cross copy')
  fireEvent.click(dialog.getByRole('button', { name: 'Save rule' }))
  await screen.findByRole('heading', { name: 'Cross copy' })
  expect(kept.asked).toEqual([{ name: 'Cross copy', text: FIRST, visibility: 'private' }])
})

it('renames a rule, and deletes it with its text left in the editor', async () => {
  const { server, kept } = installation(ruleOf([FIRST]))
  server.on(changeRule, (asked) => {
    const body = asked.body as { name: string }
    if (body.name === 'Taken')
      throw new Refusal(409, 'conflict', 'There is a rule named Taken. The name must be another.', 'name')
    kept.rule = { ...kept.rule, ...body }
    return kept.rule
  })
  server.on(deleteRule, () => ({ ok: true as const }))
  await openApp(server, `/backtest/rules/${ID}`)
  const choose = async (name: string) => {
    await press('More with this rule')
    fireEvent.click(await screen.findByRole('menuitem', { name }))
  }
  await choose('Name and visibility…')
  const dialog = within(await screen.findByRole('dialog', { name: 'Name and visibility' }))
  const rename = (value: string) => {
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value } })
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  }
  rename('Taken')
  await dialog.findByText('There is a rule named Taken. The name must be another.')
  rename('Fast cross')
  await screen.findByRole('heading', { name: 'Fast cross' })
  await choose('Delete…')
  await press('Delete rule')
  await waitFor(() => expect(window.location.pathname).toBe('/backtest/rule'))
  await screen.findByText('not saved')
  expect((await field()).value).toBe(FIRST)
})

it('keeps what was typed into a rule while another one is open', async () => {
  const { server } = installation(ruleOf([FIRST]))
  await openApp(server, `/backtest/rules/${ID}`)
  await write(SECOND)
  fireEvent.click(screen.getByRole('link', { name: 'Rule' }))
  await screen.findByRole('heading', { name: 'New rule' })
  await press('Rules')
  await press('Open Cross')
  await screen.findByText('version 1, changed')
  expect((await field()).value).toBe(SECOND)
})

it('asks before the tab is closed while something is not saved, from another page too', async () => {
  const { server } = installation(ruleOf([FIRST]))
  await openApp(server, `/backtest/rules/${ID}`)
  const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  await screen.findByText('version 1')
  expect(isAsked()).toBe(false)
  await write(SECOND)
  expect(isAsked()).toBe(true)
  fireEvent.click(screen.getByRole('link', { name: 'Backtest' }))
  await waitFor(() => expect(window.location.pathname).toBe('/backtest'))
  expect(isAsked()).toBe(true)
})

it('lists own, shared and published rules, finds them by their words, and says where there are none', async () => {
  const { server } = installation(ruleOf([FIRST]))
  const theirs = ruleOf([SECOND], { id: COPY, userId: OTHER, name: 'Theirs', visibility: 'public' })
  server.on(storedRules, ({ query }) =>
    [ruleOf([FIRST]), theirs].filter(({ name }) => name.includes(query.get('search') ?? '')),
  )
  await openApp(server, '/backtest/rule')
  await press('Rules')
  const section = async (name: string) => within(await screen.findByRole('region', { name }))
  expect((await section('Yours')).getByText('Cross')).toBeDefined()
  expect((await section('Shared by others')).getByText('Theirs')).toBeDefined()
  ;(await section('Published')).getByText(/30 trades; against random entries p = 0\.021, better\./)
  fireEvent.change(screen.getByLabelText('Search names and texts'), { target: { value: 'Cross' } })
  await waitFor(async () =>
    expect((await section('Shared by others')).getByText('None of them holds ‘Cross’.')).toBeDefined(),
  )
  expect((await section('Published')).getByText('None of them holds ‘Cross’.')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Shared' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Yours' })).toBeNull())
})

it('says that a rule does not exist, or is kept private', async () => {
  const { server } = installation(ruleOf([FIRST]))
  await openApp(server, `/backtest/rules/${OTHER}`)
  await screen.findByText('This rule does not exist, or its owner keeps it private')
})

it('shows a public rule to somebody who is not signed in, who saves nothing', async () => {
  const { server } = installation(ruleOf([FIRST], { visibility: 'public' }))
  await openApp(server, `/backtest/rules/${ID}`, { signedIn: false })
  await screen.findByText('version 1')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Sign in to save' }).disabled).toBe(true)
})
