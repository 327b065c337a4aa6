import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLiveEvents } from './live-events.ts'

const candle = { symbol: 'BTCUSDT', timeframe: '1h', candle: [3_600_000, 1, 2, 0.5, 1.5, 7], closed: false }
const message = (id: number, event: string, data: unknown) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
const topic = { kind: 'candle', symbol: 'BTCUSDT', timeframe: '1h' } as const

interface Asked {
  readonly url: string
  readonly headers: Record<string, string>
  readonly signal: AbortSignal
  say(text: string): void
  end(): void
}

/** A server of streams that answers with `status`, and everything it was asked. */
function server(status = 200) {
  const asked: Asked[] = []
  const fetchStream = ((url: string, init: { headers: Record<string, string>; signal: AbortSignal }) => {
    let control: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start(given) {
        control = given
      },
    })
    init.signal.addEventListener('abort', () => control?.error(new Error('aborted')))
    asked.push({
      url,
      ...init,
      say: (text) => control?.enqueue(new TextEncoder().encode(text)),
      end: () => control?.close(),
    })
    return Promise.resolve(new Response(status === 200 ? body : null, { status }))
  }) as unknown as typeof fetch
  return { asked, fetch: fetchStream }
}

const settle = () => vi.advanceTimersByTimeAsync(20)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('live events', () => {
  it('ask the public stream without a token, once for all topics, and hand events to their listeners', async () => {
    const { asked, fetch } = server()
    const live = createLiveEvents({ fetch, token: () => null })
    const candles = vi.fn()
    const tickers = vi.fn()
    live.listen(topic, candles)
    live.listen({ kind: 'ticker', symbol: 'BTCUSDT' }, tickers)
    await settle()
    expect(asked.map(({ url }) => decodeURIComponent(url))).toEqual([
      '/bot/public/stream?topics=candle:BTCUSDT:1h,ticker:BTCUSDT',
    ])
    asked[0]?.say(message(1, 'candle', candle))
    asked[0]?.say(message(2, 'candle', { ...candle, symbol: 'ETHUSDT' }))
    asked[0]?.say(message(3, 'candle', { nonsense: true }))
    await settle()
    expect(candles.mock.calls).toEqual([[{ event: 'candle', data: candle }]])
    expect(tickers).not.toHaveBeenCalled()
  })

  it('send the token in a header, never in the address', async () => {
    const { asked, fetch } = server()
    createLiveEvents({ fetch, token: () => 'secret' }).listen(topic, vi.fn())
    await settle()
    expect(asked[0]?.url).toMatch(/^\/bot\/api\/stream\?/)
    expect(asked[0]?.url).not.toContain('secret')
    expect(asked[0]?.headers.authorization).toBe('Bearer secret')
  })

  it('tell of a refused token and go on with what is public', async () => {
    const { asked, fetch } = server(401)
    const onUnauthorized = vi.fn()
    createLiveEvents({ fetch, token: () => 'ended', onUnauthorized }).listen(topic, vi.fn())
    await settle()
    expect(onUnauthorized).toHaveBeenCalledOnce()
    expect(asked.map(({ url }) => url.split('?')[0])).toEqual(['/bot/api/stream', '/bot/public/stream'])
    expect(asked[1]?.headers.authorization).toBeUndefined()
  })

  it('go on after a break from the last id, waiting 1 s and then longer', async () => {
    const { asked, fetch } = server()
    createLiveEvents({ fetch, token: () => null }).listen(topic, vi.fn())
    await settle()
    asked[0]?.say(message(41, 'candle', candle))
    await settle()
    asked[0]?.end()
    await vi.advanceTimersByTimeAsync(900)
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(asked).toHaveLength(2)
    expect(asked[1]?.headers['last-event-id']).toBe('41')
    asked[1]?.end()
    await vi.advanceTimersByTimeAsync(1900)
    expect(asked).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(200)
    expect(asked).toHaveLength(3)
  })

  it('take 45 s of silence for a dead connection', async () => {
    const { asked, fetch } = server()
    createLiveEvents({ fetch, token: () => null }).listen(topic, vi.fn())
    await settle()
    asked[0]?.say(': still there\n\n')
    await vi.advanceTimersByTimeAsync(44_000)
    expect(asked[0]?.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(2_100)
    expect(asked[0]?.signal.aborted).toBe(true)
    expect(asked).toHaveLength(2)
  })

  it('leave a server that has no stream in peace for ten minutes', async () => {
    const { asked, fetch } = server(404)
    createLiveEvents({ fetch, token: () => null }).listen(topic, vi.fn())
    await vi.advanceTimersByTimeAsync(9 * 60_000)
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(61_000)
    expect(asked).toHaveLength(2)
  })

  it('end with the last listener', async () => {
    const { asked, fetch } = server()
    const stop = createLiveEvents({ fetch, token: () => null }).listen(topic, vi.fn())
    await settle()
    stop()
    await settle()
    expect(asked[0]?.signal.aborted).toBe(true)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(asked).toHaveLength(1)
  })

  it('are not connected while they are held, and go on from the last id afterwards', async () => {
    const { asked, fetch } = server()
    let hold = (_: boolean) => {}
    const live = createLiveEvents({
      fetch,
      token: () => null,
      hold(tell) {
        hold = tell
        tell(true)
      },
    })
    live.listen(topic, vi.fn())
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(0)
    hold(false)
    await settle()
    asked[0]?.say(message(41, 'candle', candle))
    await settle()
    hold(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([asked.length, asked[0]?.signal.aborted]).toEqual([1, true])
    hold(false)
    await settle()
    expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '41'])
  })

  it('tell that something may have been missed after a break before the first id', async () => {
    const { asked, fetch } = server()
    const listener = vi.fn()
    createLiveEvents({ fetch, token: () => null }).listen(topic, listener)
    await settle()
    expect(listener).not.toHaveBeenCalled()
    asked[0]?.end()
    await vi.advanceTimersByTimeAsync(1_100)
    expect(listener.mock.calls).toEqual([[{ event: 'reset', data: {} }]])
  })

  it('tell everybody that what came meanwhile is not known', async () => {
    const { asked, fetch } = server()
    const listener = vi.fn()
    createLiveEvents({ fetch, token: () => null }).listen(topic, listener)
    await settle()
    asked[0]?.say(message(1, 'reset', {}))
    await settle()
    expect(listener).toHaveBeenCalledWith({ event: 'reset', data: {} })
  })
})
