/** One message of a stream of server-sent events. */
export interface StreamMessage {
  readonly id: string | null
  /** `message` where the stream names none. */
  readonly event: string
  readonly data: string
}

/**
 * Cuts the text of a `text/event-stream` into messages, as the HTML standard describes (section 9.2.6). Text comes in
 * pieces of any length; a message is handed on once its blank line has come. Messages without data and comments are
 * dropped; the last id stays until another one comes.
 */
export function createEventStreamParser(onMessage: (message: StreamMessage) => void): (piece: string) => void {
  let rest = ''
  let id: string | null = null
  let event = ''
  let data: string[] = []

  function take(line: string): void {
    if (line === '') {
      if (data.length > 0) onMessage({ id, event: event === '' ? 'message' : event, data: data.join('\n') })
      event = ''
      data = []
      return
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') data.push(value)
    else if (field === 'event') event = value
    else if (field === 'id' && !value.includes('\0')) id = value
  }

  return (piece) => {
    // A carriage return at the very end may be half of a line end: it waits for what follows.
    const text = rest + piece
    const complete = text.endsWith('\r') ? text.length - 1 : text.length
    const lines = text.slice(0, complete).split(/\r\n|\n|\r/)
    rest = (lines.pop() ?? '') + text.slice(complete)
    for (const line of lines) take(line)
  }
}
