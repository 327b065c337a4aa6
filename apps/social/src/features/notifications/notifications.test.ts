import type { Delivery } from '@shapecast/contracts/notifications'
import { notify } from '@shapecast/platform/notify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSocialBench, type Person, type SocialBench } from '../../testing/social-bench.ts'

let bench: SocialBench
let ann: Person
let bob: Person

beforeAll(async () => {
  bench = await createSocialBench()
  ann = await bench.person('Ann')
  bob = await bench.person('Bob')
})
afterAll(() => bench.close())

const tell = (to: Person, title: string, kind: 'fill' | 'job' = 'fill') =>
  notify(bench.db.orm, to.userId, { kind, title, text: 'It happened.', link: '/trading' })
const list = async (as: Person, query = '') => (await bench.ask('GET', `/api/notifications${query}`, as)).body
const titles = (page: { notifications: { title: string }[] }) => page.notifications.map(({ title }) => title)

it('are listed to whom they were told, the newest first, and are read one by one or all', async () => {
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
  expect((await read(ann, { ids: [] })).body).toEqual({ unread: 3 })
  expect((await read(ann, {})).body).toEqual({ unread: 0 })
  expect((await list(bob)).unread).toBe(1)
})

it('are chosen by kind and way; errors and security stay in the app', async () => {
  const choose = (choices: object) => bench.ask('PATCH', '/api/notifications/settings', ann, { choices })
  const none = { app: false, webhook: false }
  const { body } = await choose({ fill: none, error: none, security: { app: false, webhook: true } })
  expect(body.choices).toMatchObject({
    fill: none,
    error: { app: true, webhook: false },
    security: { app: true, webhook: true },
    halt: { app: true, webhook: false },
  })
  await tell(ann, 'unheard')
  expect(titles(await list(ann))).not.toContain('unheard')
  expect((await choose({ gossip: none })).status).toBe(400)
})

it('go to a webhook, whose secret is shown once and kept sealed', async () => {
  const set = (url: string, isOn = true) => bench.ask('POST', '/api/notifications/webhook', ann, { url, isOn })
  for (const url of ['http://127.0.0.1/', 'http://localhost:8080/', 'http://[::1]/', 'http://10.0.0.1/'])
    expect([(await set(url)).status, url]).toEqual([422, url])
  for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'no address'])
    expect((await set(url)).status).toBe(400)
  const { settings, secret } = (await set('https://hooks.example.org/4f1c')).body
  expect(secret).toMatch(/^whsec_.{30,}$/)
  expect(settings.webhook).toEqual({ url: 'https://hooks.example.org/4f1c', isOn: true, secretEnd: secret.slice(-4) })
  expect((await set('https://hooks.example.org/other', false)).body).toMatchObject({
    secret: null,
    settings: { webhook: { isOn: false, secretEnd: secret.slice(-4) } },
  })
  const stored = await bench.db.pool.query('select * from platform.notification_settings')
  expect(JSON.stringify(stored.rows)).not.toContain(secret)
  const next = (await bench.ask('POST', '/api/notifications/webhook/secret', ann)).body.secret
  expect(next).not.toBe(secret)

  const { id } = (await bench.ask('POST', '/api/notifications/webhook/test', ann)).body
  const deliveries = async (as: Person): Promise<Delivery[]> =>
    (await bench.ask('GET', '/api/notifications/deliveries', as)).body.deliveries
  expect(await deliveries(ann)).toMatchObject([{ id, kind: 'test', state: 'waiting', tries: 0 }])
  expect(await deliveries(bob)).toEqual([])
  expect((await bench.ask('POST', `/api/notifications/deliveries/${id}/retry`, bob)).status).toBe(404)
  expect((await bench.ask('POST', `/api/notifications/deliveries/${id}/retry`, ann)).status).toBe(200)
  for (let i = 0; i < 4; i++) await bench.ask('POST', '/api/notifications/webhook/test', ann)
  expect((await bench.ask('POST', '/api/notifications/webhook/test', ann)).status).toBe(429)
  expect((await bench.ask('DELETE', '/api/notifications/webhook', ann)).status).toBe(200)
  expect((await bench.ask('GET', '/api/notifications/settings', ann)).body.webhook).toBeNull()
  expect(await deliveries(ann)).toEqual([])
  expect((await bench.ask('POST', '/api/notifications/webhook/test', ann)).status).toBe(404)
})
