import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Check, Finding } from './finding.ts'

const GB = 1024 ** 3
const LEAST_MEMORY_GB = 2
const LEAST_DISK_GB = 2

/** Node, cores, memory, room on the disk, the key. */
export const checkMachine: Check = async (config) => {
  const memoryGb = totalmem() / GB
  const findings: Finding[] = [
    { state: 'good', about: 'Node', text: `${process.versions.node} on ${process.platform} ${process.arch}` },
    { state: 'good', about: 'cores', text: String(availableParallelism()) },
    memoryGb >= LEAST_MEMORY_GB
      ? { state: 'good', about: 'memory', text: `${memoryGb.toFixed(1)} GB` }
      : {
          state: 'note',
          about: 'memory',
          text: `${memoryGb.toFixed(1)} GB`,
          advice: `Training wants about ${LEAST_MEMORY_GB} GB. Set WORKERS=1, or use a larger machine.`,
        },
  ]
  const { bavail, bsize } = await statfs(config.dataDir)
  const freeGb = (bavail * bsize) / GB
  findings.push(
    freeGb >= LEAST_DISK_GB
      ? { state: 'good', about: 'disk', text: `${freeGb.toFixed(1)} GB free in ${config.dataDir}` }
      : {
          state: freeGb < 0.2 ? 'bad' : 'note',
          about: 'disk',
          text: `${freeGb.toFixed(2)} GB free in ${config.dataDir}`,
          advice: 'Free some room, or set DATA_DIR to a larger disk.',
        },
  )
  const keyFile = join(config.dataDir, 'secret-key')
  if (!config.given.has('SECRET_KEY') && existsSync(keyFile) && (statSync(keyFile).mode & 0o077) !== 0)
    findings.push({
      state: 'bad',
      about: 'key',
      text: `others on this machine can read ${keyFile}`,
      advice: `Close it: chmod 600 ${keyFile}`,
    })
  return findings
}
