import { useDroppable } from '@dnd-kit/core'
import type { Task } from '@shapecast/contracts/tasks'
import { useState } from 'react'
import { formatCount, UNKNOWN } from '#kit/format/number.ts'
import { Button } from '#kit/ui/button.tsx'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { useUser } from '#wire/session/auth-context.ts'
import type { BoardColumn } from './columns.ts'
import css from './task-board.module.css'
import { DraggableCard } from './task-card.tsx'
import type { TaskActions } from './use-tasks.ts'

/** So many cards of a column are drawn at first: a thousand at once would make the page slow. */
const SHOWN = 20

export interface TaskColumnProps {
  column: BoardColumn
  tasks: readonly Task[]
  actions: TaskActions
  busyIds: ReadonlySet<string>
  /** The height of the card that is held over the board; null where none is. */
  liftedPx: number | null
  onOpen: (id: string) => void
}

export function TaskColumn({ column, tasks, actions, busyIds, liftedPx, onOpen }: TaskColumnProps) {
  const isSignedIn = useUser() !== null
  const [most, setMost] = useState(SHOWN)
  const { setNodeRef, isOver } = useDroppable({ id: column.id })
  return (
    <section ref={setNodeRef} aria-label={column.label} className={css.column} data-target={isOver}>
      <Row gap={1} align="baseline" style={{ padding: '4px 6px' }}>
        <Text as="h3" size="h2">
          {column.label}
        </Text>
        <Text as="span" tone="text3">
          {isSignedIn ? formatCount(tasks.length) : UNKNOWN}
        </Text>
      </Row>
      {tasks.slice(0, most).map((task) => (
        <DraggableCard key={task._id} task={task} actions={actions} isBusy={busyIds.has(task._id)} onOpen={onOpen} />
      ))}
      {tasks.length > most && (
        <Button variant="text" size="small" onClick={() => setMost(most + SHOWN)}>
          Show {Math.min(SHOWN, tasks.length - most)} more
        </Button>
      )}
      {isOver && liftedPx !== null ? (
        <div aria-hidden className={css.slot} style={{ height: liftedPx }} />
      ) : (
        tasks.length === 0 && (
          <Text size="small" tone="text3" style={{ padding: '16px 6px' }}>
            Drag and drop tasks here
          </Text>
        )
      )}
    </section>
  )
}
