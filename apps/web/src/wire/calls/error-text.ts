import { ApiError } from '@shapecast/contracts/client'

/** The server's own words where it sent some, else `fallback` from the catalogue of texts. */
export const errorText = (error: unknown, fallback: string): string =>
  error instanceof ApiError && error.fromServer ? error.message : fallback

/** The same of a change that may have failed: undefined where it has not. */
export const failureText = (error: Error | null, fallback: string): string | undefined =>
  error === null ? undefined : errorText(error, fallback)

/** The sentence to add under a fallback where the server sent no words: that it cannot be reached, say. */
export const errorDetail = (error: unknown): string | undefined =>
  error instanceof ApiError && !error.fromServer ? error.message : undefined

/** Both in one line, for a place that has no second one. */
export function errorInFull(error: unknown, fallback: string): string {
  const text = errorText(error, fallback)
  const detail = errorDetail(error)
  return detail === undefined ? text : `${text.replace(/\.?$/, '.')} ${detail}`
}
