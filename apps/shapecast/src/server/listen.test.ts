import { createServer, type Server } from 'node:net'
import { createHttp } from '@shapecast/platform/http/build-service'
import { silentLogger } from '@shapecast/platform/logging'
import { afterEach, describe, expect, it } from 'vitest'
import { listen } from './start-shapecast.ts'

const HOST = '127.0.0.1'
const settings = (...given: string[]) => ({ host: HOST, given: new Set(given) })

describe('listening', () => {
  const open: { close(): unknown }[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()))
  })
  const http = () => {
    const fastify = createHttp(silentLogger())
    open.push(fastify)
    return fastify
  }
  const occupy = () =>
    new Promise<{ port: number; server: Server }>((resolve) => {
      const server = createServer().listen(0, HOST, () => {
        open.push(server)
        resolve({ port: (server.address() as { port: number }).port, server })
      })
    })

  it('takes a free port for 0 and says which', async () => {
    expect(await listen(http(), settings(), 'PORT', 0)).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })

  it('does without a port that nobody asked for', async () => {
    const { port } = await occupy()
    expect(await listen(http(), settings(), 'TRADING_PORT', port)).toBeNull()
  })

  it('names the variable of a port that was asked for and is taken', async () => {
    const { port } = await occupy()
    await expect(listen(http(), settings('SOCIAL_PORT'), 'SOCIAL_PORT', port)).rejects.toThrow(
      `SOCIAL_PORT: port ${port} of ${HOST} is taken by another program`,
    )
  })

  it('waits for a predecessor that is letting go of the port', async () => {
    const { port, server } = await occupy()
    setTimeout(() => server.close(), 400)
    expect(await listen(http(), settings(), 'PORT', port)).toBe(`http://${HOST}:${port}`)
  })

  it('names HOST where it is no address of this machine', async () => {
    const nowhere = { host: '192.0.2.1', given: new Set<string>() }
    await expect(listen(http(), nowhere, 'PORT', 0)).rejects.toThrow('HOST: this machine has no address 192.0.2.1')
  })
})
