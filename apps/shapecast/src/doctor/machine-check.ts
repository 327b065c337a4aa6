import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Config } from '@shapecast/platform/config'
import { WEB_CLIENT } from '../server/project-folder.ts'
import { bad, type Check, type Finding, good, hint } from './finding.ts'

/** The built web client, and the port of the product: taken by us, by somebody else, or free. */
export const checkProgram: Check = async (config) => {
  const built = existsSync(join(WEB_CLIENT, 'index.html'))
  return [
    built ? good('web client', 'built') : hint('web client', 'not built yet', 'npm start builds it.'),
    await checkPort(config),
  ]
}

async function checkPort({ host, port }: Config): Promise<Finding> {
  const about = `port ${port}`
  if (port === 0) return good(about, 'any free one')
  if (await isFree(host, port)) return good(about, 'free; the server is not running')
  const origin = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`
  try {
    const reply = await fetch(`${origin}/soc/health`, { signal: AbortSignal.timeout(3_000) })
    const body = (await reply.json()) as { status?: unknown }
    if (reply.ok && body.status === 'ok') return good(about, `the server runs at ${origin}`)
    return {
      state: 'bad',
      about,
      text: `a server answers ${reply.status}`,
      advice: 'Its log says why it is not ready.',
    }
  } catch {
    return bad(about, 'taken by another program', 'Stop that one, or set PORT to another port (0 picks a free one).')
  }
}

const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })

/** Adds 1 and 2 on the runtime that trains and predicts. Loaded here, so that a broken library is a finding. */
export const checkModelRuntime: Check = async () => {
  try {
    const { openSession, tensorOf } = await import('@shapecast/ml/runtime/onnx-runtime')
    const { encodeModel } = await import('@shapecast/ml/graph/onnx-model')
    const port = (name: string) => ({ name, type: 'float32' as const, shape: [1] })
    const session = await openSession(
      encodeModel({
        nodes: [{ op: 'Add', inputs: ['a', 'b'], outputs: ['sum'] }],
        initialisers: [],
        inputs: [port('a'), port('b')],
        outputs: [port('sum')],
      }),
    )
    const one = (value: number) => tensorOf(Float32Array.of(value), [1])
    const { sum } = await session.run({ a: one(1), b: one(2) })
    await session.release()
    const result = Number(sum?.data[0])
    if (result !== 3) throw new Error(`1 + 2 came out as ${result}`)
    return [good('model runtime', 'ONNX Runtime loads and computes')]
  } catch (error) {
    return [
      {
        state: 'bad',
        about: 'model runtime',
        text: `ONNX Runtime does not work here (${error instanceof Error ? error.message : error})`,
        advice: 'Run npm ci again. It needs glibc: Alpine Linux does not do.',
      },
    ]
  }
}

const GB = 1024 ** 3
const LEAST_MEMORY_GB = 2
const LEAST_DISK_GB = 2

/** Node, cores, memory, room on the disk, the key. */
export const checkMachine: Check = async (config) => {
  const memoryGb = totalmem() / GB
  const findings: Finding[] = [
    good('Node', `${process.versions.node} on ${process.platform} ${process.arch}`),
    good('cores', String(availableParallelism())),
    memoryGb >= LEAST_MEMORY_GB
      ? good('memory', `${memoryGb.toFixed(1)} GB`)
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
      ? good('disk', `${freeGb.toFixed(1)} GB free in ${config.dataDir}`)
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
