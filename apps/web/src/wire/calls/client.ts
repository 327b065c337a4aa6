import { ApiError, type Call, createClient } from '@shapecast/contracts/client'
import { browserToken, UNAUTHORIZED_EVENT } from '../session/session-token.ts'
import { fetchOnce } from './first-calls.ts'
import { askForProof } from './proof.ts'

/** What follows a 401 on any call: no token, and everybody who listens is told. */
export function onUnauthorized(): void {
  browserToken.clear()
  window.dispatchEvent(new Event(UNAUTHORIZED_EVENT))
}

const client = createClient({
  origin: '',
  token: browserToken.read,
  onUnauthorized,
  fetch: fetchOnce,
})

/** The one typed caller of both services, on the page's own origin. What takes fresh proof asks for it and goes on. */
export const call: Call = async (endpoint, input) => {
  try {
    return await client.call(endpoint, input)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'confirmation_required') throw error
    if (!(await askForProof())) throw error
    return client.call(endpoint, input)
  }
}

/** The same for files. */
export const { file } = client
