import { expect, type Locator, type Page } from '@playwright/test'
import { login, type Role, register } from '@shapecast/contracts/auth'
import { type Call, createClient } from '@shapecast/contracts/client'
import { cancelJob } from '@shapecast/contracts/jobs'
import { confirmItIsMe } from '@shapecast/contracts/own-account'
import { train, trainingJob, trainingJobs } from '@shapecast/contracts/trainings'
import { changeUser } from '@shapecast/contracts/users'

export const PASSWORD = 'correct horse'

/** For what waits for jobs of the worker, which a slow machine has many of: where it takes longer, it hangs. */
export const JOBS_END = { timeout: 1_200_000 }

export interface SignedIn {
  readonly call: Call
  readonly token: string
  readonly id: string
}

/** A caller of both services who is signed in as `name`, registered where that account does not exist yet. */
export async function signedIn(address: string, name: string): Promise<SignedIn> {
  let token: string | null = null
  const { call } = createClient({ origin: address, token: () => token })
  const email = `${name}@example.org`
  const reply = await call(register, { body: { username: name, email, password: PASSWORD } }).catch(() =>
    call(login, { body: { email, password: PASSWORD } }),
  )
  token = reply.accessToken
  return { call, token, id: reply.user.id }
}

/** Registers `name` with a role that `boss`, an admin, gives. */
export async function registeredAs(
  role: Role,
  { address, boss }: { address: string; boss: SignedIn },
  name: string,
): Promise<SignedIn> {
  const { id } = await signedIn(address, name)
  await boss.call(confirmItIsMe, { body: { password: PASSWORD } })
  await boss.call(changeUser, { params: { id }, body: { role } })
  // Another role ends the session.
  return signedIn(address, name)
}

/** Signs the browser in as somebody who already has a token. */
export async function bringToken(page: Page, address: string, token: string): Promise<void> {
  // The smallest thing of that origin.
  await page.goto(`${address}/favicon.svg`)
  await page.evaluate((value) => localStorage.setItem('authToken', value), token)
}

/** No page has so many controls. */
const MOST_STOPS = 200

/** Presses Tab until `target` has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < MOST_STOPS; presses++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`Tab does not lead to ${target}`)
}

/** An installation trains a model by itself, which on some machine would be there before a test looks. */
export async function cancelFirstModel(call: Call): Promise<void> {
  const jobs = () => call(trainingJobs, {})
  const isAskedFor = { message: 'the first model is asked for', timeout: 300_000, intervals: [200] }
  await expect.poll(jobs, isAskedFor).not.toEqual([])
  const [job] = await jobs()
  await call(cancelJob, { params: { id: job!._id } })
}

/** Trains `version` on the newest candles and waits for the job to end. */
export async function trainModel(call: Call, version: string, limit: number, params: object = {}) {
  const { jobId } = await call(train, { body: { version, symbol: 'BTCUSDT', timeframe: '1h', limit, params } })
  for (;;) {
    const job = await call(trainingJob, { params: { id: jobId } })
    if (job.status !== 'queued' && job.status !== 'running') return job
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
