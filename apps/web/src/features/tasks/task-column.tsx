import { useDroppable } from '@dnd-kit/core'
import { Box, Button, Typography } from '@mui/material'
import type { Task } from '@shapecast/contracts/tasks'
import { useState } from 'react'
import { formatCount, UNKNOWN } from '#kit/format/number.ts'
import { colors, radius, tint } from '#kit/theme/tokens.ts'
import type { BoardColumn } from './columns.ts'
import { DraggableCard } from './task-card.tsx'
import type { TaskActions } from './use-tasks.ts'

/** So many cards of a column are drawn at first: a thousand at once would make the page slow. */
const SHOWN = 20

export interface TaskColumnProps {
  column: BoardColumn
  tasks: readonly Task[]
  actions: TaskActions
  busyIds: ReadonlySet<string>
  isSignedIn: boolean
  /** The height of the card that is held over the board; null where none is. */
  liftedPx: number | null
  onOpen: (id: string) => void
}

export function TaskColumn({ column, tasks, actions, busyIds, isSignedIn, liftedPx, onOpen }: TaskColumnProps) {
  const [most, setMost] = useState(SHOWN)
  const { setNodeRef, isOver } = useDroppable({ id: column.id })
  return (
    <Box ref={setNodeRef} component="section" aria-label={column.label} sx={columnStyle} data-target={isOver}>
      <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1, px: 0.75, pt: 0.5, pb: 0.5 }}>
        <Typography variant="h2" component="h3">
          {column.label}
        </Typography>
        <Typography component="span" sx={{ color: colors.text3 }}>
          {isSignedIn ? formatCount(tasks.length) : UNKNOWN}
        </Typography>
      </Box>
      {tasks.slice(0, most).map((task) => (
        <DraggableCard
          key={task._id}
          task={task}
          actions={actions}
          isBusy={busyIds.has(task._id)}
          isSignedIn={isSignedIn}
          onOpen={onOpen}
        />
      ))}
      {tasks.length > most && (
        <Button variant="text" size="small" onClick={() => setMost(most + SHOWN)}>
          Show {Math.min(SHOWN, tasks.length - most)} more
        </Button>
      )}
      {isOver && liftedPx !== null ? (
        <Box aria-hidden sx={{ ...slotStyle, height: liftedPx }} />
      ) : (
        tasks.length === 0 && (
          <Typography variant="small" sx={{ px: 0.75, py: 2, color: colors.text3 }}>
            Drag and drop tasks here
          </Typography>
        )
      )}
    </Box>
  )
}

const columnStyle = {
  display: 'flex',
  flexDirection: 'column',
  gap: 1,
  p: 1,
  minHeight: 240,
  borderRadius: `${radius.card}px`,
  border: '1px solid transparent',
  backgroundColor: colors.well,
  scrollSnapAlign: 'start',
  '&[data-target="true"]': { borderColor: tint(colors.accent, 0.6), backgroundColor: tint(colors.accent, 0.06) },
} as const
const slotStyle = {
  flexShrink: 0,
  borderRadius: `${radius.card}px`,
  border: `1px dashed ${tint(colors.accent, 0.6)}`,
} as const
