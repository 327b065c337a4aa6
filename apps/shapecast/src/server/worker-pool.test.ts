import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { silentLogger } from '@shapecast/platform/logging'
import { eventually } from '@shapecast/platform/testing/eventually'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startWorkerPool, type WorkerPool } from './worker-pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'shapecast-pool-'))
const LOG = join(folder, 'starts')
const program = join(folder, 'worker.mjs')
const stopsProperly = `
import { appendFileSync } from 'node:fs'
const end = (why) => { appendFileSync(${JSON.stringify(LOG)}, why + '\\n'); process.exit(0) }
process.on('SIGTERM', () => end('told'))
process.on('disconnect', () => end('orphaned'))
appendFileSync(${JSON.stringify(LOG)}, process.pid + '\\n')
setInterval(() => {}, 1000)
`
const lines = () => readFileSync(LOG, 'utf8').trim().split('\n').filter(Boolean)
const pids = () =>
  lines()
    .filter((line) => /^\d+$/.test(line))
    .map(Number)
const until = (condition: () => boolean) => eventually(() => expect(condition()).toBe(true))

describe('the worker pool', () => {
  const pools: WorkerPool[] = []
  const start = (size: number) => {
    writeFileSync(LOG, '')
    writeFileSync(program, stopsProperly)
    const pool = startWorkerPool({ program, size, env: process.env, log: silentLogger(), backoffMs: 50 })
    pools.push(pool)
    return pool
  }
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.stop()))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('tells its workers to stop and waits for them', async () => {
    const pool = start(2)
    await until(() => pids().length === 2)
    await pool.stop()
    expect(lines().filter((line) => line === 'told')).toHaveLength(2)
  })

  it('starts another one where one was killed, and none once it is stopping', async () => {
    const pool = start(1)
    await until(() => pids().length === 1)
    process.kill(pids()[0]!, 'SIGKILL')
    await until(() => pids().length === 2)
    await pool.stop()
    await wait(200)
    expect(pids()).toHaveLength(2)
  })

  it('leaves no worker behind where the parent is killed', async () => {
    writeFileSync(LOG, '')
    writeFileSync(program, stopsProperly)
    const parent = join(folder, 'parent.mjs')
    writeFileSync(
      parent,
      `import { startWorkerPool } from ${JSON.stringify(join(import.meta.dirname, 'worker-pool.ts'))}
       const log = { error() {} }
       startWorkerPool({ program: ${JSON.stringify(program)}, size: 2, env: process.env, log })`,
    )
    const child = fork(parent, { stdio: 'ignore' })
    await until(() => pids().length === 2)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await until(() => lines().filter((line) => line === 'orphaned').length === 2)
  })
})
