import { backtestJob, createBacktestJob } from '@shapecast/contracts/backtest'
import { createBot, pauseBot, startBot } from '@shapecast/contracts/bot-changes'
import { bot } from '@shapecast/contracts/bots'
import type { Call } from '@shapecast/contracts/client'
import { saveDataset } from '@shapecast/contracts/datasets'
import { createRule, saveRule } from '@shapecast/contracts/stored-rules'
import { changeTask, createTask, type TaskStatus } from '@shapecast/contracts/tasks'
import { train, trainingJob } from '@shapecast/contracts/trainings'
import { castVote } from '@shapecast/contracts/votes'
import { cancelFirstModel, signedIn } from '../people.ts'

const TRADES = 6
const LONGEST_WAIT_MS = 12 * 60_000
const SERIES = { symbol: 'BTCUSDT', timeframe: '1h' } as const

const TASKS: readonly { title: string; description: string; status: TaskStatus; voters: number }[] = [
  {
    title: 'Show the funding rate beside the price',
    description: 'As a pane below the candles, with the rate of the next hours.',
    status: 'in_voting',
    voters: 3,
  },
  {
    title: 'Export the trades of a bot as a file',
    description: 'With fees and funding, for those who pay taxes on them.',
    status: 'in_progress',
    voters: 2,
  },
  {
    title: 'A table of all bots, sorted by what they made',
    description: 'Cards are too large for twenty bots.',
    status: 'completed',
    voters: 1,
  },
  { title: 'Candles of three minutes', description: 'Some exchanges have them.', status: 'rejected', voters: 1 },
  { title: 'Tell me when a bot is stopped', description: 'By mail, within a minute.', status: 'proposed', voters: 0 },
]

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function trained(call: Call, version: string, timeframe: '1m' | '1h', limit: number, params: object) {
  const { jobId } = await call(train, { body: { version, symbol: 'BTCUSDT', timeframe, limit, params } })
  for (;;) {
    const { status, error } = await call(trainingJob, { params: { id: jobId } })
    if (status === 'completed') return
    if (status === 'failed' || status === 'cancelled') throw new Error(`the training ended ${status}: ${error}`)
    await pause(500)
  }
}

async function run(call: Call, version: string, limit: number): Promise<string> {
  const { jobId } = await call(createBacktestJob, {
    body: { mode: 'model', mlModelVersion: version, ...SERIES, limit },
  })
  for (;;) {
    const { status, runId, error } = await call(backtestJob, { params: { id: jobId } })
    if (status === 'completed' && runId !== null && runId !== undefined) return runId
    if (status === 'failed' || status === 'cancelled') throw new Error(`the backtest ended ${status}: ${error}`)
    await pause(300)
  }
}

/** A rule with two versions, the second as the editor begins. */
export async function storedRule(call: Call): Promise<string> {
  const text = (vol: number) =>
    `enter: ema(20) > ema(50) and vol(60) < ${vol}%\nexit: ema(20) < ema(50) or rsi(14) > 75\nstop: 3% trail: 4% time: 48`
  const { id } = await call(createRule, { body: { name: 'Cross while calm', text: text(80) } })
  await call(saveRule, { params: { id }, body: { text: text(60), after: 1 } })
  return id
}

/** A bot that decides every minute, so that there are trades soon. */
async function startMinuteBot(call: Call): Promise<string> {
  const { botId } = await call(createBot, {
    body: {
      name: 'Granite minute',
      description: 'Trades the signal of every minute.',
      mlModelVersion: 'v2',
      marketType: 'futures',
      leverage: 5,
      riskLevel: 'high',
      positionSize: 0.01,
      maxDrawdown: 40,
      initialBalance: 1_000,
      takeProfitPct: 0.06,
      stopLossPct: 0.06,
      visibility: 'public',
      parameters: { timeframe: '1m' },
    },
  })
  await call(startBot, { params: { id: botId }, body: {} })
  return botId
}

async function seedTasks(mira: Call, others: readonly Call[]): Promise<void> {
  for (const { title, description, status, voters } of TASKS) {
    const { task } = await mira(createTask, { body: { title, description, priority: 'medium', tags: ['chart'] } })
    const ballots = [mira, ...others].slice(0, voters)
    for (const [i, call] of ballots.entries())
      await call(castVote, { params: { taskId: task._id }, body: { voteType: i === 2 ? 'against' : 'for' } })
    if (status !== 'proposed') await mira(changeTask, { params: { id: task._id }, body: { status } })
  }
}

/** Fills an installation with one of everything that screens show. Returns who looks, and the ids in their addresses. */
export async function seed(address: string) {
  const mira = await signedIn(address, 'mira')
  await cancelFirstModel(mira.call)
  const noah = await signedIn(address, 'noah')
  const ada = await signedIn(address, 'ada')
  const { call } = mira
  await trained(call, 'v2', '1m', 1_500, { epochs: 1, signalThreshold: 0 })
  const BOT = await startMinuteBot(call)
  await trained(call, 'v3', '1h', 3_000, { epochs: 4 })
  await trained(call, 'v1', '1h', 2_000, { epochs: 2 })
  const { botId } = await call(createBot, {
    body: { name: 'Northwind BTC', mlModelVersion: 'v3', positionSize: 0.01, initialBalance: 1_000 },
  })
  await call(startBot, { params: { id: botId }, body: {} })
  await call(pauseBot, { params: { id: botId } })
  // With the kill switch beside the summary of the bots.
  await call(createBot, { body: { name: 'Harbour real', isVirtual: false, mlModelVersion: 'v3' } })
  const OTHER = await run(call, 'v1', 450)
  const RUN = await run(call, 'v3', 500)
  const RULE = await storedRule(call)
  await call(saveDataset, { body: { ...SERIES, limit: 2_000 } })
  await seedTasks(call, [noah.call, ada.call])
  const untilMs = Date.now() + LONGEST_WAIT_MS
  for (;;) {
    const { totalTrades, positions } = await call(bot, { params: { id: BOT } })
    if ((totalTrades >= TRADES && positions.length > 0) || Date.now() > untilMs) break
    await pause(5_000)
  }
  return { tokens: { admin: mira.token, user: noah.token }, ids: { BOT, RUN, OTHER, RULE } }
}
