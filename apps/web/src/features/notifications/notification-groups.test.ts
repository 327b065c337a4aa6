import type { Notification } from '@shapecast/contracts/notifications'
import { describe, expect, it } from 'vitest'
import { groupsOf, hourWords } from './notification-groups.ts'

const at = (day: number, hour: number, minute = 0) => Date.UTC(2024, 2, day, hour, minute)
const fill = (id: string, name: string, createdAt: number): Notification => ({
  id,
  kind: 'fill',
  title: `${name} opened a long`,
  text: '',
  link: null,
  bot: { id: name, name, isVirtual: true, netPnL: null },
  createdAt,
  marketAt: null,
  isRead: true,
})
const other = (id: string, createdAt: number): Notification => ({ ...fill(id, '', createdAt), kind: 'job', bot: null })
const shapeOf = (list: readonly Notification[]) =>
  groupsOf(list).map(({ hourMs, items }) => [
    new Date(hourMs).toISOString().slice(8, 16),
    items.map((item) => item.map(({ id }) => id).join('')),
  ])

describe('notifications by hour', () => {
  it('fold the fills of a bot within an hour, whatever stands between them', () => {
    const list = [fill('a', 'Tern', at(9, 18, 50)), other('b', at(9, 18, 40)), fill('c', 'Tern', at(9, 18, 5))]
    expect(shapeOf(list)).toEqual([['09T18:00', ['ac', 'b']]])
  })

  it('fold the fills of a bot over hours while nothing else happened, and not past midnight', () => {
    const list = [
      fill('a', 'Tern', at(5, 16)),
      fill('b', 'Tern', at(5, 14)),
      fill('c', 'Tern', at(5, 12)),
      fill('d', 'Tern', at(4, 23)),
    ]
    expect(shapeOf(list)).toEqual([
      ['05T16:00', ['abc']],
      ['04T23:00', ['d']],
    ])
  })

  it('keep the fills of two bots, and two of another kind, apart', () => {
    const list = [
      fill('a', 'Tern', at(5, 16)),
      fill('b', 'Ridge', at(5, 16)),
      other('c', at(5, 16)),
      other('d', at(5, 15)),
    ]
    expect(shapeOf(list)).toEqual([
      ['05T16:00', ['a', 'b', 'c']],
      ['05T15:00', ['d']],
    ])
  })

  it('are headed by today, or by their day', () => {
    expect(hourWords(at(9, 18), at(9, 18, 14))).toBe('Today, 18:00')
    expect(hourWords(at(8, 22), at(9, 18, 14))).toBe('8 Mar 2024, 22:00')
  })
})
