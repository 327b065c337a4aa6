import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

export interface TakenLetter {
  readonly from: string
  readonly to: string[]
  /** Head and body, as they were sent. */
  readonly data: string
}

/** What a server does instead of taking a letter. */
export type SmtpFault = 'refused' | 'slow' | 'broken' | 'bad_login' | 'busy'

export interface TestSmtp {
  readonly port: number
  readonly letters: TakenLetter[]
  /** Of the next letter, and of those after it. */
  fault: SmtpFault | null
  close(): Promise<void>
}

/** A mail server on this machine that speaks as much of SMTP (RFC 5321, 4954) as a client needs. It lets mira in with `secret`. */
export async function startSmtp(): Promise<TestSmtp> {
  const letters: TakenLetter[] = []
  const sockets = new Set<Socket>()
  const state: { fault: SmtpFault | null } = { fault: null }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    if (state.fault === 'slow') return
    const say = (line: string) => socket.write(`${line}\r\n`)
    let [from, to, data, isData, rest]: [string, string[], string, boolean, string] = ['', [], '', false, '']
    say('220 test ESMTP')
    const command = (line: string): void => {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'EHLO') {
        say('250-test')
        say('250 AUTH PLAIN')
      } else if (verb === 'AUTH') {
        const [, user, password] = Buffer.from(line.split(' ')[2]!, 'base64').toString().split('\0')
        const isGood = state.fault !== 'bad_login' && user === 'mira' && password === 'secret'
        say(isGood ? '235 2.7.0 ok' : '535 5.7.8 bad credentials')
      } else if (verb === 'MAIL') {
        from = /<(.*?)>/.exec(line)![1]!
        say('250 2.1.0 ok')
      } else if (verb === 'RCPT') {
        if (state.fault === 'refused') return void say('550 5.1.1 no such user')
        if (state.fault === 'busy') return void say('451 4.3.2 try again later')
        to.push(/<(.*?)>/.exec(line)![1]!)
        say('250 2.1.5 ok')
      } else if (verb === 'DATA') {
        if (state.fault === 'broken') return void socket.destroy()
        isData = true
        say('354 go on')
      } else if (verb === 'QUIT') {
        say('221 bye')
        socket.end()
      } else say('502 5.5.1 not implemented')
    }
    socket.on('data', (chunk) => {
      rest += chunk.toString('utf8')
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (!isData) command(line)
        else if (line === '.') {
          letters.push({ from, to, data })
          ;[to, data, isData] = [[], '', false]
          say('250 2.0.0 taken as 17')
        } else data += `${line.replace(/^\./, '')}\n`
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    letters,
    get fault() {
      return state.fault
    },
    set fault(fault) {
      state.fault = fault
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The text of a letter, whatever it was encoded in. */
export function textOf({ data }: TakenLetter): string {
  const [head, ...body] = data.split('\n\n')
  const text = body.join('\n\n')
  if (/^content-transfer-encoding: base64/im.test(head!)) return Buffer.from(text, 'base64').toString()
  if (!/^content-transfer-encoding: quoted-printable/im.test(head!)) return text
  const bytes = text
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
