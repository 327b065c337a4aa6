import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Explained, MeaningContext } from './facts.tsx'

afterEach(cleanup)

it('explains a word that it knows to anyone who reaches it by keyboard, and leaves others plain', () => {
  const { container } = render(
    <MeaningContext value={(label) => (label === 'Profit factor' ? 'What the winning trades earned' : undefined)}>
      <Explained label="Profit factor" />
      <Explained label="Symbol" />
    </MeaningContext>,
  )
  const word = screen.getByText('Profit factor')
  expect(word.tabIndex).toBe(0)
  const tip = document.getElementById(word.getAttribute('aria-describedby') ?? '')
  expect(tip?.textContent).toContain('winning trades')
  expect(container.querySelectorAll('dfn')).toHaveLength(1)
})
