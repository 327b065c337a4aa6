/**
 * A worker process of shared-search.ts: takes jobs, searches in one thread, and holds bots of its own on a made-up market.
 * Parent's messages: `cpu` (microseconds so far), `close` (one candle more for all bots: seconds and processor ms), `loop` (ms
 * by the clock of a loop that waits for nothing).
 */
import type { Candles } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { connect } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { compose } from '@shapecast/trading/compose'
import { takeJobs } from '@shapecast/trading/job-kinds'
import { createBotsBench, scriptedMarket } from '@shapecast/trading/test/support/bots-bench'
import { tradingParts } from './bench-trading.ts'
import { taken } from './cpu-time.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)
const CLOSES = 500
const [url = '', bots = '0', first = '0'] = process.argv.slice(2)

const db = await connect(url, silentLogger())
const symbols = Array.from({ length: 20 }, (_, i) => `C${first}${i}USDT`)
const market = scriptedMarket(
  new Map<string, Candles>(
    symbols.map((symbol, i) => [symbol, generateCandles({ candles: 200 + CLOSES, seed: i, startMs: START })]),
  ),
)
market.nowMs = START + 150 * HOUR
const room = createBotsBench(db, market)
for (let i = 0; i < Number(bots); i++)
  await room.started({
    tradingPairs: [symbols[i % symbols.length]!],
    initialBalance: 10_000,
    mlModelVersion: `v${i % 5}`,
  })
await takeJobs(compose(await tradingParts(db, silentLogger())).cli(), 1)

function loop(): number {
  const startedAt = performance.now()
  const values = new Float64Array(300_000)
  for (let round = 0; round < 2000; round++)
    for (let i = 1; i < values.length; i++) values[i] = 0.9 * values[i]! + 0.1 * values[i - 1]! + 1
  return performance.now() - startedAt
}

process.on('message', async (what: 'cpu' | 'close' | 'loop') => {
  if (what === 'loop') {
    process.send!(loop())
    return
  }
  if (what === 'cpu') {
    const { user, system } = process.cpuUsage()
    process.send!(user + system)
    return
  }
  market.nowMs += HOUR
  const { wall, cpu } = await taken(() => room.runtime.catchUp())
  process.send!({ wall, cpu })
})
process.on('disconnect', () => process.exit(0))
process.send!('ready')
