import { connect } from '../database/database.ts'
import { silentLogger } from '../logging.ts'

/** A process of the tests: takes the turn of `work` and answers each message by whether it still has it. */
const db = await connect(process.argv[2]!, silentLogger())
await db.locks.alone('work', async (turn) => {
  process.on('message', () => {
    try {
      turn.require()
      process.send!('has it')
    } catch (error) {
      process.send!((error as Error).name)
    }
  })
  process.send!('has it')
  await new Promise(() => {})
})
