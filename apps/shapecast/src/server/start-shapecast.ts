import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '@shapecast/platform/config'
import { createStopper } from '@shapecast/platform/graceful-stop'
import type { Logger } from '@shapecast/platform/logging'
import { createMetrics } from '@shapecast/platform/metrics'
import { type Settings, SettingsError } from '@shapecast/platform/settings'
import { firstAccountCode } from '@shapecast/social/auth/first-account'
import { hasAccounts } from '@shapecast/social/users/user-store'
import type { FastifyInstance } from 'fastify'
import { buildGateway, buildServiceListener } from './gateway.ts'
import { type Installation, openInstallation } from './installation.ts'
import { WEB_CLIENT } from './project-folder.ts'
import { openServices } from './services.ts'
import { startWorkerPool, workerCount } from './worker-pool.ts'

type PortVariable = 'PORT' | 'TRADING_PORT' | 'SOCIAL_PORT'

/** A process of ours that was killed may need a moment to let go of its port. */
const PATIENCE_MS = 5_000
/** Connections that wait to be taken: one that does not fit tries again seconds later. The system's own limit holds too. */
const MOST_WAITING = 4_096

/**
 * Listens and returns the address for a browser on this machine; null where a port that nobody asked for is taken.
 * Throws a SettingsError that names the variable where a port that was asked for, or PORT itself, cannot be had.
 */
export async function listen(
  fastify: FastifyInstance,
  settings: Pick<Settings, 'host' | 'given'>,
  variable: PortVariable,
  port: number,
): Promise<string | null> {
  const must = variable === 'PORT' || settings.given.has(variable)
  const deadline = Date.now() + (must ? PATIENCE_MS : 0)
  for (;;) {
    try {
      await fastify.listen({ host: settings.host, port, backlog: MOST_WAITING })
      return addressOf(fastify, settings.host)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'EADDRINUSE' && Date.now() < deadline) {
        await wait(250)
        continue
      }
      if (code === 'EADDRINUSE' && !must) return null
      if (code === 'EADDRINUSE')
        throw new SettingsError(
          `${variable}: port ${port} of ${settings.host} is taken by another program. Stop that one, or set ${variable} to another port${variable === 'PORT' ? ' (0 picks a free one)' : ' (empty turns it off)'}.`,
        )
      if (code === 'EACCES') throw new SettingsError(`${variable}: this user may not listen on port ${port}.`)
      if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
        throw new SettingsError(`HOST: this machine has no address ${settings.host} (${message}).`)
      throw error
    }
  }
}

function addressOf(fastify: FastifyInstance, host: string): string {
  const { port } = fastify.server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

export interface Running {
  /** Where the product answers; null where this process takes no requests. */
  readonly address: string | null
  /** The services by themselves, where they listen. */
  readonly services: { readonly name: string; readonly address: string }[]
  readonly workers: number
  /** What the first account takes from another machine; null once there is one, or where no requests are taken. */
  readonly firstAccountCode: string | null
  /** Drains and stops; resolves to whether all of it ended well and in time. */
  stop(): Promise<boolean>
}

/** Starts what ROLE asks for: listeners (`api`), workers (`worker`) or both (`all`). */
export async function startShapecast(config: Config, log: Logger): Promise<Running> {
  const workers = workerCount(config)
  const stopper = createStopper(log)
  try {
    const installation = await openInstallation(config, log, stopper)
    if (workers > 0) {
      const program = join(import.meta.dirname, '../worker.ts')
      const pool = startWorkerPool({ program, size: workers, env: workerEnvironment(config), log })
      stopper.add({ name: 'workers', stop: () => pool.stop() })
    }
    const services = await openServices(installation, stopper, config.role !== 'worker')
    const listening =
      services === null ? { address: null, services: [] } : await openDoors(installation, services, stopper)
    const { db } = installation
    const isOpen = listening.address !== null && !(await hasAccounts(db.orm))
    const code = isOpen ? firstAccountCode(config.secretKey) : null
    return { ...listening, workers, firstAccountCode: code, stop: () => stopper.stop() }
  } catch (error) {
    await stopper.stop()
    throw error
  }
}

/** Workers read the same settings; the key goes along so that a data folder of another machine does not matter. */
const workerEnvironment = (config: Config): NodeJS.ProcessEnv => ({ ...process.env, SECRET_KEY: config.secretKey })

type Services = NonNullable<Awaited<ReturnType<typeof openServices>>>

async function openDoors(
  installation: Installation,
  { trading, social }: Services,
  stopper: ReturnType<typeof createStopper>,
) {
  const { config, log, db, queue } = installation
  const metrics = createMetrics({ db, queue })
  const deps = { log, metrics, proxies: config.proxies, allowedHosts: config.allowedHosts }

  const open = async (variable: PortVariable, port: number, build: () => Promise<FastifyInstance>) => {
    const fastify = await build()
    stopper.add({ name: variable, stop: () => closeListener(fastify) })
    return listen(fastify, config, variable, port)
  }
  const services: { name: string; address: string }[] = []
  const alone = [
    { name: 'trading', variable: 'TRADING_PORT', port: config.tradingPort, plugin: trading },
    { name: 'social', variable: 'SOCIAL_PORT', port: config.socialPort, plugin: social },
  ] as const
  for (const { name, variable, port, plugin } of alone) {
    if (port === null) continue
    const address = await open(variable, port, () => buildServiceListener(name, plugin, deps))
    if (address !== null) services.push({ name, address })
    else
      log.warn(
        `port ${port} is taken, so the ${name} service does not listen by itself (set ${variable} to change that)`,
      )
  }
  const address = await open('PORT', config.port, () =>
    buildGateway({ ...deps, trading, social, webClient: WEB_CLIENT, metricsToken: config.metricsToken }),
  )
  return { address, services }
}

/** Requests under way get a moment to end; a call that waits for a backtest would wait too long. */
const REQUESTS_END_MS = 2_000

async function closeListener(fastify: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => fastify.server.closeAllConnections(), REQUESTS_END_MS)
  await fastify.close()
  clearTimeout(timer)
}
