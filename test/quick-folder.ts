import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** The databases of a run take 1 to 2 GB while they stand. */
const LEAST_FREE_BYTES = 6 * 2 ** 30

/**
 * A folder of this process's own for what tests write, in memory where there is room: a database has a thousand files,
 * which some disks take 20 times as long to make. Removes those that killed runs have left.
 */
export function makeQuickFolder(name: string): string {
  const parent = hasRoom() ? MEMORY : tmpdir()
  const prefix = `shapecast-${name}-`
  for (const left of readdirSync(parent)) {
    const pid = left.startsWith(prefix) ? Number(left.slice(prefix.length).split('-')[0]) : Number.NaN
    if (pid > 0 && !isRunning(pid)) rmSync(join(parent, left), { recursive: true, force: true })
  }
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
  // Run as root, the database has a user of its own, who must be able to enter.
  chmodSync(folder, 0o755)
  return folder
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= LEAST_FREE_BYTES
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
