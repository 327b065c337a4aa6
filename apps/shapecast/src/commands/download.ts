import { TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import { downloadOrder, requireExchange } from '@shapecast/trading/features/market/download-desk'
import { orderDownload } from '@shapecast/trading/features/market/download-store'
import { openVenue } from '@shapecast/trading/features/market/open-venue'
import { runDownload } from '@shapecast/trading/features/market/run-download'
import { createStoredCandles } from '@shapecast/trading/features/market/stored-candles'
import { type Command, Option } from 'commander'
import type { Stored } from '../installation.ts'
import { symbolOf, timeOf } from './arguments.ts'
import { withStored } from './open.ts'
import { note, print, progressOf, table } from './output.ts'

interface DownloadOptions {
  timeframe: Timeframe
  from: number
  to?: number
}

export const addDownload = (program: Command): void => {
  program
    .command('download')
    .description('fetch history from the exchange that MARKET names; run again, it goes on where it stopped')
    .argument('<symbol...>', 'the markets, such as BTCUSDT', (text, before: string[] = []) => [
      ...before,
      symbolOf(text),
    ])
    .addOption(new Option('--timeframe <timeframe>', 'how long one candle is').choices(TIMEFRAMES).default('1h'))
    .requiredOption('--from <time>', 'the first candle, such as 2024-01-31 (UTC)', timeOf)
    .option('--to <time>', 'the last candle (the last closed one)', timeOf)
    .action(async (symbols: string[], options: DownloadOptions) => {
      await withStored((stored, signal) => downloadAll(stored, symbols, options, signal))
    })
}

async function downloadAll(
  { config, db, log }: Stored,
  symbols: readonly string[],
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<void> {
  const market = requireExchange(await openVenue(config, { db, stored: createStoredCandles(db), log }))
  const { source } = market
  try {
    for (const symbol of symbols) {
      signal.throwIfAborted()
      const order = await downloadOrder(market, { symbol, ...options })
      const { id, resumeMs } = await orderDownload(db.orm, order, null, Date.now())
      if (resumeMs > order.fromMs) note(`${symbol}: goes on at ${time(resumeMs)}`)
      const bar = progressOf(`${symbol} ${options.timeframe}`)
      try {
        const report = await runDownload({ db, source, log, now: Date.now }, id, signal, (chunk) =>
          bar.show(chunk.doneRatio, time(chunk.resumeMs)),
        )
        bar.end()
        print(
          table(
            [
              [`${symbol} ${options.timeframe} of ${market.name}`, `${time(order.fromMs)} to ${time(order.toMs)}`],
              ['candles fetched', report.candles.toLocaleString('en')],
              ['rows refused', report.refused.toLocaleString('en')],
            ],
            'words',
          ),
        )
      } finally {
        bar.end()
      }
    }
  } finally {
    await source.close()
  }
}

const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
