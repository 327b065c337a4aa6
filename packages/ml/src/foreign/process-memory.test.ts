import { spawnSync } from 'node:child_process'
import { afterEach, expect, it } from 'vitest'
import { residentBytes } from './process-use.ts'

const { platform } = process
afterEach(() => {
  Object.defineProperty(process, 'platform', { value: platform })
})

it.skipIf(process.platform === 'win32')(
  'a process holds what it says that it holds, and one that is gone nothing',
  async () => {
    const bytes = await residentBytes(process.pid)
    expect(bytes! / process.memoryUsage.rss()).toBeGreaterThan(0.5)
    expect(bytes! / process.memoryUsage.rss()).toBeLessThan(2)
    expect(await residentBytes(2 ** 30)).toBeNull()
  },
)

it.skipIf(spawnSync('ps', ['-o', 'rss=', '-p', '1']).status !== 0)(
  'the memory of a process is read from ps without /proc, and is unknown without both',
  async () => {
    Object.defineProperty(process, 'platform', { value: 'darwin' })
    const bytes = await residentBytes(process.pid)
    expect(bytes! / process.memoryUsage.rss()).toBeGreaterThan(0.5)
    expect(bytes! / process.memoryUsage.rss()).toBeLessThan(2)
    expect(await residentBytes(2 ** 30)).toBeNull()
    Object.defineProperty(process, 'platform', { value: 'win32' })
    expect(await residentBytes(process.pid)).toBeNull()
  },
)
