import type { AddressInfo } from 'node:net'
import { connect } from '@shapecast/platform/database/database'
import { createLogger } from '@shapecast/platform/logging'
import { createMetrics } from '@shapecast/platform/metrics'
import { buildGateway } from '@shapecast/shapecast/server/gateway'
import { compose } from '@shapecast/trading/compose'
import Fastify from 'fastify'
import { tradingParts } from './bench-trading.ts'

// One server in a process of its own: `product` is the gateway with the trading service, `bare` a route of Fastify that
// sends the same bytes, `worker` takes the jobs. It tells its port, and on demand its memory and its processor time.
const [kind = '', url = '', webClient = '/nowhere'] = process.argv.slice(2)
const PATH = '/bot/public/ohlcv/BTCUSDT?timeframe=1h&limit=100'

async function parts() {
  const log = createLogger('warn')
  return await tradingParts(await connect(url, log), log)
}

async function product() {
  const deps = await parts()
  return buildGateway({
    log: deps.log,
    metrics: createMetrics({ db: deps.db, queue: null }),
    proxies: 0,
    metricsToken: null,
    allowedHosts: [],
    callsAMinute: Number.MAX_SAFE_INTEGER,
    trading: compose(deps).api(deps),
    social: async () => {},
    webClient,
  })
}

async function bare(from: string) {
  const body = Buffer.from(await (await fetch(`${from}${PATH}`)).arrayBuffer())
  const fastify = Fastify()
  fastify.get('/bot/public/ohlcv/:symbol', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(body),
  )
  return fastify
}

if (kind === 'worker') {
  await compose(await parts()).worker()
  process.send!({ port: 0 })
} else {
  const server = kind === 'product' ? await product() : await bare(url)
  await server.listen({ host: '127.0.0.1', port: 0 })
  process.send!({ port: (server.server.address() as AddressInfo).port })
}
process.on('message', (asked) => {
  if (asked === 'cpu') {
    const { user, system } = process.cpuUsage()
    process.send!({ cpuUs: user + system })
    return
  }
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  process.send!({ heapMb: (heapUsed + external) / 2 ** 20, rssMb: rss / 2 ** 20 })
})
process.on('disconnect', () => process.exit(0))
