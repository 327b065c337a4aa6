import type { Task } from '@shapecast/contracts/tasks'
import { TASK_STATUSES } from '@shapecast/contracts/tasks'
import { expect, it } from 'vitest'
import { COLUMNS, columnOf, fits, likeTitle, previewOf, statusOfDrop } from './columns.ts'

const task = (title: string, more: Partial<Task> = {}): Task => ({
  _id: '01890000-0000-7000-8000-000000000001',
  title,
  description: 'A line of its own.',
  status: 'proposed',
  priority: 'medium',
  tags: [],
  author: null,
  votesFor: 0,
  votesAgainst: 0,
  myVote: null,
  createdAt: 0,
  updatedAt: 0,
  ...more,
})

const ALL = { search: '', status: null, priority: null, tag: null }

it('puts every status into its column, and sends what the column stands for', () => {
  expect(TASK_STATUSES.map((status) => [status, columnOf({ status })])).toEqual([
    ['proposed', 'backlog'],
    ['in_voting', 'backlog'],
    ['approved', 'plans'],
    ['in_progress', 'progress'],
    ['completed', 'done'],
    ['rejected', 'backlog'],
    ['cancelled', 'backlog'],
  ])
  expect(COLUMNS.map((column) => statusOfDrop({ status: 'in_voting' }, column))).toEqual([
    null,
    'approved',
    'in_progress',
    'completed',
  ])
  expect(COLUMNS.map((column) => statusOfDrop({ status: 'completed' }, column))).toEqual([
    'proposed',
    'approved',
    'in_progress',
    null,
  ])
})

it('cuts a description at 80 characters', () => {
  expect(previewOf('x'.repeat(80))).toBe('x'.repeat(80))
  expect(previewOf('x'.repeat(81))).toBe(`${'x'.repeat(80)}…`)
})

it('finds tasks by all words in title, description, tags and author', () => {
  const funding = task('Show funding cost', { tags: ['backtest'], author: { id: '', username: 'Tomasz' } })
  expect(['funding line', 'BACKTEST tomasz', ''].map((search) => fits(funding, { ...ALL, search }))).toEqual([
    true,
    true,
    true,
  ])
  expect(fits(funding, { ...ALL, search: 'funding price' })).toBe(false)
})

it('finds the task that a new title is like, by two words at least', () => {
  const tasks = [task('Fee tiers of the exchange'), task('Exchange keys for two')]
  expect(likeTitle('Use the tiers of an exchange', tasks)?.title).toBe('Fee tiers of the exchange')
  expect(likeTitle('Another exchange', tasks)).toBeNull()
  expect(likeTitle('Fees', [])).toBeNull()
})
