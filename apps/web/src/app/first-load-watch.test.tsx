// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { endFirstLoad } from '#wire/calls/first-load.ts'
import { emptyInstallation, openApp } from '../testing/render-app.tsx'
import { queryClient } from './browser-session.ts'

it('looks at the calls of the page that is opened first, and no more once they are answered', async () => {
  const subscribe = vi.spyOn(queryClient.getQueryCache(), 'subscribe')
  const { unmount } = await openApp(emptyInstallation(), '/trading', { isFirst: true })
  await screen.findByText('No Trading Bots Yet')
  expect(subscribe).toHaveBeenCalledTimes(1)
  unmount()
  endFirstLoad()
  await openApp(emptyInstallation(), '/trading')
  await screen.findByText('No Trading Bots Yet')
  expect(subscribe).toHaveBeenCalledTimes(1)
})
