import { ApiError } from '@shapecast/contracts/client'

const KEYS_REQUIRED = 'Indicators unavailable (API keys required)'
const UNAVAILABLE = 'Indicators unavailable'

export interface IndicatorsFailure {
  readonly title: string
  /** The server's own words, where they say more. */
  readonly detail: string | null
}

/** Why there are no indicators: without leave to ask for them keys are required; else the reason that was given. */
export function failureOf(isSignedIn: boolean, error: unknown, areCoinsUnknown: boolean): IndicatorsFailure | null {
  if (!isSignedIn) return { title: KEYS_REQUIRED, detail: null }
  if (areCoinsUnknown) return { title: UNAVAILABLE, detail: 'The coins could not be loaded.' }
  if (error === null) return null
  if (!(error instanceof ApiError)) return { title: UNAVAILABLE, detail: null }
  const needsKeys = error.status === 401 || error.status === 403 || error.code === 'venue_auth_failed'
  return needsKeys ? { title: KEYS_REQUIRED, detail: null } : { title: UNAVAILABLE, detail: error.message }
}
