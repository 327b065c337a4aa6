import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { Banner } from '#kit/ui/banner.tsx'
import { LinkButton } from '#kit/ui/button.tsx'
import { ControlsOffContext } from '#kit/ui/controls-off.ts'
import { paths } from '#routes/paths.ts'
import css from './shell.module.css'

/**
 * Signed out, the buttons of a page are dimmed and inert. A disabled fieldset does that for the mouse, the keyboard
 * and screen readers alike, whatever the page puts in it; links that look like buttons ask `useControlsOff`.
 */
export function SignedOutFrame({ signedOut, children }: { signedOut: boolean; children: ReactNode }) {
  const { pathname, search } = useLocation()
  return (
    <>
      {signedOut && (
        <div className={css.signedOut}>
          <Banner
            kind="info"
            title="You are signed out"
            action={
              <LinkButton to={paths.login} state={{ endedAt: pathname + search }} size="small">
                Sign In
              </LinkButton>
            }
          >
            You see what is public. Buttons work once you have signed in.
          </Banner>
        </div>
      )}
      <fieldset disabled={signedOut} className={css.controls}>
        <ControlsOffContext value={signedOut}>{children}</ControlsOffContext>
      </fieldset>
    </>
  )
}
