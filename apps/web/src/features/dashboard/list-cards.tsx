import { type BacktestRunSummary, backtestRuns } from '@shapecast/contracts/backtest'
import { runName } from '@shapecast/contracts/run-name'
import { tasks } from '@shapecast/contracts/tasks'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { pairWords, returnPctOf, strategyWords } from '#entities/bots/bot-words.ts'
import { useBots } from '#entities/bots/use-bots.ts'
import { elsewhere } from '#entities/markets/market-label.ts'
import { ChangeChip } from '#entities/markets/trading-chips.tsx'
import { judgedWords } from '#entities/runs/run-words.ts'
import { TaskStatusChip } from '#entities/users/chips.tsx'
import { LinkButton } from '#kit/ui/button.tsx'
import { Card, ListSkeleton } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { Note, Row, Text } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { REFRESH_MS, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import css from './dashboard.module.css'

const SHOWN_BOTS = 3
const SHOWN = 6
/** Of runs and of tasks. */
const FETCHED = 10

/** What cannot be loaded counts as nothing. */
const listOf = <Item,>({ data, isFetched }: { data: Item[] | undefined; isFetched: boolean }) =>
  data ?? (isFetched ? [] : undefined)

/** Public bots of everybody, with their return. */
export function PublicBotsCard() {
  const reply = useBots()
  return (
    <LinkedList
      title="Public Bots"
      allTo={paths.bots}
      rows={listOf(reply)
        ?.filter((bot) => bot.visibility === 'public')
        .slice(0, SHOWN_BOTS)
        .map((bot) => ({
          id: bot.id,
          to: paths.bot(bot.id),
          title: bot.name,
          facts: `${strategyWords(bot)} · ${pairWords(bot.tradingPairs, 2)}`,
          chip: <ChangeChip pct={returnPctOf(bot)} />,
        }))}
      empty="No public bots available"
      emptyHint="A bot that you make public is seen here by everyone, read-only."
    />
  )
}

/** The newest backtests, asked for every 30 s. */
export const useRecentRuns = () =>
  useEndpointQuery(backtestRuns, { query: { limit: FETCHED } }, { refetchInterval: REFRESH_MS })

/** The return of the run; where a model had seen some of the range, that of the unseen part beside it. */
function rowOf(run: BacktestRunSummary, running: string | undefined): LinkedRow {
  const { judged } = run
  const isPart = run.seenRatio > 0 && run.unseen !== undefined
  return {
    id: run._id,
    to: paths.run(run._id),
    title: runName(run),
    facts: [run.symbol, run.timeframe, elsewhere(run, running)].filter(Boolean).join(' · '),
    chip: (
      <Row gap={0.5}>
        {isPart && (
          <Row gap={0} title={judgedWords(judged)}>
            <ChangeChip pct={judged.returnPct} of="unseen" />
          </Row>
        )}
        <Row gap={0} title="Return of the whole range">
          <ChangeChip pct={run.totalReturnPct} />
        </Row>
      </Row>
    ),
  }
}

/** The newest backtests, with what each returned. */
export function RecentRunsCard() {
  const reply = useRecentRuns()
  const running = useHealth().data?.venue
  return (
    <LinkedList
      title="Recent Backtests"
      allTo={paths.backtest}
      rows={listOf(reply)
        ?.slice(0, SHOWN)
        .map((run) => rowOf(run, running))}
      empty="No backtests found"
      emptyHint="The last six runs stand here."
    />
  )
}

/** The newest tasks of the board, with how far each is. */
export function TasksCard() {
  const reply = useEndpointQuery(tasks, { query: { limit: FETCHED } }, { refetchInterval: REFRESH_MS })
  return (
    <LinkedList
      title="Tasks"
      allTo={paths.tasks}
      rows={listOf({ ...reply, data: reply.data?.tasks })
        ?.slice(0, SHOWN)
        .map((task) => ({
          id: task._id,
          to: paths.task(task._id),
          title: task.title,
          chip: <TaskStatusChip status={task.status} />,
        }))}
      empty="No tasks yet"
      emptyHint="Missing something? Write it down; votes decide what comes next."
      emptyAction={
        <LinkButton to={paths.tasks} size="small">
          Open the board
        </LinkButton>
      }
    />
  )
}

/** A button without an edge ends in line with the card's words. */
export const FLUSH = { marginRight: -8 } as const

/** Leads from a card to the page of what it shows. */
export const ViewAll = ({ to, children = 'View all' }: { to: string; children?: string }) => (
  <div style={FLUSH}>
    <LinkButton to={to} variant="text" size="small">
      {children}
    </LinkButton>
  </div>
)

/** In the place of what a card does not have yet: what will stand here, and how. */
export const Nothing = ({ title, hint, action }: { title: string; hint: string; action?: ReactNode }) => (
  <div style={{ padding: '20px 16px' }}>
    <Text weight={500}>{title}</Text>
    <Text size="small" tone="text2" above={0.5}>
      {hint}
    </Text>
    {action !== undefined && <div style={{ marginTop: 16 }}>{action}</div>}
  </div>
)

interface LinkedRow {
  readonly id: string
  readonly to: string
  readonly title: string
  /** A quiet line below the title. */
  readonly facts?: string
  readonly chip: ReactNode
}

interface LinkedListProps {
  title: string
  /** Where all of them are. */
  allTo: string
  /** Undefined while they are on their way. */
  rows: readonly LinkedRow[] | undefined
  /** In the place of the rows where there are none. */
  empty: string
  /** What will stand here, and how. */
  emptyHint: string
  emptyAction?: ReactNode
}

/** A card of the newest few of something, each row a link to it. */
function LinkedList({ title, allTo, rows, empty, emptyHint, emptyAction }: LinkedListProps) {
  return (
    <Card title={title} flush actions={<ViewAll to={allTo} />}>
      {rows === undefined ? (
        <ListSkeleton label={`Loading: ${title}`} rowHeightPx={32} rows={3} />
      ) : rows.length === 0 ? (
        <Nothing title={empty} hint={emptyHint} action={emptyAction} />
      ) : (
        <ul aria-label={title} className={layout.list}>
          {rows.map(({ id, to, title: name, facts: line, chip }) => (
            <li key={id} className={css.listed}>
              <Link to={to}>
                <div className={layout.grow}>
                  <Text as="div" noWrap weight={line === undefined ? 400 : 500}>
                    {name}
                  </Text>
                  {line !== undefined && (
                    <Note tone="text2" noWrap>
                      {line}
                    </Note>
                  )}
                </div>
                {chip}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
