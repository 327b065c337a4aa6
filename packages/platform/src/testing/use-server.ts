import { acquireServer } from '../database/embedded.ts'
import { silentLogger } from '../logging.ts'

/** A process of the tests: uses the server of the folder in its first argument until it is told to stop. */
const server = await acquireServer({ dataDir: process.argv[2]!, log: silentLogger() })
process.send!(server.url)
process.once('message', () => {
  void server.release().then(() => process.exit(0))
})
