import { connect } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { createBotsBench } from './bots-bench.ts'
import { soakMarket } from './soak-bots.ts'

// A process to be killed: it lets bots trade on the market of a soak, whose clock is in the database, until its end.
const [url = '', seed = '', closes = ''] = process.argv.slice(2)
const db = await connect(url, silentLogger(), { max: 4 })
const { market, tick } = await soakMarket(db, Number(seed), Number(closes))
const { runtime } = createBotsBench(db, market, { batch: 7 })
for (;;) {
  await tick()
  await runtime.catchUp('ml')
  await runtime.catchUp('openai')
  await runtime.watch()
  await new Promise((resolve) => setTimeout(resolve, 2))
}
