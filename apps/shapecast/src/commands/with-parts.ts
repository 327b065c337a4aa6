import { openParts } from '../server/services.ts'
import { withInstallation } from './open.ts'

export type OpenedParts = Awaited<ReturnType<typeof openParts>>

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
