import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ControlsOffContext } from './controls-off.ts'
import { SwitchRow } from './setting-row.tsx'

it('a switch looks off in a page whose controls are', () => {
  render(
    <ControlsOffContext value>
      <SwitchRow title="Unseen candles only" text="400" checked onChange={() => undefined} />
    </ControlsOffContext>,
  )
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Unseen candles only' }).disabled).toBe(true)
})
