import { ApiError } from '@shapecast/contracts/client'

/** What went wrong, for the red banner: a text of the catalogue, and the reason where one is known. */
export interface Failure {
  readonly title: string
  readonly detail: string | undefined
}

/** Why a call failed, in words for people; undefined where there are none. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof ApiError) return error.message
  return error instanceof BacktestFailure ? error.failure.detail : undefined
}

/** A step of a backtest that failed, with what the page is to say. */
export class BacktestFailure extends Error {
  readonly failure: Failure

  constructor(title: string, cause: unknown) {
    super(title, { cause })
    this.name = 'BacktestFailure'
    this.failure = { title, detail: reasonOf(cause) }
  }
}
