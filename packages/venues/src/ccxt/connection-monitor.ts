import type { ExchangeStreams, StreamClient } from './calls/exchange-calls.ts'

/**
 * What happens on an exchange's websockets, beneath ccxt's own handling of it: listens in on an exchange object. ccxt binds these four methods when it makes a connection, so it has to be done before
 * the first. (Its promises tell of a message only while someone awaits one: a connection that ends between two would go
 * unnoticed, and what was missed would not be read again.)
 */
export function monitorConnections(exchange: ExchangeStreams, now: () => number) {
  const messageListeners: ((client: StreamClient, message: unknown) => void)[] = []
  const upListeners: ((client: StreamClient) => void)[] = []
  const downListeners: ((client: StreamClient) => void)[] = []
  const connected = new Set<StreamClient>()
  const heardAt = new WeakMap<StreamClient, number>()
  let current: StreamClient | null = null

  catchSendFailures(exchange)
  const { handleMessage, onConnected, onError, onClose } = exchange
  const down = (client: StreamClient) => {
    if (!connected.delete(client)) return
    if (current === client) current = null
    for (const listener of downListeners) listener(client)
  }
  exchange.handleMessage = (client, message) => {
    // A message may still arrive after the end of its connection was told: what follows it is missing.
    if (connected.has(client)) {
      current = client
      heardAt.set(client, now())
      for (const listener of messageListeners) listener(client, message)
    }
    return handleMessage.call(exchange, client, message)
  }
  exchange.onConnected = (client, message) => {
    connected.add(client)
    heardAt.set(client, now())
    for (const listener of upListeners) listener(client)
    return onConnected.call(exchange, client, message)
  }
  exchange.onError = (client, error) => {
    down(client)
    return onError.call(exchange, client, error)
  }
  exchange.onClose = (client, error) => {
    down(client)
    return onClose.call(exchange, client, error)
  }

  return {
    /** The connection whose message is being handled now, or was last; null where it has been lost since. */
    get current(): StreamClient | null {
      return current
    },
    get open(): boolean {
      return connected.size > 0
    },
    onMessage: (listener: (client: StreamClient, message: unknown) => void) => void messageListeners.push(listener),
    onUp: (listener: (client: StreamClient) => void) => void upListeners.push(listener),
    onDown: (listener: (client: StreamClient) => void) => void downListeners.push(listener),
    /** Ends connections on which nothing came for `silenceMs`; ccxt then treats them as lost. */
    endSilent(nowMs: number, silenceMs: number): void {
      for (const client of [...connected]) {
        if (nowMs - (heardAt.get(client) ?? nowMs) < silenceMs) continue
        // As ccxt itself does where pings are not answered.
        client.onError(new Error(`nothing came from ${client.url} for ${silenceMs} ms`))
        client.close()
      }
    },
  }
}
export type ConnectionMonitor = ReturnType<typeof monitorConnections>

/**
 * ccxt sends what it subscribes with from within a promise that nobody awaits: where the connection has just ended, the
 * failure is an unhandled rejection, which ends the process. It is taken as what it is, a lost connection.
 */
function catchSendFailures(exchange: ExchangeStreams): void {
  const { client: clientOf } = exchange
  const caught = new WeakSet<StreamClient>()
  exchange.client = (url) => {
    const client = clientOf.call(exchange, url)
    if (!caught.has(client)) {
      caught.add(client)
      const { send } = client
      client.send = (message) => send.call(client, message).catch((error: unknown) => client.onError(error))
    }
    return client
  }
}
