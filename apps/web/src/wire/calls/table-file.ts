import type { ReceivedFile } from '@shapecast/contracts/client'
import { csvOf } from '@shapecast/contracts/csv'

/** What the page itself has as a file of CSV, the heads first. */
export const tableFile = async (name: string, rows: Parameters<typeof csvOf>[0]): Promise<ReceivedFile> => ({
  name,
  content: new Blob([csvOf(rows)], { type: 'text/csv' }),
})
