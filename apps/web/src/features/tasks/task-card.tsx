import { useDraggable } from '@dnd-kit/core'
import { Box, IconButton, styled, Typography } from '@mui/material'
import type { Task } from '@shapecast/contracts/tasks'
import { Trash2 } from 'lucide-react'
import { memo } from 'react'
import { colors, radius } from '#kit/theme/tokens.ts'
import { touchAlone } from '#kit/theme/touch.ts'
import { typeScale } from '#kit/theme/typography.ts'
import { busyPress } from '#kit/ui/busy-press.ts'
import { columnOf, previewOf, whyFixed } from './columns.ts'
import type { TaskActions } from './use-tasks.ts'
import { VoteButton } from './vote-button.tsx'

export interface TaskCardProps {
  task: Task
  actions: TaskActions
  isBusy: boolean
  isSignedIn: boolean
  onOpen: (id: string) => void
}

/** A card that is dragged by mouse, touch, and with Space and the arrow keys. */
export function DraggableCard(props: TaskCardProps) {
  const { task, isBusy, isSignedIn } = props
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, isDragging } = useDraggable({
    id: task._id,
    disabled: !isSignedIn || isBusy || whyFixed(task) !== undefined,
    attributes: { roleDescription: 'card that can be moved' },
  })
  return (
    <Card
      ref={(node) => {
        setNodeRef(node)
        setActivatorNodeRef(node)
      }}
      {...attributes}
      {...listeners}
      role="group"
      aria-label={task.title}
      data-dragging={isDragging}
      data-busy={isBusy}
    >
      <CardContent {...props} />
    </Card>
  )
}

/** The card that follows the pointer. */
export const LiftedCard = (props: TaskCardProps) => (
  <Card sx={liftedStyle}>
    <CardContent {...props} />
  </Card>
)

/** Drawn again where its task changes, not with every card that is moved. */
const CardContent = memo(function CardContent({ task, actions, isBusy, isSignedIn, onOpen }: TaskCardProps) {
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        <Box component="button" type="button" onClick={() => onOpen(task._id)} sx={titleStyle}>
          {task.title}
        </Box>
        <IconButton
          size="small"
          aria-label={`Delete ${task.title}`}
          disabled={!isSignedIn || whyFixed(task) !== undefined}
          title={whyFixed(task)}
          sx={{ m: -0.5 }}
          {...busyPress(isBusy, () => actions.remove(task))}
        >
          <Trash2 />
        </IconButton>
      </Box>
      <Typography variant="small" component="p" sx={{ color: colors.text2, overflowWrap: 'anywhere' }}>
        {previewOf(task.description)}
      </Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 1 }}>
        <VoteButton task={task} actions={actions} isBusy={isBusy} isSignedIn={isSignedIn} />
        {columnOf(task) === 'backlog' && (
          <Typography variant="small" component="span" sx={{ color: colors.text3 }}>
            {task.status.replaceAll('_', ' ')}
          </Typography>
        )}
      </Box>
    </>
  )
})

const Card = styled('div')({
  display: 'grid',
  gap: 8,
  padding: 12,
  borderRadius: radius.card,
  border: `1px solid ${colors.hairline}`,
  backgroundColor: colors.surface,
  touchAction: 'manipulation',
  cursor: 'grab',
  '&:focus-visible': { outline: `2px solid ${colors.accent}`, outlineOffset: 1 },
  '&[data-busy="true"]': { opacity: 0.6 },
  '&[data-dragging="true"]': { opacity: 0.35 },
})
const liftedStyle = {
  cursor: 'grabbing',
  rotate: '2deg',
  backgroundColor: colors.raised,
  boxShadow: '0 16px 40px rgba(0,0,0,.5)',
} as const
const titleStyle = {
  ...typeScale.bodyStrong,
  ...touchAlone,
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
