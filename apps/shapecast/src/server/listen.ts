import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Settings } from '@shapecast/platform/settings'
import { SettingsError } from '@shapecast/platform/settings'
import type { FastifyInstance } from 'fastify'

export type PortVariable = 'PORT' | 'TRADING_PORT' | 'SOCIAL_PORT'

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
