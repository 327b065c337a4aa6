import type { Delivery } from '@shapecast/contracts/notifications'
import { notify } from '@shapecast/platform/notify'
import { expect, it } from 'vitest'
import { benchOfFile } from './bench-of-file.ts'
import type { Person } from './social-bench.ts'

const { bench, ann, bob, admin, propose } = await benchOfFile()

const tell = (to: Person, title: string, kind: 'fill' | 'job' = 'fill') =>
  notify(bench.db.orm, to.userId, { kind, title, text: 'It happened.', link: '/trading' })
const list = async (as: Person, query = '') => (await bench.ask('GET', `/api/notifications${query}`, as)).body
const titles = (page: { notifications: { title: string }[] }) => page.notifications.map(({ title }) => title)

it('notifications are listed to their own user, the newest first, and marked as read one by one or all at once', async () => {
  for (const title of ['one', 'two', 'three']) await tell(ann, title)
  await tell(ann, 'trained', 'job')
  await tell(bob, 'of Bob')
  const first = await list(ann, '?limit=2')
  expect([titles(first), first.unread, first.hasMore]).toEqual([['trained', 'three'], 4, true])
  expect(titles(await list(ann, '?limit=2&page=2'))).toEqual(['two', 'one'])
  expect(titles(await list(ann, '?kind=job'))).toEqual(['trained'])
  expect(first.notifications[0]).toMatchObject({ kind: 'job', text: 'It happened.', link: '/trading', isRead: false })
  const read = (as: Person, body: object) => bench.ask('POST', '/api/notifications/read', as, body)
  const ids = [first.notifications[0].id]
  expect((await read(bob, { ids })).body).toEqual({ unread: 1 })
  expect((await read(ann, { ids })).body).toEqual({ unread: 3 })
  expect(titles(await list(ann, '?unread=true'))).toEqual(['three', 'two', 'one'])
  expect((await read(ann, { ids: [] })).body).toEqual({ unread: 3 })
  expect((await read(ann, {})).body).toEqual({ unread: 0 })
  expect((await list(bob)).unread).toBe(1)
})

it('notifications are chosen by kind and channel; errors and security cannot be turned off in the app', async () => {
  const choose = (choices: object) => bench.ask('PATCH', '/api/notifications/settings', ann, { choices })
  const none = { app: false, telegram: false, email: false, push: false, webhook: false }
  const { body } = await choose({ fill: none, error: none, security: { ...none, webhook: true } })
  expect(body.choices).toMatchObject({
    fill: none,
    error: { ...none, app: true },
    security: { ...none, app: true, email: true, webhook: true },
    halt: { ...none, app: true },
  })
  await tell(ann, 'unheard')
  expect(titles(await list(ann))).not.toContain('unheard')
  expect((await choose({ gossip: none })).status).toBe(400)
})

it('keep the quiet hours of a user beside their choices, and refuse what is no time of day or no zone', async () => {
  const change = (as: Person, body: object) => bench.ask('PATCH', '/api/notifications/settings', as, body)
  const quiet = { isOn: true, from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' }
  const before = (await bench.ask('GET', '/api/notifications/settings', ann)).body
  expect(before.quiet).toBeNull()
  expect((await change(ann, { quiet })).body).toEqual({ ...before, quiet })
  expect((await change(ann, { choices: {} })).body.quiet).toEqual(quiet)
  expect((await bench.ask('GET', '/api/notifications/settings', bob)).body.quiet).toBeNull()
  for (const wrong of [{ from: '24:00' }, { to: '7:00' }, { to: '22:00' }, { timeZone: 'Mars/Olympus' }])
    expect((await change(ann, { quiet: { ...quiet, ...wrong } })).status, JSON.stringify(wrong)).toBe(400)
})

it('go to a webhook that answers a test, whose secret is shown once and kept sealed', async () => {
  const set = (url: string) => bench.ask('POST', '/api/notifications/webhook', ann, { url })
  for (const url of ['http://127.0.0.1/', 'http://localhost:8080/', 'http://[::1]/', 'http://10.0.0.1/'])
    expect([(await set(url)).status, url]).toEqual([422, url])
  for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'no address'])
    expect((await set(url)).status).toBe(400)
  expect((await set('https://example.invalid/hook')).body).toEqual({
    code: 'unprocessable',
    field: 'url',
    error: 'This address could not be reached, so it was not saved: getaddrinfo ENOTFOUND example.invalid.',
  })
  expect((await bench.ask('GET', '/api/notifications/settings', ann)).body.webhook).toBeNull()
  const { settings, secret, answer } = (await set('https://hooks.example.org/4f1c')).body
  expect(answer).toEqual({ isTaken: true, words: '204' })
  expect(secret).toMatch(/^whsec_.{30,}$/)
  expect(settings.webhook).toMatchObject({
    name: 'https://hooks.example.org/4f1c',
    isOn: true,
    secretEnd: secret.slice(-4),
  })
  // It answered: its receiver may not know the secret yet.
  expect((await set('https://refuses.example.org/')).body.answer).toEqual({ isTaken: false, words: '401' })
  expect((await set('https://hooks.example.org/other')).body).toMatchObject({
    secret: null,
    settings: { webhook: { secretEnd: secret.slice(-4) } },
  })
  const off = await bench.ask('PATCH', '/api/notifications/webhook', ann, { isOn: false })
  expect(off.body.settings.webhook.isOn).toBe(false)
  const stored = await bench.db.pool.query('select * from platform.notification_receivers')
  expect(JSON.stringify(stored.rows)).not.toContain(secret)
  const next = (await bench.ask('POST', '/api/notifications/webhook/secret', ann)).body.secret
  expect(next).not.toBe(secret)

  const tested = (await bench.ask('POST', '/api/notifications/webhook/test', ann)).body.delivery
  expect(tested).toMatchObject({ channel: 'webhook', kind: 'test', state: 'delivered', tries: 1, answer: '204' })
  const { id } = tested
  const deliveries = async (as: Person): Promise<Delivery[]> =>
    (await bench.ask('GET', '/api/notifications/deliveries', as)).body.deliveries
  expect(await deliveries(ann)).toMatchObject([{ id, state: 'delivered' }])
  expect(await deliveries(bob)).toEqual([])
  await bench.db.pool.query("update platform.webhook_deliveries set state = 'failed' where id = $1", [id])
  expect((await bench.ask('POST', `/api/notifications/deliveries/${id}/retry`, bob)).status).toBe(404)
  expect((await bench.ask('POST', `/api/notifications/deliveries/${id}/retry`, ann)).status).toBe(200)
  for (let i = 0; i < 4; i++) await bench.ask('POST', '/api/notifications/webhook/test', ann)
  expect((await bench.ask('POST', '/api/notifications/webhook/test', ann)).status).toBe(429)
  expect((await bench.ask('DELETE', '/api/notifications/webhook', ann)).status).toBe(200)
  expect((await bench.ask('GET', '/api/notifications/settings', ann)).body.webhook).toBeNull()
  expect((await deliveries(ann)).filter(({ state }) => state === 'waiting')).toEqual([])
  expect((await bench.ask('POST', '/api/notifications/webhook/test', ann)).status).toBe(404)
})

it('tell the author of a task of votes, each comment, moves and deletion by others, and of nothing of their own', async () => {
  await bench.ask('PATCH', '/api/policy', admin, { tasksRestricted: false })
  const task = await propose(ann, { title: 'Show the spread' })
  const link = `/settings/tasks?task=${task._id}`
  const vote = (as: Person, voteType: string, comment?: string) =>
    bench.ask('POST', `/api/votes/${task._id}`, as, { voteType, comment })
  const move = (as: Person, status: string) => bench.ask('PATCH', `/api/tasks/${task._id}`, as, { status })
  await vote(ann, 'for', 'My own')
  await move(ann, 'in_voting')
  await vote(bob, 'for')
  await vote(admin, 'against')
  await vote(bob, 'for', 'Spreads <b>eat</b> it all.')
  await vote(bob, 'against', 'Spreads <b>eat</b> it all.')
  await move(bob, 'in_progress')
  await bench.ask('DELETE', `/api/tasks/${task._id}`, bob)
  await bench.ask('POST', `/api/tasks/${task._id}/restore`, bob)
  const { notifications } = await list(ann, '?kind=task')
  expect(notifications.map(({ title, text }: { title: string; text: string }) => [title, text])).toEqual([
    ['“Show the spread” was restored', 'By Bob.'],
    ['“Show the spread” was deleted', 'By Bob.'],
    ['“Show the spread” is now in progress', 'By Bob.'],
    ['Bob commented on “Show the spread”', 'Voted for: Spreads <b>eat</b> it all.'],
    ['New votes on “Show the spread”', '2 for, 0 against.'],
  ])
  expect(new Set(notifications.map((one: { link: string }) => one.link))).toEqual(new Set([link]))
  expect(titles(await list(bob, '?kind=task'))).toEqual([])
})
