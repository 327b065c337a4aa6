import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { limitProcessor, processorMs } from './process-use.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
const start = async (program: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ['-e', `console.log('there');${program}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout!, 'data')
  return child
}

describe.skipIf(process.platform === 'win32')('a limit of processor time', () => {
  it('is reached by a process that computes', async () => {
    const { pid } = await start('for (;;);')
    const from = (await processorMs(pid!))!
    await new Promise<number>((over) => limitProcessor(pid, 300, over))
    expect((await processorMs(pid!))! - from).toBeGreaterThanOrEqual(300)
  })

  it('is not reached by one that waits for its turn, though the clock goes on, but after 20 times as long', async () => {
    const { pid } = await start('setInterval(() => {}, 1e6)')
    const from = performance.now()
    await new Promise<number>((over) => limitProcessor(pid, 100, over))
    expect(performance.now() - from).toBeGreaterThanOrEqual(1_999)
  })

  it('is not told of once it is called off', async () => {
    const { pid } = await start('for (;;);')
    let told = false
    limitProcessor(pid, 100, () => {
      told = true
    })()
    await new Promise<number>((over) => limitProcessor(pid, 200, over))
    expect(told).toBe(false)
  })
})

it('a process that is gone has used nothing that can be said', async () =>
  expect(await processorMs(2 ** 30)).toBeNull())
