import type { IncomingMessage, Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Faults } from './faults.ts'
import type { MarketData } from './market-data.ts'
import { closingMessage, priceMessage } from './price-messages.ts'

interface Connection {
  readonly socket: WebSocket
  readonly path: string
  readonly combined: boolean
  readonly streams: Set<string>
  readonly held: { text: string; after: number }[]
}

/** The websocket side: streams of prices by path or SUBSCRIBE and combined streams. */
export class Streams {
  readonly #server: WebSocketServer
  readonly #connections = new Set<Connection>()
  readonly #data: MarketData
  readonly #faults: Faults
  readonly #now: () => number
  #sent = 0
  /** Connections ever opened. */
  opened = 0
  /** New connections are ended at once. */
  refuse = false

  constructor(deps: {
    http: Server
    data: MarketData
    faults: Faults
    now: () => number
  }) {
    this.#data = deps.data
    this.#faults = deps.faults
    this.#now = deps.now
    this.#server = new WebSocketServer({ server: deps.http })
    this.#server.on('connection', (socket, request) => this.#open(socket, request))
  }

  get connections(): number {
    return this.#connections.size
  }

  /** The streams that anyone listens to. */
  get subscriptions(): string[] {
    return [...new Set([...this.#connections].flatMap((c) => [...c.streams]))]
  }

  /** Sends what the clock's step means: the candles that have ended, then the state of each stream. */
  step(now: number, minuteEnded: boolean): void {
    const said = new Map<string, object[]>()
    const messagesOf = (stream: string): object[] => {
      let messages = said.get(stream)
      if (messages === undefined) {
        const closing = minuteEnded ? closingMessage(this.#data, stream, now) : null
        const current = priceMessage(this.#data, stream, now)
        messages = [closing, current].filter((m) => m !== null)
        said.set(stream, messages)
      }
      return messages
    }
    for (const connection of this.#connections)
      for (const stream of connection.streams)
        for (const message of messagesOf(stream)) this.#price(connection, stream, message)
  }

  /** Sends one message on a stream to all who listen. */
  say(stream: string, message: object): void {
    for (const connection of this.#connections)
      if (connection.streams.has(stream)) this.#price(connection, stream, message)
  }

  /** Cuts connections without a goodbye: all of them, or those whose path matches. */
  cut(at?: RegExp): number {
    let count = 0
    for (const c of this.#connections)
      if (at === undefined || at.test(c.path)) {
        c.socket.terminate()
        count++
      }
    this.#faults.note(`cut ${count} websocket connections`)
    return count
  }

  /** Cuts every connection. */
  close(): void {
    for (const c of this.#connections) c.socket.terminate()
    this.#server.close()
  }

  #open(socket: WebSocket, request: IncomingMessage): void {
    if (this.refuse) {
      this.#faults.note('refused a websocket connection')
      socket.terminate()
      return
    }
    const url = new URL(request.url ?? '/', 'http://local')
    const combined = url.searchParams.has('streams')
    const streams = combined ? (url.searchParams.get('streams') ?? '').split('/') : pathStreams(url.pathname)
    const connection: Connection = {
      socket,
      path: url.pathname,
      combined,
      streams: new Set(streams),
      held: [],
    }
    this.opened++
    this.#connections.add(connection)
    socket.on('close', () => this.#connections.delete(connection))
    socket.on('error', () => socket.terminate())
    socket.on('message', (data) => this.#receive(connection, String(data)))
  }

  #receive(connection: Connection, text: string): void {
    const { id, method, params } = JSON.parse(text) as { id: unknown; method: string; params: string[] }
    for (const stream of params)
      if (method === 'SUBSCRIBE') connection.streams.add(stream)
      else connection.streams.delete(stream)
    this.#send(connection, JSON.stringify({ id, result: null }))
    if (method !== 'SUBSCRIBE') return
    for (const stream of params) {
      const message = priceMessage(this.#data, stream, this.#now())
      if (message !== null) this.#price(connection, stream, message)
    }
  }

  #price(connection: Connection, stream: string, message: object): void {
    const faults = this.#faults.stream
    const n = ++this.#sent
    const text = JSON.stringify(connection.combined ? { stream, data: message } : message)
    const strikes = (every: number) => every > 0 && n % every === 0
    if (strikes(faults.loseEvery)) this.#faults.note(`lost a message of ${stream}`)
    else if (strikes(faults.lateEvery)) {
      this.#faults.note(`late message of ${stream}`)
      connection.held.push({ text, after: n + faults.lateBy })
    } else {
      this.#send(connection, text)
      if (strikes(faults.duplicateEvery)) {
        this.#faults.note(`message of ${stream} sent twice`)
        this.#send(connection, text)
      }
    }
    while (connection.held[0] !== undefined && connection.held[0].after <= n)
      this.#send(connection, connection.held.shift()!.text)
  }

  #send(connection: Connection, text: string): void {
    if (!this.#faults.stream.silent && connection.socket.readyState === connection.socket.OPEN)
      connection.socket.send(text)
  }
}

/** `/ws/btcusdt@kline_1m/ethusdt@ticker` */
const pathStreams = (path: string): string[] => path.split('/').filter((part) => part.includes('@'))
