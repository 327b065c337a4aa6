import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A server of server-process.ts in a process of its own, with what it says of its memory and its processor time. */
export async function serve(...args: string[]) {
  const child = fork(join(import.meta.dirname, 'server-process.ts'), args, { execArgv: ['--expose-gc'] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const ask = async <T>(what: 'memory' | 'cpu'): Promise<T> => {
    child.send(what)
    const [said] = (await once(child, 'message')) as [T]
    return said
  }
  return {
    port,
    memory: () => ask<{ heapMb: number; rssMb: number }>('memory'),
    /** User and system since it began. */
    cpuUs: async () => (await ask<{ cpuUs: number }>('cpu')).cpuUs,
    async stop() {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}
