import { render } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { chooseScheme } from '#kit/theme/scheme.ts'
import { LandingPage } from './landing-page.tsx'

it('is dark for somebody who chose the light theme too', () => {
  chooseScheme('light')
  const { unmount } = render(
    <MemoryRouter>
      <LandingPage />
    </MemoryRouter>,
  )
  expect(document.documentElement.dataset.theme).toBe('dark')
  unmount()
  expect(document.documentElement.dataset.theme).toBe('light')
})
