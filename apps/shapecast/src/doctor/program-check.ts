import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Config } from '@shapecast/platform/config'
import { WEB_CLIENT } from '../server/project-folder.ts'
import type { Check, Finding } from './finding.ts'

/** The built web client, and the port of the product: taken by us, by somebody else, or free. */
export const checkProgram: Check = async (config) => {
  const built = existsSync(join(WEB_CLIENT, 'index.html'))
  return [
    built
      ? { state: 'good', about: 'web client', text: 'built' }
      : { state: 'note', about: 'web client', text: 'not built yet', advice: 'npm start builds it.' },
    await checkPort(config),
  ]
}

async function checkPort({ host, port }: Config): Promise<Finding> {
  const about = `port ${port}`
  if (port === 0) return { state: 'good', about, text: 'any free one' }
  if (await isFree(host, port)) return { state: 'good', about, text: 'free; the server is not running' }
  const origin = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`
  try {
    const reply = await fetch(`${origin}/soc/health`, { signal: AbortSignal.timeout(3_000) })
    const body = (await reply.json()) as { status?: unknown }
    if (reply.ok && body.status === 'ok') return { state: 'good', about, text: `the server runs at ${origin}` }
    return {
      state: 'bad',
      about,
      text: `a server answers ${reply.status}`,
      advice: 'Its log says why it is not ready.',
    }
  } catch {
    return {
      state: 'bad',
      about,
      text: 'taken by another program',
      advice: 'Stop that one, or set PORT to another port (0 picks a free one).',
    }
  }
}

const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })
