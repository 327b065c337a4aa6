import { ApiError } from '@shapecast/contracts/client'

const KEYS_REQUIRED = 'Indicators unavailable (API keys required)'
const UNAVAILABLE = 'Indicators unavailable'

export interface IndicatorsFailure {
  readonly title: string
  /** The server's own words, where they say more. */
  readonly detail: string | null
}

/** Why there are no indicators: without leave to ask for them keys are required; else the reason that was given. */
export function indicatorsFailure(error: unknown): IndicatorsFailure {
  if (!(error instanceof ApiError)) return { title: error === null ? KEYS_REQUIRED : UNAVAILABLE, detail: null }
  const needsKeys = error.status === 401 || error.status === 403 || error.code === 'venue_auth_failed'
  return needsKeys ? { title: KEYS_REQUIRED, detail: null } : { title: UNAVAILABLE, detail: error.message }
}
