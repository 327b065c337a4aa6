import { readCandleFile } from '../import/read-candle-file.ts'

// Run in a process of its own, so that its memory is that of reading one file and nothing else.
const [path = '', skipBadRows = ''] = process.argv.slice(2)
const summary = await readCandleFile(
  path,
  { symbol: 'BTCUSDT', timeframe: '1m', nowMs: Date.UTC(2026, 0, 1), skipBadRows: skipBadRows === 'skip' },
  () => {},
)
const { problems, rowsRead, candles, duplicates, acceptable } = summary
const peakMb = process.resourceUsage().maxRSS / 1024
console.log(JSON.stringify({ problems, rowsRead, candles, duplicates, acceptable, peakMb }))
