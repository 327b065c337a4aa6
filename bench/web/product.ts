import { login, register } from '@shapecast/contracts/auth'
import { createBacktestJob } from '@shapecast/contracts/backtest'
import { createBot } from '@shapecast/contracts/bot-changes'
import { type Call, createClient } from '@shapecast/contracts/client'
import { train, trainingJobs } from '@shapecast/contracts/trainings'
import { type Installation, install } from '../../e2e/server.ts'

const SERIES = { symbol: 'BTCUSDT', timeframe: '1h' } as const
const PERSON = { username: 'mira', email: 'mira@example.org', password: 'correct horse' }

async function ended(call: Call): Promise<void> {
  for (;;) {
    const jobs = await call(trainingJobs, {})
    if (jobs.every(({ status }) => status !== 'queued' && status !== 'running')) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** The product on the simulated market with a quickly trained model, a public bot and a backtest; `token` is its admin's. */
export async function startProduct(): Promise<Installation & { token: string }> {
  const home = await install({ MARKET: 'simulated' })
  await home.start()
  let token: string | null = null
  const { call } = createClient({ origin: home.address, token: () => token })
  token = (await call(register, { body: PERSON }).catch(() => call(login, { body: PERSON }))).accessToken
  await call(train, { body: { version: 'v3', ...SERIES, limit: 1_500, params: { epochs: 1 } } })
  await ended(call)
  await call(createBot, { body: { name: 'Northwind BTC', mlModelVersion: 'v3', visibility: 'public' } })
  await call(createBacktestJob, { body: { mode: 'model', mlModelVersion: 'v3', ...SERIES, limit: 500 } })
  return { ...home, token }
}
