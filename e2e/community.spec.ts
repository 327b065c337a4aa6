import { register } from '@shapecast/contracts/auth'
import { createBot, deleteBot, patchBot } from '@shapecast/contracts/bot-changes'
import { createClient } from '@shapecast/contracts/client'
import { createTask, restoreTask, task as taskOf, tasks } from '@shapecast/contracts/tasks'
import { castVote } from '@shapecast/contracts/votes'
import { bringToken, PASSWORD, type SignedIn, signedIn } from './people.ts'
import type { Installation } from './server.ts'
import { expect, type Page, test } from './test.ts'

/** The task board and the feed between two people; and texts that would like to be scripts. */
let home: Installation
let boss: SignedIn
let mira: SignedIn

test.beforeAll(async ({ shared }) => {
  home = shared
  boss = shared.boss
  mira = await signedIn(home.address, 'mira')
})

const board = async (page: Page, token: string) => {
  await bringToken(page, home.address, token)
  await page.goto(`${home.address}/settings/tasks`)
}
const card = (page: Page, column: string, title: string) =>
  page.getByRole('region', { name: column, exact: true }).getByRole('group', { name: title })

test('a card is moved by mouse and by keyboard, and another person sees it as it happens', async ({
  page,
  secondPage: other,
}) => {
  const title = 'Show funding cost'
  const { task } = await boss.call(createTask, { body: { title, description: 'List it as a line of its own.' } })
  await board(page, boss.token)
  await board(other, mira.token)
  await expect(card(other, 'Backlog', title)).toBeVisible()

  const from = (await card(page, 'Backlog', title).boundingBox())!
  const to = (await page.getByRole('region', { name: 'In plans' }).boundingBox())!
  await page.mouse.move(from.x + 30, from.y + from.height - 8)
  await page.mouse.down()
  await page.mouse.move(to.x + 40, to.y + 60, { steps: 12 })
  await page.mouse.up()
  for (const one of [page, other]) await expect(card(one, 'In plans', title)).toBeVisible()
  expect((await boss.call(taskOf, { params: { id: task._id } })).task.status).toBe('approved')

  await card(page, 'In plans', title).focus()
  await page.keyboard.press('Space')
  await expect(page.getByText('Over In plans.')).toBeAttached()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('Over In progress.')).toBeAttached()
  await page.keyboard.press('Space')
  for (const one of [page, other]) await expect(card(one, 'In progress', title)).toBeVisible()

  await card(page, 'In progress', title)
    .getByRole('button', { name: `Delete ${title}` })
    .click()
  await expect(card(other, 'In progress', title)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(card(other, 'In progress', title)).toBeVisible()
})

test('the audit says who did what to whom, filters it, and opens what was written down', async ({ page }) => {
  const { botId } = await boss.call(createBot, {
    body: { name: 'Audited', initialBalance: 100, parameters: { policy: 'fixed_share' } },
  })
  await boss.call(patchBot, { params: { id: botId }, body: { name: 'Audited twice' } })
  await bringToken(page, home.address, boss.token)
  await page.goto(`${home.address}/settings/audit`)
  await page.getByLabel('About').fill('audited t')
  const entries = page.getByRole('region', { name: 'Entries' }).getByRole('listitem')
  await expect(entries).toHaveCount(2)
  await expect(entries.first()).toContainText('boss')
  await expect(entries.first()).toContainText('changed the name of Audited twice from Audited to Audited twice')
  await expect(entries.last()).toContainText('created the bot Audited twice')
  await page.getByRole('combobox', { name: 'What' }).click()
  await page.getByRole('option', { name: 'Orders' }).click()
  await expect(page.getByText('Nothing fits these filters.')).toBeVisible()
  await page.goto(`${home.address}/settings/audit?about=audited+t&action=bot.`)
  await entries.first().locator('summary').first().press('Enter')
  await page.getByText('As it was written down').first().click()
  await expect(page.getByText('"action": "bot.changed"')).toBeVisible()
})

test('a stored script never runs, wherever its text is shown', async ({ page }) => {
  const SCRIPT = '<script>window.ran = 1</script>'
  const IMAGE = '<img src=x onerror="window.ran = 1">'
  let token: string | null = null
  const { call } = createClient({ origin: home.address, token: () => token })
  const email = 'mallory@example.org'
  const mallory = await call(register, { body: { username: '<img src=x>', email, password: PASSWORD } })
  token = mallory.accessToken
  const { botId } = await call(createBot, {
    body: {
      name: `${IMAGE}`,
      description: SCRIPT,
      visibility: 'public',
      initialBalance: 100,
      parameters: { policy: 'fixed_share' },
    },
  })
  const { task: own } = await boss.call(createTask, {
    body: { title: `Voted ${SCRIPT}`, description: `${IMAGE} again` },
  })
  await call(castVote, { params: { taskId: own._id }, body: { voteType: 'for', comment: `${IMAGE}${SCRIPT}` } })
  const { task } = await call(createTask, { body: { title: `${IMAGE}${SCRIPT}`, description: `${SCRIPT}${IMAGE}` } })
  await boss.call(restoreTask, { params: { id: task._id } })
  expect((await boss.call(tasks, { query: { limit: 1000 } })).tasks.map(({ title }) => title)).toContain(task.title)

  const reply = await page.goto(home.address)
  expect(reply!.headers()['content-security-policy']).toMatch(
    /script-src 'self'( 'sha256-[^' ]+')+;.*frame-ancestors 'none'/,
  )
  await bringToken(page, home.address, boss.token)
  const places: [path: string, shown: string][] = [
    [`/settings/tasks?task=${task._id}`, IMAGE],
    [`/settings/tasks?task=${own._id}`, SCRIPT],
    ['/settings/notifications', ''],
    ['/settings/users', '<img src=x>'],
    ['/settings/audit', IMAGE],
    [`/trading?bot=${botId}`, IMAGE],
    ['/dashboard', IMAGE],
  ]
  for (const [path, shown] of places) {
    await page.goto(home.address + path)
    if (shown !== '') await expect(page.getByText(shown).first()).toBeVisible()
    expect([path, await page.locator('img[src=x]').count()]).toEqual([path, 0])
  }
  await page.goto(`${home.address}/settings/tasks`)
  await page.getByRole('button', { name: 'Activity' }).click()
  await expect(page.getByText(IMAGE).first()).toBeVisible()
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByText('commented on').first()).toBeVisible()
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  await call(deleteBot, { params: { id: botId } })
})
