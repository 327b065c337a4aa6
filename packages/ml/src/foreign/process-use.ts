import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** By the clock it may be so many times as long: a busy machine is no fault of the process. */
const CLOCK_FACTOR = 20
const LOOK_AFTER_MS = 20
/** Linux counts processor time in hundredths of a second, whatever the machine (USER_HZ, proc(5)). */
const TICK_MS = 10

/** What the system says of a process: Linux in a file of it, others by `ps`; null where it is gone or nothing is said. */
async function saidOf(pid: number, file: string, field: string): Promise<string | null> {
  try {
    if (process.platform === 'linux') return await readFile(`/proc/${pid}/${file}`, 'utf8')
    if (process.platform === 'win32') return null
    return (await run('ps', ['-o', `${field}=`, '-p', String(pid)])).stdout.trim()
  } catch {
    return null
  }
}

/** Bytes of memory that a process holds; null where it is gone or the system does not say. */
export async function residentBytes(pid: number): Promise<number | null> {
  const said = await saidOf(pid, 'status', 'rss')
  const kilobytes = process.platform === 'linux' ? /^VmRSS:\s+(\d+) kB$/m.exec(said ?? '')?.[1] : said
  return kilobytes == null ? null : Number(kilobytes) * 1024
}

/** Processor time that a process has used so far, ms; null where it is gone or the system does not say. */
export async function processorMs(pid: number): Promise<number | null> {
  const said = await saidOf(pid, 'stat', 'time')
  if (said === null) return null
  if (process.platform !== 'linux') return said.split(':').reduce((sum, part) => sum * 60 + Number(part) * 1000, 0)
  // Behind the name, which may hold anything, the state is the third field, utime the 14th and stime the 15th.
  const fields = said.slice(said.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/**
 * Calls `over` with the ms once a process has used `limitMs` of processor time from now on: by the clock where the system does not
 * say, and after 20 times as long by the clock whatever it has used. Returns what calls it off.
 */
export function limitProcessor(pid: number | undefined, limitMs: number, over: (tookMs: number) => void): () => void {
  const used = async () => (pid === undefined ? null : await processorMs(pid))
  const before = used()
  const startMs = performance.now()
  const latestMs = startMs + CLOCK_FACTOR * limitMs
  let timer: NodeJS.Timeout | undefined
  let isOff = false
  const look = async (): Promise<void> => {
    const [from, now] = [await before, await used()]
    if (isOff) return
    const usedMs = from === null || now === null ? null : now - from
    const leftMs = usedMs === null ? 0 : limitMs - usedMs
    const isLate = performance.now() > latestMs
    if (leftMs <= 0 || isLate) over(usedMs === null || isLate ? Math.round(performance.now() - startMs) : usedMs)
    else timer = setTimeout(look, Math.max(leftMs, LOOK_AFTER_MS))
  }
  timer = setTimeout(look, limitMs)
  return () => {
    isOff = true
    clearTimeout(timer)
  }
}
