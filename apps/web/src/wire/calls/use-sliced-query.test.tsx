// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, waitFor } from '@testing-library/react'
import { useEffect, useReducer } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { useSlicedQuery } from './use-sliced-query.ts'

afterEach(cleanup)

interface ReaderProps {
  name: string
  read: (name: string) => Promise<string>
  told: (answer: string | undefined) => void
  /** Is given what renders this component without a change of its own. */
  again: { current: () => void }
}

/** Draws the answer to `name`, and tells it in an effect. */
function Reader({ name, read, told, again }: ReaderProps) {
  const { data, isError } = useSlicedQuery({ queryKey: [name], queryFn: () => read(name), staleTime: 60_000 })
  const [, render] = useReducer((same: number) => same, 0)
  again.current = render
  useEffect(() => told(isError ? 'failed' : data), [told, data, isError])
  return data ?? null
}

function openReader(read: ReaderProps['read']) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const told = vi.fn()
  const again = { current: () => {} }
  const page = (name: string) => (
    <QueryClientProvider client={client}>
      <Reader name={name} read={read} told={told} again={again} />
    </QueryClientProvider>
  )
  const view = render(page('a'))
  return { client, told, again, show: (name: string) => view.rerender(page(name)), view }
}

it('draws an answer, one that is put in the cache, and that of another key', async () => {
  const { client, show, view } = openReader(async (name) => `answer to ${name}`)
  await waitFor(() => expect(view.container.textContent).toBe('answer to a'))
  act(() => void client.setQueryData(['a'], 'a better one'))
  await waitFor(() => expect(view.container.textContent).toBe('a better one'))
  show('b')
  expect(view.container.textContent).toBe('')
  await waitFor(() => expect(view.container.textContent).toBe('answer to b'))
})

it('says what failed', async () => {
  const { told } = openReader(() => Promise.reject(new Error('No')))
  await waitFor(() => expect(told).toHaveBeenLastCalledWith('failed'))
})

it('loses no effect where a component is rendered between an answer and its drawing', async () => {
  const { client, told, again } = openReader(async () => 'first')
  await waitFor(() => expect(told).toHaveBeenLastCalledWith('first'))
  act(() => {
    client.setQueryData(['a'], 'second')
    again.current()
  })
  await waitFor(() => expect(told).toHaveBeenLastCalledWith('second'))
})
