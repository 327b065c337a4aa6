import { cleanup, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { useKeptFocus } from './use-kept-focus.ts'

afterEach(cleanup)

function Page({ children }: { children: ReactNode }) {
  useKeptFocus()
  return (
    <>
      <a href="#content">Skip</a>
      <main>{children}</main>
    </>
  )
}

const show = (children: ReactNode) => render(<Page>{children}</Page>)
const button = (name: string) => screen.getByRole('button', { name })
const hasFocus = (name: string) => waitFor(() => expect(document.activeElement).toBe(button(name)))

it('goes to what takes the place of a control that is gone', async () => {
  const { rerender } = show(
    <>
      <button type="button">Other</button>
      <p>
        <button type="button" key="start">
          Start
        </button>
      </p>
    </>,
  )
  button('Start').focus()
  rerender(
    <Page>
      <button type="button">Other</button>
      <p>
        <button type="button" key="pause">
          Pause
        </button>
      </p>
    </Page>,
  )
  await hasFocus('Pause')
})

it('goes to the next place where a whole row is gone, and never to what stands before the page', async () => {
  const row = (name: string) => (
    <li key={name}>
      <button type="button">{name}</button>
    </li>
  )
  const { rerender } = show(<ul>{[row('one'), row('two')]}</ul>)
  button('two').focus()
  rerender(
    <Page>
      <ul>{[row('one')]}</ul>
    </Page>,
  )
  await hasFocus('one')
  rerender(
    <Page>
      <p>Nothing is left</p>
    </Page>,
  )
  await new Promise((resolve) => setTimeout(resolve))
  expect(document.activeElement).toBe(document.body)
})

it('comes back to a control that was off for a while', async () => {
  const { rerender } = show(<button type="button">Save</button>)
  button('Save').focus()
  const save = (disabled: boolean) => (
    <Page>
      <button type="button" disabled={disabled}>
        Save
      </button>
    </Page>
  )
  rerender(save(true))
  button('Save').blur()
  rerender(save(false))
  await hasFocus('Save')
})

it('after a dialog goes to where it was opened, or to what is left of that', async () => {
  const { rerender } = show(
    <p key="empty">
      <button type="button">Create First Bot</button>
    </p>,
  )
  button('Create First Bot').focus()
  const dialog = document.createElement('div')
  dialog.popover = 'manual'
  dialog.innerHTML = '<button>Create</button>'
  document.body.append(dialog)
  button('Create').focus()
  rerender(
    <Page>
      <p key="grid">
        <button type="button">Open the bot</button>
      </p>
    </Page>,
  )
  dialog.remove()
  await hasFocus('Open the bot')
})

it('leaves it where nothing has it since somebody pressed beside all controls', async () => {
  const { rerender } = show(<button type="button">Start</button>)
  button('Start').focus()
  screen.getByRole('main').dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
  button('Start').blur()
  rerender(
    <Page>
      <a href="#pause">Pause</a>
    </Page>,
  )
  await new Promise((resolve) => setTimeout(resolve))
  expect(document.activeElement).toBe(document.body)
})
