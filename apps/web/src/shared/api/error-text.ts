import { ApiError } from '@shapecast/contracts/client'

/** The server's own words where it sent some, else `fallback` from the catalogue of texts. */
export const errorText = (error: unknown, fallback: string): string =>
  error instanceof ApiError && error.fromServer ? error.message : fallback

/** The sentence to add under a fallback where the server sent no words: that it cannot be reached, say. */
export const errorDetail = (error: unknown): string | undefined =>
  error instanceof ApiError && !error.fromServer ? error.message : undefined
