import { Mark } from '#kit/ui/logo.tsx'

/** Shown while a slow server is asked who is signed in. */
export const SessionCheck = () => (
  <div role="status" aria-label="Checking your session" style={{ padding: 24 }}>
    <Mark />
  </div>
)
