import { openParts } from '../server/services.ts'
import { withInstallation } from './open.ts'
import { type Progress, progressOf } from './output.ts'

type OpenedParts = Awaited<ReturnType<typeof openParts>>

/** As `withInstallation`, on the parts of trading, which are closed again. */
export const withParts = <T>(work: (parts: OpenedParts, signal: AbortSignal) => Promise<T>): Promise<T> =>
  withInstallation(async (installation, signal) => {
    const parts = await openParts(installation)
    try {
      return await work(parts, signal)
    } finally {
      await parts.close()
    }
  })

/** The same for `what` takes long: with a bar that says how far it is. */
export const withProgress = <T>(
  what: string,
  work: (parts: OpenedParts, signal: AbortSignal, bar: Progress) => Promise<T>,
): Promise<T> =>
  withParts(async (parts, signal) => {
    const bar = progressOf(what)
    try {
      return await work(parts, signal, bar)
    } finally {
      bar.end()
    }
  })
