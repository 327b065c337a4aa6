import type { LabJob } from '@shapecast/contracts/lab-job'

const POLL_MS = 1000

/** Asked again while it waits or runs. */
export const pollWhileOpen = ({ state }: { state: { data?: Pick<LabJob, 'status'> | undefined } }): number | false =>
  state.data === undefined || state.data.status === 'queued' || state.data.status === 'running' ? POLL_MS : false
