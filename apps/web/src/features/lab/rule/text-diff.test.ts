import fc from 'fast-check'
import { expect, it } from 'vitest'
import { diffText } from './text-diff.ts'

const without = (kind: string, pieces: ReturnType<typeof diffText>) =>
  pieces
    .filter((piece) => piece.kind !== kind)
    .map(({ text }) => text)
    .join('')

it('tells a changed number and an added part', () => {
  expect(diffText('enter: ema(20) > 5 time: 9', 'enter: ema(50) > 5 stop: 3% time: 9')).toEqual([
    { kind: 'same', text: 'enter: ema(' },
    { kind: 'removed', text: '20' },
    { kind: 'added', text: '50' },
    { kind: 'same', text: ') > 5 ' },
    { kind: 'added', text: 'stop: 3% ' },
    { kind: 'same', text: 'time: 9' },
  ])
})

it('has both texts whole in it, and nothing but what is the same of one text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '(', '\n', '1.5'), maxLength: 40 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pieces = diffText(before, after)
      expect([without('added', pieces), without('removed', pieces)]).toEqual([before, after])
      expect(diffText(before, before).every(({ kind }) => kind === 'same')).toBe(true)
    }),
  )
})
