import { createHmac } from 'node:crypto'
import { refusals } from './venue-error.ts'

const DEFAULT_WINDOW_MS = 5000
const AHEAD_MS = 1000

/** Checks key, signature and time of a signed request as Binance does. Throws -2015, -1022, -1102 or -1021. */
export function checkSigned(
  request: { key: string | undefined; params: URLSearchParams; signedText: string; nowMs: number },
  account: { key: string; secret: string },
): void {
  const { key, params, signedText, nowMs } = request
  if (key !== account.key) throw refusals.badKey()
  const timestamp = Number(params.get('timestamp') ?? Number.NaN)
  if (!Number.isFinite(timestamp)) throw refusals.missing('timestamp')
  const expected = createHmac('sha256', account.secret).update(signedText).digest('hex')
  if (params.get('signature') !== expected) throw refusals.signature()
  if (timestamp >= nowMs + AHEAD_MS) throw refusals.timestampAhead()
  if (nowMs - timestamp > Number(params.get('recvWindow') ?? DEFAULT_WINDOW_MS)) throw refusals.timestamp()
}
