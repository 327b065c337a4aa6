import { type Activity, activities } from '@shapecast/contracts/activities'
import { changeTask, createTask, deleteTask, restoreTask, type Task, tasks } from '@shapecast/contracts/tasks'
import { castVote, taskVotes, withdrawVote } from '@shapecast/contracts/votes'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp } from '../../testing/render-app.tsx'

const idOf = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`
const task = (n: number, title: string, more: Partial<Task> = {}): Task => ({
  _id: idOf(n),
  title,
  description: `${title} is needed by everybody who reads the balance of a backtest, in every market there is.`,
  status: 'proposed',
  priority: 'medium',
  tags: [],
  author: { id: MIRA.id, username: 'mira' },
  votesFor: 3,
  votesAgainst: 1,
  myVote: null,
  createdAt: n,
  updatedAt: n,
  ...more,
})

function board(list: Task[]) {
  const server = emptyInstallation()
  server.on(tasks, () => ({ tasks: list, total: list.length, page: 1, limit: 1000 }))
  server.on(activities, () => ({ activities: [], page: 1, limit: 20, hasMore: false }))
  server.on(taskVotes, () => ({ taskVotes: { for: 3, against: 1 }, votes: [], comments: 0 }))
  return server
}
const column = (name: string) => screen.findByRole('region', { name })
const cardsOf = async (name: string) =>
  within(await column(name))
    .queryAllByRole('group')
    .map((card) => card.getAttribute('aria-label'))

describe('the task board', () => {
  it('has each task in its column, and says where cards may be dropped', async () => {
    await openApp(board([task(1, 'Funding cost'), task(2, 'Order books', { status: 'approved' })]), '/settings/tasks')
    await screen.findByText('Funding cost')
    expect([await cardsOf('Backlog'), await cardsOf('In plans')]).toEqual([['Funding cost'], ['Order books']])
    expect(within(await column('In progress')).getByText('Drag and drop tasks here')).toBeTruthy()
    expect(screen.getByText(/^Funding cost is needed.{50,}…$/).textContent!.length).toBeLessThanOrEqual(81)
    expect(within(await column('In plans')).getByText('Voting closed')).toBeTruthy()
  })

  it('stands below the system on Settings; a visitor sees its tasks, and can add, open, vote and delete none', async () => {
    await openApp(board([task(1, 'Funding cost')]), `/settings?task=${idOf(1)}`, { signedIn: false })
    const card = within(await screen.findByRole('group', { name: 'Funding cost' }))
    // A disabled fieldset turns off every button within it.
    for (const control of card.getAllByRole('button')) expect(control.closest('fieldset')?.disabled).toBe(true)
    expect(card.getByRole<HTMLButtonElement>('button', { name: 'Delete Funding cost' }).disabled).toBe(true)
    card.getByText('Voting closed')
    expect(screen.queryByRole('button', { name: 'Add Task' })).toBeNull()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('votes and takes the vote back, and says what the server refuses', async () => {
    const list = [task(1, 'Funding cost')]
    const server = board(list)
    const vote = { comment: '', user: { id: MIRA.id, username: 'mira' }, createdAt: 0, updatedAt: 0 }
    server.on(castVote, ({ body }) => {
      expect(body).toEqual({ voteType: 'for', comment: '' })
      list[0] = task(1, 'Funding cost', { votesFor: 4, myVote: 'for' })
      return { taskVotes: { for: 4, against: 1 }, vote: { ...vote, voteType: 'for' as const } }
    })
    await openApp(server, '/settings/tasks')
    fireEvent.click(await screen.findByRole('button', { name: 'Vote 3' }))
    const voted = await screen.findByRole('button', { name: 'Voted 4' })
    server.on(withdrawVote, () => {
      throw new Refusal(409, 'voting_closed', 'Voting on this task is closed.')
    })
    fireEvent.click(voted)
    await screen.findByText('Voting on this task is closed.')
    expect(screen.getByRole('button', { name: 'Voted 4' })).toBeTruthy()
  })

  it('deletes with a way back', async () => {
    const list = [task(1, 'Funding cost')]
    const server = board(list)
    server.on(deleteTask, () => {
      list.pop()
      return { ok: true as const }
    })
    server.on(restoreTask, () => {
      list.push(task(1, 'Funding cost'))
      return { task: list[0]! }
    })
    await openApp(server, '/settings/tasks')
    fireEvent.click(await screen.findByRole('button', { name: 'Delete Funding cost' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(async () => expect(await cardsOf('Backlog')).toEqual(['Funding cost']))
    expect(server.calls).toContain(`POST /soc/api/tasks/${idOf(1)}/restore`)
  })

  it('lets a task of somebody else be neither moved nor deleted, and says why', async () => {
    await openApp(board([task(1, 'Funding cost', { mayChange: false })]), '/settings/tasks')
    const icon = await screen.findByRole<HTMLButtonElement>('button', { name: 'Delete Funding cost' })
    expect([icon.disabled, icon.title]).toEqual([
      true,
      'Only its author, admins and managers may move or delete this task.',
    ])
    const card = screen.getByRole('group', { name: 'Funding cost' })
    expect(card.getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(screen.getByRole('button', { name: 'Funding cost' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(true)
    expect(dialog.getByRole<HTMLButtonElement>('combobox', { name: /Move to/ }).disabled).toBe(true)
  })

  it('moves a card only after the server has accepted it', async () => {
    const list = [task(1, 'Funding cost')]
    const server = board(list)
    server.on(changeTask, () => {
      throw new Refusal(403, 'forbidden', 'Only its author may change this task.')
    })
    await openApp(server, `/settings/tasks?task=${idOf(1)}`)
    const move = async () => {
      const dialog = await screen.findByRole('dialog')
      fireEvent.click(within(dialog).getByRole('combobox', { name: /Move to/ }))
      fireEvent.click(await screen.findByRole('option', { name: 'Done' }))
    }
    await move()
    await screen.findByText('Only its author may change this task.')
    const inBacklog = () => document.querySelectorAll('section[aria-label="Backlog"] [role="group"]').length
    const inDone = () => document.querySelectorAll('section[aria-label="Done"] [role="group"]').length
    expect([inBacklog(), inDone()]).toEqual([1, 0])
    server.on(changeTask, ({ body }) => {
      expect(body).toEqual({ status: 'completed' })
      list[0] = task(1, 'Funding cost', { status: 'completed' })
      return { task: list[0] }
    })
    await move()
    await waitFor(() => expect([inBacklog(), inDone()]).toEqual([0, 1]))
  })

  it('says in its own words what failed where the server says nothing', async () => {
    const server = board([task(1, 'Funding cost')])
    const answer = server.fetch
    server.fetch = async (...request) =>
      request[1]?.method === 'GET' ? answer(...request) : new Response('', { status: 500 })
    await openApp(server, `/settings/tasks?task=${idOf(1)}`)
    const dialog = await screen.findByRole('dialog', { name: 'Funding cost' })
    fireEvent.click(within(dialog).getByRole('combobox', { name: /Move to/ }))
    fireEvent.click(await screen.findByRole('option', { name: 'Done' }))
    await screen.findByText('Failed to update task')
    fireEvent.click(within(dialog).getByRole('button', { name: 'For' }))
    await screen.findByText('Failed to vote')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await screen.findByText('Failed to delete task')
    fireEvent.click(await screen.findByRole('button', { name: 'Add Task' }))
    const adding = await screen.findByRole('dialog', { name: 'Create New Task' })
    const type = (label: string, value: string) =>
      fireEvent.change(within(adding).getByLabelText(label), { target: { value } })
    type('Title', 'Order books')
    type('Description', 'Of both sides, ten levels.')
    fireEvent.click(within(adding).getByRole('button', { name: 'Create' }))
    await within(adding).findByText('Failed to create task')
    within(adding).getByText('The server answered 500.')
  })

  it('says in its own words that the tasks did not load', async () => {
    const server = board([])
    const answer = server.fetch
    server.fetch = async (...request) =>
      /(api|public)\/tasks/.test(String(request[0])) ? new Response('', { status: 500 }) : answer(...request)
    await openApp(server, '/settings/tasks')
    await screen.findByText('Failed to load tasks')
  })

  it('adds a task, and says what is wrong with one', async () => {
    const list = [task(1, 'Fee tiers of the exchange')]
    const server = board(list)
    const sent: unknown[] = []
    server.on(createTask, ({ body }) => {
      sent.push(body)
      list.push(task(2, 'Use fee tiers'))
      return { task: list[1]! }
    })
    await openApp(server, '/settings/tasks')
    fireEvent.click(await screen.findByRole('button', { name: 'Add Task' }))
    const dialog = await screen.findByRole('dialog', { name: 'Create New Task' })
    const type = (label: string, value: string) =>
      fireEvent.change(within(dialog).getByLabelText(label), { target: { value } })
    type('Title', '  Fees ')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Create' }))
    await within(dialog).findByText('Title must be at least 5 characters')
    within(dialog).getByText('Description must be at least 10 characters')
    type('Title', 'x'.repeat(201))
    await within(dialog).findByText('Title must be at most 200 characters')
    type('Title', 'Use the tiers of an exchange')
    await within(dialog).findByText('There is a task like it')
    type('Description', 'In place of a constant.')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Create' }))
    await waitFor(async () => expect(await cardsOf('Backlog')).toContain('Use fee tiers'))
    expect(sent).toEqual([
      { title: 'Use the tiers of an exchange', description: 'In place of a constant.', priority: 'medium', tags: [] },
    ])
    expect(server.calls).toContain('GET /soc/api/tasks?limit=1000')
  })

  it('says what is wrong with a field once it was changed and left, and no longer once that is mended', async () => {
    await openApp(board([]), '/settings/tasks')
    fireEvent.click(await screen.findByRole('button', { name: 'Add Task' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Create New Task' }))
    const title = dialog.getByLabelText('Title')
    fireEvent.blur(dialog.getByLabelText('Description'))
    fireEvent.change(title, { target: { value: 'Fees' } })
    expect(dialog.queryByRole('alert')).toBeNull()
    fireEvent.blur(title)
    expect((await dialog.findByRole('alert')).textContent).toBe('Title must be at least 5 characters')
    fireEvent.change(title, { target: { value: 'Fees of futures' } })
    await waitFor(() => expect(dialog.queryByRole('alert')).toBeNull())
  })

  it.each([
    ['Escape', (dialog: HTMLElement) => fireEvent.keyDown(dialog, { key: 'Escape' })],
    ['Back', () => act(() => window.history.back())],
  ])('asks before %s throws away what was typed', async (_, leave) => {
    await openApp(board([]), '/settings/tasks')
    window.history.pushState(null, '', '/settings/tasks')
    fireEvent.click(await screen.findByRole('button', { name: 'Add Task' }))
    const dialog = await screen.findByRole('dialog', { name: 'Create New Task' })
    fireEvent.change(within(dialog).getByLabelText('Title'), { target: { value: 'Order books' } })
    leave(dialog)
    const asked = await screen.findByRole('dialog', { name: 'Discard what you typed?' })
    fireEvent.click(within(asked).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByText('Discard what you typed?')).toBeNull())
    expect(within(dialog).getByLabelText<HTMLInputElement>('Title').value).toBe('Order books')
    fireEvent.keyDown(dialog, { key: 'Escape' })
    fireEvent.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('finds among a thousand tasks, and draws twenty of a column at first', async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => task(i + 1, `Task number ${i + 1}`))
    await openApp(board(many), '/settings/tasks')
    await screen.findByText('Task number 1')
    expect(await cardsOf('Backlog')).toHaveLength(20)
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search tasks' }), { target: { value: 'number 777' } })
    await waitFor(async () => expect(await cardsOf('Backlog')).toEqual(['Task number 777']))
  })

  it('filters by status, priority and tag', async () => {
    await openApp(
      board([
        task(1, 'Funding cost', { priority: 'high', tags: ['costs'] }),
        task(2, 'Spread', { status: 'rejected', tags: ['costs', 'books'] }),
        task(3, 'Depth', { status: 'rejected', priority: 'high' }),
      ]),
      '/settings/tasks',
    )
    await screen.findByText('Funding cost')
    const filter = async (by: string, value: string) => {
      fireEvent.click(screen.getByTitle(`Filter by ${by}`))
      fireEvent.click(await screen.findByRole('menuitem', { name: value }))
    }
    await filter('status', 'rejected')
    await waitFor(async () => expect(await cardsOf('Backlog')).toEqual(['Spread', 'Depth']))
    expect(window.location.search).toBe('?status=rejected')
    await filter('priority', 'high')
    await waitFor(async () => expect(await cardsOf('Backlog')).toEqual(['Depth']))
    await filter('status', 'Any status')
    await filter('tag', 'costs')
    await waitFor(async () => expect(await cardsOf('Backlog')).toEqual(['Funding cost']))
  })

  it('shows what its address says, and keeps the rest of it while one part changes', async () => {
    await openApp(
      board([
        task(1, 'Funding cost', { tags: ['costs'] }),
        task(2, 'Funding books'),
        task(3, 'Fees', { tags: ['costs'] }),
      ]),
      '/settings/tasks?search=funding&tag=costs&status=nonsense',
    )
    await screen.findByText('Funding cost')
    await waitFor(async () => expect(await cardsOf('Backlog')).toEqual(['Funding cost']))
    const user = userEvent.setup()
    const search = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search tasks' })
    expect(search.value).toBe('funding')
    await user.clear(search)
    await user.type(search, 'fees')
    await waitFor(async () => expect(await cardsOf('Backlog')).toEqual(['Fees']))
    const said = () => Object.fromEntries(new URLSearchParams(window.location.search))
    await waitFor(() => expect(said()).toMatchObject({ search: 'fees', tag: 'costs' }))
    await user.click(screen.getByRole('button', { name: 'Activity' }))
    await waitFor(() => expect(said()).toMatchObject({ view: 'activity', search: 'fees' }))
  })

  it('says that a task of the address is gone', async () => {
    await openApp(board([]), `/settings/tasks?task=${idOf(9)}`)
    await screen.findByText('This task does not exist, or it was deleted.')
  })
})

describe('the activity feed', () => {
  const activity = (n: number, more: Partial<Activity>): Activity => ({
    _id: idOf(n),
    type: 'bot',
    action: 'bot.traded',
    actor: null,
    subject: { id: idOf(100), name: 'Tern' },
    detail: null,
    createdAt: n,
    marketAt: null,
    ...more,
  })

  it('opens on the kind that its address names, and asks for that alone', async () => {
    const server = board([])
    const asked: (string | null)[] = []
    server.on(activities, ({ query }) => {
      asked.push(query.get('type'))
      return { activities: [], page: 1, limit: 50, hasMore: false }
    })
    await openApp(server, '/settings/tasks?view=activity&type=model')
    await screen.findByText('Nothing has happened yet')
    expect(asked).toEqual(['model'])
    const user = userEvent.setup()
    await user.click(screen.getByTitle('Which activity'))
    await user.click(await screen.findByRole('menuitem', { name: 'Bot' }))
    await waitFor(() => expect(asked).toEqual(['model', 'bot']))
    expect(window.location.search).toBe('?view=activity&type=bot')
  })

  it('says what people and bots did, with links, and brings older pages', async () => {
    const server = board([])
    const user = { id: MIRA.id, username: 'mira' }
    const pages = [
      [
        activity(1, { detail: 'long BTCUSDT at its take profit' }),
        activity(2, { action: 'bot.stopped', actor: user }),
        activity(3, { type: 'backtest', action: 'backtest.finished', actor: user }),
      ],
      [activity(4, { type: 'task', action: 'task.deleted', actor: user, subject: { id: idOf(7), name: 'Fees' } })],
    ]
    server.on(activities, ({ query }) => {
      const page = Number(query.get('page'))
      return { activities: pages[page - 1]!, page, limit: 50, hasMore: page === 1 }
    })
    await openApp(server, '/settings/tasks')
    fireEvent.click(await screen.findByRole('button', { name: 'Activity' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Show older' }))
    await screen.findByText('Fees')
    const links = screen.getAllByRole('link').flatMap((link) => {
      const to = link.getAttribute('href')!
      return to.includes(idOf(100))
        ? [[to.replace(idOf(100), 'ID'), link.querySelector('span')?.textContent?.trim()]]
        : []
    })
    expect(links).toEqual([
      ['/bots/ID', 'Tern closed a trade  · long BTCUSDT at its take profit'],
      ['/bots/ID', 'mira stopped Tern'],
      ['/backtest?run=ID', 'mira ran a backtest of Tern'],
    ])
  })
})
