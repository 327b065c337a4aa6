import type { Role } from '@shapecast/contracts/auth'
import type { TaskStatus } from '@shapecast/contracts/tasks'
import { Shield } from 'lucide-react'
import { colors, tint } from '#kit/theme/tokens.ts'
import { Chip } from '#kit/ui/chip.tsx'
import css from './role-chip.module.css'

/** How far a task is, in words. */
export const TaskStatusChip = ({ status }: { status: TaskStatus }) => (
  <Chip label={status.replaceAll('_', ' ')} tone={status === 'in_progress' ? 'accent' : 'outline'} />
)

const ROLES = {
  admin: { label: 'Admin', color: colors.down, edge: tint(colors.down, 0.5), icon: <Shield /> },
  bot_manager: { label: 'Manager', color: colors.orange, edge: tint(colors.orange, 0.5), icon: undefined },
  user: { label: 'User', color: colors.text2, edge: colors.buttonEdge, icon: undefined },
} as const satisfies Record<Role, unknown>

/** The role beside a name: Admin red with its icon, Manager orange, User neutral. 20 px high. */
export function RoleChip({ role }: { role: Role }) {
  const { label, color, edge, icon } = ROLES[role]
  return <Chip label={label} tone="outline" icon={icon} className={css.chip} style={{ color, borderColor: edge }} />
}
