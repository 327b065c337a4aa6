import type { JobStatus } from '@shapecast/contracts/job-status'

/** A walk or a batch as far as its progress goes. */
export interface LabJob {
  readonly id: string
  readonly status: JobStatus
  readonly progress: { readonly current: number; readonly total: number; readonly leftS?: number | null | undefined }
  readonly error: string | null
  readonly title: string
  readonly createdAt: number
}

const POLL_MS = 1000

/** Asked again while it waits or runs. */
export const pollWhileOpen = ({ state }: { state: { data?: { status: JobStatus } | undefined } }): number | false =>
  state.data === undefined || state.data.status === 'queued' || state.data.status === 'running' ? POLL_MS : false
