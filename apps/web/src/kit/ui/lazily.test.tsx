// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { Component, type ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { codeOf, componentOf, lazily } from './lazily.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError = () => ({ failed: true })
  override render = () => (this.state.failed ? 'It failed' : this.props.children)
}

test('what stands within what comes later is drawn as soon as both have come', async () => {
  vi.useFakeTimers()
  const Inner = lazily(async () => ({ name }: { name: string }) => <p>Hello {name}</p>)
  const Outer = lazily(async () => () => <Inner name="Ada" waiting="inner waits" />)
  render(<Outer waiting="outer waits" />)
  expect(screen.getByText('outer waits')).toBeDefined()
  await act(async () => {})
  // No time has passed.
  expect(screen.getByText('Hello Ada')).toBeDefined()
})

test('code that is there is drawn at once', async () => {
  const load = vi.fn(async () => () => <p>Here</p>)
  const code = codeOf(load)
  await Promise.all([code.load(), code.load()])
  const Drawn = componentOf(code)
  render(<Drawn waiting="waits" />)
  expect(screen.getByText('Here')).toBeDefined()
  expect(load).toHaveBeenCalledTimes(1)
})

test('code that failed ends in the boundary, and is asked for again by what is drawn next', async () => {
  const load = vi.fn(async () => () => <p>Here</p>)
  load.mockRejectedValueOnce(new Error('The network is away'))
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const Drawn = lazily(load)
  const first = render(
    <Boundary>
      <Drawn />
    </Boundary>,
  )
  expect(await screen.findByText('It failed')).toBeDefined()
  first.unmount()
  render(
    <Boundary>
      <Drawn />
    </Boundary>,
  )
  expect(await screen.findByText('Here')).toBeDefined()
})
