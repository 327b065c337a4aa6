import type { Page } from '@playwright/test'
import { login, register } from '@shapecast/contracts/auth'
import { type Call, createClient } from '@shapecast/contracts/client'
import { train, trainingJob } from '@shapecast/contracts/trainings'

export const PASSWORD = 'correct horse'

/** For what waits for jobs of the worker, which a slow machine has many of: where it takes longer, it hangs. */
export const JOBS_END = { timeout: 1_200_000 }

/** A caller of both services who is signed in as `name`, registered where that account does not exist yet. */
export async function signedIn(address: string, name: string): Promise<{ call: Call; token: string }> {
  let token: string | null = null
  const { call } = createClient({ origin: address, token: () => token })
  const email = `${name}@example.org`
  const reply = await call(register, { body: { username: name, email, password: PASSWORD } }).catch(() =>
    call(login, { body: { email, password: PASSWORD } }),
  )
  token = reply.accessToken
  return { call, token }
}

/** Signs the browser in as somebody who already has a token. */
export async function bringToken(page: Page, address: string, token: string): Promise<void> {
  await page.goto(address)
  await page.evaluate((value) => localStorage.setItem('authToken', value), token)
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
