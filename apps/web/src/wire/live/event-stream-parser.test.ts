import { expect, it } from 'vitest'
import { createEventStreamParser, type StreamMessage } from './event-stream-parser.ts'

function parse(...pieces: string[]): StreamMessage[] {
  const messages: StreamMessage[] = []
  const feed = createEventStreamParser((message) => messages.push(message))
  for (const piece of pieces) feed(piece)
  return messages
}

it('hands on a message with its name, id and lines of data', () => {
  expect(parse('id: 7\nevent: candle\ndata: {"a":\ndata: 1}\n\n')).toEqual([
    { id: '7', event: 'candle', data: '{"a":\n1}' },
  ])
})

it('gives the same messages wherever the text is cut, with any of the three line ends', () => {
  const text = ': hello\r\nid: 1\r\ndata: one\r\n\r\nevent: ticker\rdata: two\r\rdata: three\n\n'
  const whole = parse(text)
  expect(whole.map((message) => message.data)).toEqual(['one', 'two', 'three'])
  for (let cut = 1; cut < text.length; cut++) expect(parse(text.slice(0, cut), text.slice(cut))).toEqual(whole)
})

it('keeps the last id, forgets the name, and drops comments and messages without data', () => {
  expect(parse('id: 3\nevent: candle\ndata: a\n\n: keep-alive\n\nevent: nothing\n\ndata: b\n\n')).toEqual([
    { id: '3', event: 'candle', data: 'a' },
    { id: '3', event: 'message', data: 'b' },
  ])
})

it('waits for the blank line', () => expect(parse('data: half\n')).toEqual([]))
