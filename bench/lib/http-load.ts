import { connect, type Socket } from 'node:net'

/** What a number of requests took. */
export interface Load {
  readonly requests: number
  readonly seconds: number
  readonly status: Readonly<Record<string, number>>
}

/**
 * Sends `total` GET requests over `connections` kept-alive connections, the next on each once the last is answered, and
 * reads each answer to its end. As little work a request as can be, so that the server is what is measured.
 */
export function loadHttp(
  port: number,
  path: string,
  total: number,
  { connections = 16, headers = {} }: { connections?: number; headers?: Readonly<Record<string, string>> } = {},
): Promise<Load> {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: keep-alive\r\n${more.join('')}\r\n`
  const status: Record<string, number> = {}
  const began = performance.now()
  let sent = 0
  let answered = 0

  return new Promise((resolve, reject) => {
    const sockets: Socket[] = []
    const next = (socket: Socket) => {
      if (sent >= total) return
      sent++
      socket.write(request)
    }
    for (let i = 0; i < connections; i++) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      sockets.push(socket)
      let head = ''
      let left = -1
      socket.on('data', (chunk) => {
        if (left < 0) {
          head += chunk.toString('latin1')
          const end = head.indexOf('\r\n\r\n')
          if (end < 0) return
          const code = head.slice(9, 12)
          status[code] = (status[code] ?? 0) + 1
          const length = /content-length: (\d+)/i.exec(head)
          left = Number(length?.[1] ?? 0) - (head.length - end - 4)
          head = ''
        } else left -= chunk.length
        if (left > 0) return
        left = -1
        if (++answered < total) return next(socket)
        for (const one of sockets) one.destroy()
        resolve({ requests: total, seconds: (performance.now() - began) / 1000, status })
      })
      socket.on('error', reject)
      socket.on('connect', () => next(socket))
    }
  })
}
