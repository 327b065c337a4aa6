import { expect, it } from 'vitest'
import { residentBytes } from './process-memory.ts'

it.skipIf(process.platform === 'win32')(
  'a process holds what it says that it holds, and one that is gone nothing',
  async () => {
    const bytes = await residentBytes(process.pid)
    expect(bytes! / process.memoryUsage.rss()).toBeGreaterThan(0.5)
    expect(bytes! / process.memoryUsage.rss()).toBeLessThan(2)
    expect(await residentBytes(2 ** 30)).toBeNull()
  },
)
