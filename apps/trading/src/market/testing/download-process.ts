import { connect } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { openExchange } from '@shapecast/venues/ccxt/live-markets'
import { carryOut } from '../../ground/jobs/carry-out.ts'
import { DOWNLOAD } from '../download-kind.ts'
import { downloadWork } from '../run-download.ts'

// A download in a process of its own, to be killed in its middle: it says how far it is after each page.
const [url = '', urls = '', nowMs = '', id = ''] = process.argv.slice(2)
const db = await connect(url, silentLogger(), { max: 2 })
const source = await openExchange('binance', { urls: JSON.parse(urls), now: () => Number(nowMs) })
const signal = new AbortController().signal
const onProgress = ({ doneRatio }: { doneRatio: number }) => process.stdout.write(`${doneRatio}\n`)
const work = downloadWork({ db, source, now: Date.now }, { onProgress })
await carryOut({ orm: db.orm, log: silentLogger(), now: Date.now }, DOWNLOAD, work, { id, queueId: null }, signal)
await source.close()
await db.close()
