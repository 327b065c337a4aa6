// @vitest-environment happy-dom
import { createBot } from '@shapecast/contracts/bot-changes'
import { bot, bots } from '@shapecast/contracts/bots'
import { finishSecondFactor } from '@shapecast/contracts/own-account'
import { MutationObserver, QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { createQueryClient } from './query-client.ts'
import { endpointKey } from './use-endpoint.ts'

function shown() {
  const client = createQueryClient(vi.fn())
  const reads = { list: vi.fn(async () => []), one: vi.fn(async () => ({})) }
  const keys = { list: endpointKey(bots, {}), one: endpointKey(bot, { params: { id: 'a' } }) }
  const show = (name: 'list' | 'one') =>
    new QueryObserver(client, { queryKey: keys[name], queryFn: reads[name], staleTime: Number.POSITIVE_INFINITY })
  for (const name of ['list', 'one'] as const) show(name).subscribe(vi.fn())
  return { client, reads }
}
const counts = ({ list, one }: ReturnType<typeof shown>['reads']) => [list.mock.calls.length, one.mock.calls.length]

it.each([
  ['what it touches, and nothing else', createBot, [2, 1]],
  ['everything where it touches everything', finishSecondFactor, [2, 2]],
])('a change reads again %s', async (_, endpoint, expected) => {
  const { client, reads } = shown()
  const change = new MutationObserver(client, { mutationFn: async () => 1, meta: { changes: [endpoint] } })
  await change.mutate()
  expect(counts(reads)).toEqual(expected)
})

it('a refused change reads again too, and is told without waiting for that', async () => {
  const { client, reads } = shown()
  await vi.waitFor(() => expect(counts(reads)).toEqual([1, 1]))
  reads.list.mockImplementationOnce(() => new Promise(() => undefined))
  const refused = async () => {
    throw new Error('No.')
  }
  const change = new MutationObserver(client, { mutationFn: refused, meta: { changes: [createBot] } })
  await expect(change.mutate()).rejects.toThrow('No.')
  expect(reads.list).toHaveBeenCalledTimes(2)
})
