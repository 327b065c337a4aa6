import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { CopyButton } from './copy-button.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const press = (clipboard: unknown) => {
  vi.stubGlobal('navigator', { clipboard })
  render(<CopyButton value="whsec_1" />)
  fireEvent.click(screen.getByRole('button'))
}
const selectedBy = (works: boolean) => {
  const selected: string[] = []
  document.execCommand = () => {
    selected.push(String(document.getSelection()?.getRangeAt(0).startContainer.textContent))
    return works
  }
  return selected
}

it('copies by the clipboard where the browser has one', async () => {
  const written: string[] = []
  press({ writeText: async (text: string) => written.push(text) })
  await screen.findByText('Copied')
  expect(written).toEqual(['whsec_1'])
})

it('copies by a selection on plain HTTP, and leaves nothing of it behind', async () => {
  const selected = selectedBy(true)
  press(undefined)
  await screen.findByText('Copied')
  expect(selected).toEqual(['whsec_1'])
  expect(document.body.textContent).not.toContain('whsec_1')
})

it('says to copy by hand where neither is allowed', async () => {
  selectedBy(false)
  press({ writeText: () => Promise.reject(new Error('not allowed')) })
  await screen.findByText('Select it and copy it')
})
