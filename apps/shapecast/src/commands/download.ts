import { AppError } from '@shapecast/contracts/errors'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { carryOut } from '@shapecast/trading/ground/jobs/carry-out'
import { findJob } from '@shapecast/trading/ground/jobs/job-rows'
import { DOWNLOAD, downloadHere } from '@shapecast/trading/market/download-kind'
import { downloadOrder, requireExchange } from '@shapecast/trading/market/download-service'
import { openVenue } from '@shapecast/trading/market/open-venue'
import { downloadWork } from '@shapecast/trading/market/run-download'
import { createStoredCandles } from '@shapecast/trading/market/stored-candles'
import type { Command } from 'commander'
import type { Stored } from '../server/installation.ts'
import { symbolOf, timeOf } from './arguments.ts'
import { withStored } from './open.ts'
import { timeframe } from './options.ts'
import { minuteOf, note, print, progressOf, table } from './output.ts'

interface DownloadOptions {
  timeframe: Timeframe
  from: number
  to?: number
}

export const addDownload = (command: Command): void => {
  command
    .argument('<symbol...>', 'the markets, such as BTCUSDT', (text, before: string[] = []) => [
      ...before,
      symbolOf(text),
    ])
    .addOption(timeframe('1h'))
    .requiredOption('--from <time>', 'the first candle, such as 2024-01-31 (UTC)', timeOf)
    .option('--to <time>', 'the last candle (the last closed one)', timeOf)
    .action(async (symbols: string[], options: DownloadOptions) => {
      await withStored((stored, signal) => downloadAll(stored, symbols, options, signal))
    })
}

const SHORT_WAIT_MS = 1_500

async function downloadAll(
  { config, db, log }: Stored,
  symbols: readonly string[],
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<void> {
  const market = requireExchange(await openVenue(config, { db, stored: createStoredCandles(db), log }))
  const { source } = market
  try {
    // All of them first: a wrong name at the end of the list is not found after hours.
    const orders = []
    for (const symbol of new Set(symbols)) orders.push(await downloadOrder(market, { symbol, ...options }))
    for (const order of orders) {
      const { symbol } = order
      signal.throwIfAborted()
      const id = await db.orm.transaction((tx) => downloadHere(tx, order, Date.now()))
      const { resumeMs } = (await findJob(db.orm, DOWNLOAD, id))!.progress
      if (resumeMs > order.fromMs) note(`${symbol}: goes on at ${minuteOf(resumeMs)}`)
      const bar = progressOf(`${symbol} ${options.timeframe}`)
      try {
        const work = downloadWork(
          { db, source, now: Date.now },
          { onProgress: (chunk) => bar.show(chunk.doneRatio, minuteOf(chunk.resumeMs)), onWait: createWaitNotes() },
        )
        const job = { id, queueId: null }
        const ended = await carryOut({ orm: db.orm, log, now: Date.now }, DOWNLOAD, work, job, signal)
        if (ended === null) throw new AppError('conflict', 'It was cancelled, or somebody else carries it out now.')
        if ('error' in ended) throw ended.error
        const { report } = ended.made
        bar.end()
        print(
          table(
            [
              [
                `${symbol} ${options.timeframe} of ${market.name}`,
                `${minuteOf(order.fromMs)} to ${minuteOf(order.toMs)}`,
              ],
              ['candles fetched', report.candles.toLocaleString('en')],
              ['rows refused', report.refused.toLocaleString('en')],
            ],
            'words',
          ),
        )
      } catch (error) {
        bar.end()
        note(
          `${symbol} ${options.timeframe}: what was fetched is kept. The same command goes on where this one stopped.`,
        )
        throw error
      } finally {
        bar.end()
      }
    }
  } finally {
    await source.close()
  }
}

/** Says why it waits, where that takes a while; pages that wait for the same are one note. */
function createWaitNotes(): (ms: number, why: Error) => void {
  let untilMs = 0
  return (ms, why) => {
    const now = Date.now()
    if (ms < SHORT_WAIT_MS || now < untilMs) return
    untilMs = now + ms / 2
    note(`${why.message.replace(' Try again in a moment.', '')} Trying again in ${Math.ceil(ms / 1000)} s.`)
  }
}
