import { connect } from 'node:net'

// Unfinished bodies, in a process of their own so that nobody waits for its event loop. It tells how many are open.
const [port = 0, connections = 0] = process.argv.slice(2).map(Number)
const LENGTH = { large: 4_000_000, chunked: 4_000_000, small: 16_000 }
const PIECE = Buffer.alloc(8_192, 'x')
const CHUNK = Buffer.concat([Buffer.from('2000\r\n'), PIECE, Buffer.from('\r\n')])

let open = 0
for (let i = 0; i < connections; i++) begin((['large', 'chunked', 'small'] as const)[i % 3]!)
setInterval(() => process.send!(open), 100)

function begin(kind: keyof typeof LENGTH): void {
  const socket = connect(port, '127.0.0.1')
  open += 1
  const length = kind === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${LENGTH[kind]}`
  socket.write(
    `POST /soc/api/auth/login HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${length}\r\n\r\n`,
  )
  let sent = 0
  const send = () => {
    while (sent < LENGTH[kind] - PIECE.length && !socket.destroyed) {
      sent += PIECE.length
      if (!socket.write(kind === 'chunked' ? CHUNK : PIECE)) return
    }
  }
  socket.on('drain', send)
  socket.on('connect', send)
  socket.on('error', () => {})
  socket.on('close', () => {
    open -= 1
  })
  socket.resume()
}
