import { useDraggable } from '@dnd-kit/core'
import { Box, IconButton, Typography } from '@mui/material'
import type { Task } from '@shapecast/contracts/tasks'
import { Trash2 } from 'lucide-react'
import { colors, radius } from '../../shared/theme/tokens.ts'
import { typeScale } from '../../shared/theme/typography.ts'
import { busyPress } from '../../shared/ui/busy-press.ts'
import { columnOf, previewOf } from './columns.ts'
import type { TaskActions } from './use-tasks.ts'
import { VoteButton } from './vote-button.tsx'

export interface TaskCardProps {
  task: Task
  actions: TaskActions
  isSignedIn: boolean
  onOpen: () => void
}

/** A card that is dragged by mouse, touch, and with Space and the arrow keys. */
export function DraggableCard(props: TaskCardProps) {
  const { task, actions, isSignedIn } = props
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, isDragging } = useDraggable({
    id: task._id,
    disabled: !isSignedIn || actions.isBusy(task._id),
    attributes: { roleDescription: 'card that can be moved' },
  })
  return (
    <Box
      ref={(node: HTMLElement | null) => {
        setNodeRef(node)
        setActivatorNodeRef(node)
      }}
      {...attributes}
      {...listeners}
      role="group"
      aria-label={task.title}
      sx={{ ...cardStyle, opacity: isDragging ? 0.35 : actions.isBusy(task._id) ? 0.6 : 1 }}
    >
      <CardContent {...props} />
    </Box>
  )
}

/** The card that follows the pointer. */
export const LiftedCard = (props: TaskCardProps) => (
  <Box sx={{ ...cardStyle, ...liftedStyle }}>
    <CardContent {...props} />
  </Box>
)

function CardContent({ task, actions, isSignedIn, onOpen }: TaskCardProps) {
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        <Box component="button" type="button" onClick={onOpen} sx={titleStyle}>
          {task.title}
        </Box>
        <IconButton
          size="small"
          aria-label={`Delete ${task.title}`}
          disabled={!isSignedIn}
          sx={{ m: -0.5 }}
          {...busyPress(actions.isBusy(task._id), () => void actions.remove(task))}
        >
          <Trash2 />
        </IconButton>
      </Box>
      <Typography variant="small" component="p" sx={{ color: colors.text2, overflowWrap: 'anywhere' }}>
        {previewOf(task.description)}
      </Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 1 }}>
        <VoteButton task={task} actions={actions} isSignedIn={isSignedIn} />
        {columnOf(task) === 'backlog' && (
          <Typography variant="small" component="span" sx={{ color: colors.text3 }}>
            {task.status.replaceAll('_', ' ')}
          </Typography>
        )}
      </Box>
    </>
  )
}

const cardStyle = {
  display: 'grid',
  gap: 1,
  p: 1.5,
  borderRadius: `${radius.card}px`,
  border: `1px solid ${colors.hairline}`,
  backgroundColor: colors.surface,
  touchAction: 'manipulation',
  cursor: 'grab',
  '&:focus-visible': { outline: `2px solid ${colors.accent}`, outlineOffset: 1 },
} as const
const liftedStyle = {
  cursor: 'grabbing',
  rotate: '2deg',
  backgroundColor: colors.raised,
  boxShadow: '0 16px 40px rgba(0,0,0,.5)',
} as const
const titleStyle = {
  ...typeScale.bodyStrong,
  flex: 1,
  minWidth: 0,
  p: 0,
  border: 0,
  background: 'none',
  color: colors.text,
  textAlign: 'left',
  overflowWrap: 'anywhere',
  cursor: 'pointer',
  '&:hover': { textDecoration: 'underline' },
  '&:focus-visible': { outline: `2px solid ${colors.accent}`, outlineOffset: 2 },
} as const
