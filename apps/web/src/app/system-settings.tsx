import { SystemPage } from '../features/settings/system-page.tsx'
import { TaskBoard } from '../features/tasks/task-board.tsx'

export const SystemSettings = () => (
  <SystemPage>
    <TaskBoard />
  </SystemPage>
)
