import type { TaskStatus } from '@shapecast/contracts/tasks'
import { Chip } from '#kit/ui/chip.tsx'

/** How far a task is, in words. */
export const TaskStatusChip = ({ status }: { status: TaskStatus }) => (
  <Chip label={status.replaceAll('_', ' ')} tone={status === 'in_progress' ? 'accent' : 'outline'} />
)
