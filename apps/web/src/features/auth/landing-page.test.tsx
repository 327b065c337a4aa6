// @vitest-environment happy-dom
import { render } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it, vi } from 'vitest'
import { darkColors } from '#kit/theme/dark-tokens.ts'
import { SCHEME_KEY } from '#kit/theme/scheme.ts'

it('is dark for somebody who chose the light theme too', async () => {
  window.localStorage.setItem(SCHEME_KEY, 'light')
  vi.resetModules()
  const { LandingPage } = await import('./landing-page.tsx')
  const { unmount, getByRole } = render(
    <MemoryRouter>
      <LandingPage />
    </MemoryRouter>,
  )
  const look = (element: Element) => getComputedStyle(element)
  expect(look(document.body).backgroundColor.toUpperCase()).toBe(darkColors.bg)
  expect(look(getByRole('main')).color.toUpperCase()).toBe(darkColors.text)
  expect(document.documentElement.dataset.theme).toBe('dark')
  unmount()
  expect(document.documentElement.dataset.theme).toBe('light')
})
