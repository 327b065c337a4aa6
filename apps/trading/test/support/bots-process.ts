import { connect } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { createBotsBench } from './bots-bench.ts'
import { meetFate, withPoints } from './deadly-points.ts'
import { soakMarket } from './soak-bots.ts'

// A process to be killed: it lets bots trade on the market of a soak, whose clock is in the database, until its end. It
// ends, or stands still, by itself where its parent has told it to.
const [url = '', seed = '', closes = ''] = process.argv.slice(2)
let doing: 'decision' | 'fill' = 'decision'
const reach = meetFate()
const db = await connect(url, silentLogger(), { max: 4 })
const mortal = withPoints(db, (point) => reach(`${doing}, ${point}`))
const { market, tick } = await soakMarket(db, Number(seed), Number(closes))
const { runtime } = createBotsBench(mortal, market, { batch: 7 })
for (;;) {
  await tick()
  doing = 'decision'
  await runtime.catchUp()
  doing = 'fill'
  await runtime.between()
  await new Promise((resolve) => setTimeout(resolve, 2))
}
