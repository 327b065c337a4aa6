import { connect } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { importFile } from '../import-file.ts'

// An import in a process of its own, to be killed in its middle: it speaks up once candles are on their way, and
// would never end by itself.
const [url = '', path = '', symbol = ''] = process.argv.slice(2)
const db = await connect(url, silentLogger(), { max: 2 })
let spoken = false
await importFile({ db }, { path, symbol, timeframe: '1m' }, ({ rowsRead }) => {
  if (rowsRead < 50_000 || spoken) return
  spoken = true
  process.stdout.write('importing\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
await db.close()
