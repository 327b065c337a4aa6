import {
  type CollisionDetection,
  closestCenter,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type DragStartEvent,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import type { Task } from '@shapecast/contracts/tasks'
import { Plus, Search } from 'lucide-react'
import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Banner } from '#kit/ui/banner.tsx'
import { Button } from '#kit/ui/button.tsx'
import { ListSkeleton } from '#kit/ui/card.tsx'
import { Column, Row, Text } from '#kit/ui/primitives.tsx'
import { Snackbar } from '#kit/ui/snackbar.tsx'
import { Input } from '#kit/ui/text-field.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { useAddressQuery, useAddressText } from '#kit/ui/use-address-query.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { useDraft } from '#wire/session/kept-draft.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { ActivityFeed } from './activity-feed.tsx'
import { AddTaskDialog } from './add-task-dialog.tsx'
import { BoardFilters } from './board-filters.tsx'
import { type BoardFilter, COLUMNS, columnOf, filterIn, fits, statusOfDrop } from './columns.ts'
import css from './task-board.module.css'
import { LiftedCard } from './task-card.tsx'
import { TaskColumn } from './task-column.tsx'
import { TaskDialog } from './task-dialog.tsx'
import { type TaskActions, useTaskActions, useTasks } from './use-tasks.ts'

const UNDO_MS = 10_000
const NONE: readonly Task[] = []

/**
 * The task board and what happens on it: cards in four columns, moved by drag, voted on, opened; or the activity. Which of
 * both, what of it and the task that is open stand in the address.
 */
export function TaskBoard() {
  const isSignedIn = useUser() !== null
  const [address, setAddress] = useAddressQuery()
  const [search, type] = useAddressText('search')
  const view = address.get('view') === 'activity' ? 'activity' : 'board'
  const query = address.toString()
  const filter = useMemo(() => ({ ...filterIn(new URLSearchParams(query)), search }), [query, search])
  const [isAdding, setIsAdding] = useState(useDraft('task') !== null)
  const reply = useTasks()
  const { actions, failure, busyIds, deleted } = useTaskActions()
  const wanted = useDeferredValue(filter)
  const all = reply.data?.tasks
  return (
    <Column as="section" gap={1.5} aria-label="Tasks">
      <div className={css.bar}>
        <Text as="h2" size="h1">
          Tasks
        </Text>
        <ToggleGroup
          label="What is shown"
          size="small"
          value={view}
          onChange={(next) => setAddress({ view: next === 'board' ? null : next })}
          choices={{ board: 'Board', activity: 'Activity' }}
        />
        <div className={css.space} />
        {view === 'board' && all !== undefined && (
          // On a phone what adds a task stands in the first row, what is searched for in the second.
          <Row gap={1} wrap align="stretch" className={css.filters}>
            <BoardFilters tasks={all} filter={filter} onChange={setAddress} />
          </Row>
        )}
        <Input
          value={search}
          onChange={(event) => type(event.target.value)}
          placeholder="Search"
          type="search"
          aria-label={view === 'board' ? 'Search tasks' : 'Search activity'}
          start={<Search size={14} />}
          className={css.search}
        />
        {isSignedIn && (
          <Button
            variant="contained"
            startIcon={<Plus />}
            onClick={() => setIsAdding(true)}
            style={{ marginLeft: 'auto', paddingInline: 10 }}
          >
            Add Task
          </Button>
        )}
      </div>
      {failure !== null && <FailureBanner {...failure} onDismiss={actions.dismissFailure} />}
      {view === 'activity' ? (
        <ActivityFeed search={search} />
      ) : (
        <>
          <QueryBoundary reply={reply} title="Failed to load tasks">
            <ListSkeleton label="Loading the tasks" rowHeightPx={96} rows={3} />
          </QueryBoundary>
          {all !== undefined && <Columns tasks={all} filter={wanted} actions={actions} busyIds={busyIds} />}
        </>
      )}
      {isAdding && <AddTaskDialog tasks={all ?? NONE} onClose={() => setIsAdding(false)} />}
      {deleted !== null && (
        <Snackbar
          durationMs={UNDO_MS}
          onClose={actions.forgetDeleted}
          action={
            <Button variant="text" size="small" onClick={() => actions.restore(deleted)}>
              Undo
            </Button>
          }
        >
          Deleted: {deleted.title}
        </Snackbar>
      )}
    </Column>
  )
}

interface ColumnsProps {
  tasks: readonly Task[]
  filter: BoardFilter
  actions: TaskActions
  busyIds: ReadonlySet<string>
}

/** Drawn again where its tasks or what is wanted of them change, not while the search is typed. */
const Columns = memo(function Columns({ tasks, filter, actions, busyIds }: ColumnsProps) {
  const isSignedIn = useUser() !== null
  const [params, setParams] = useSearchParams()
  const [lifted, setLifted] = useState<{ id: string; heightPx: number } | null>(null)
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 200, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: toNextColumn }),
  )
  const byColumn = useMemo(
    () =>
      Map.groupBy(
        tasks.filter((task) => fits(task, filter)),
        columnOf,
      ),
    [tasks, filter],
  )
  const open = useCallback(
    (id: string | null) =>
      setParams((old) => {
        const next = new URLSearchParams(old)
        if (id === null) next.delete('task')
        else next.set('task', id)
        return next
      }),
    [setParams],
  )
  const find = (id: string | undefined | null) => tasks.find(({ _id }) => _id === id)
  const held = find(lifted?.id)
  // A dialog stands outside of what is switched off for visitors.
  const opened = isSignedIn ? find(params.get('task')) : undefined
  const isMissing = isSignedIn && params.has('task') && opened === undefined

  const drop = ({ active, over }: DragEndEvent) => {
    setLifted(null)
    const task = find(String(active.id))
    const column = COLUMNS.find(({ id }) => id === over?.id)
    const status = task && column && statusOfDrop(task, column)
    if (task && status) actions.move(task, status)
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={underPointer}
      onDragStart={({ active }: DragStartEvent) =>
        setLifted({ id: String(active.id), heightPx: active.rect.current.initial?.height ?? 120 })
      }
      onDragEnd={drop}
      onDragCancel={() => setLifted(null)}
      accessibility={{ announcements: announcementsOf(tasks), screenReaderInstructions: { draggable: HOW_TO_DRAG } }}
    >
      {isMissing && (
        <Banner kind="info" title="This task does not exist, or it was deleted." onDismiss={() => open(null)} />
      )}
      <div className={css.board}>
        {COLUMNS.map((column) => (
          <TaskColumn
            key={column.id}
            column={column}
            tasks={byColumn.get(column.id) ?? []}
            actions={actions}
            busyIds={busyIds}
            liftedPx={held === undefined || columnOf(held) === column.id ? null : (lifted?.heightPx ?? null)}
            onOpen={open}
          />
        ))}
      </div>
      <DragOverlay dropAnimation={null}>
        {held !== undefined && <LiftedCard task={held} actions={actions} isBusy={false} onOpen={open} />}
      </DragOverlay>
      {opened !== undefined && (
        <TaskDialog task={opened} actions={actions} isBusy={busyIds.has(opened._id)} onClose={() => open(null)} />
      )}
    </DndContext>
  )
})

const HOW_TO_DRAG =
  'Press Space to lift the card, the left and right arrow keys to choose a column, Space to drop it, Escape to leave it.'

/** What the pointer is over; by the keyboard, what the card is nearest to. */
const underPointer: CollisionDetection = (event) =>
  event.pointerCoordinates === null ? closestCenter(event) : pointerWithin(event)

/** By the arrow keys a card goes from column to column. */
const toNextColumn: KeyboardCoordinateGetter = (event, { context, currentCoordinates }) => {
  const step = event.code === 'ArrowRight' ? 1 : event.code === 'ArrowLeft' ? -1 : 0
  if (step === 0) return undefined
  event.preventDefault()
  const at = COLUMNS.findIndex(({ id }) => id === context.over?.id)
  const next = COLUMNS[at + step]
  const rect = next && context.droppableRects.get(next.id)
  const own = context.collisionRect
  if (rect == null || own === null) return undefined
  return { x: rect.left + (rect.width - own.width) / 2, y: currentCoordinates.y }
}

function announcementsOf(tasks: readonly Task[]) {
  const title = (id: string | number) => tasks.find(({ _id }) => _id === id)?.title ?? 'The card'
  const column = (id: string | number | undefined) => COLUMNS.find((one) => one.id === id)?.label
  return {
    onDragStart: ({ active }: { active: { id: string | number } }) => `${title(active.id)} is lifted.`,
    onDragOver: ({ over }: { over: { id: string | number } | null }) => `Over ${column(over?.id) ?? 'no column'}.`,
    onDragEnd: ({ active, over }: { active: { id: string | number }; over: { id: string | number } | null }) =>
      `${title(active.id)} is dropped${over === null ? '' : ` on ${column(over.id)}`}.`,
    onDragCancel: ({ active }: { active: { id: string | number } }) => `${title(active.id)} stays where it was.`,
  }
}
