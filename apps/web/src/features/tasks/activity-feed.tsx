import { ACTIVITY_TYPES, type Activity, activities } from '@shapecast/contracts/activities'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowUp, Bot, ChartLine, Cpu, SquareKanban, User } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { formatDate, formatHour, zoneWords } from '#kit/format/time.ts'
import { Button, ShowAll } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { MenuSelect } from '#kit/ui/menu.tsx'
import { Text } from '#kit/ui/primitives.tsx'
import { useAddressQuery } from '#kit/ui/use-address-query.ts'
import { paths } from '#routes/paths.ts'
import { call } from '#wire/calls/client.ts'
import { endpointKey } from '#wire/calls/use-endpoint.ts'
import { liveEvents } from '#wire/live/browser-live-events.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import css from './task-board.module.css'

const A_PAGE = 50
const LABELS = { task: 'Task', bot: 'Bot', model: 'Model', backtest: 'Backtest', user: 'Person' } as const
const ICONS = { task: SquareKanban, bot: Bot, model: Cpu, backtest: ChartLine, user: User } as const

/** What people and bots did that the reader may see, by day. What is new waits behind a button. */
export function ActivityFeed({ search }: { search: string }) {
  const queryClient = useQueryClient()
  const isSignedIn = useUser() !== null
  const [address, setAddress] = useAddressQuery()
  const type = ACTIVITY_TYPES.find((one) => one === address.get('type')) ?? 'all'
  const [hasNews, setHasNews] = useState(false)
  const query = { limit: A_PAGE, ...(type !== 'all' && { type }) }
  const reply = useInfiniteQuery({
    queryKey: [...endpointKey(activities, { query }), 'pages'],
    queryFn: ({ pageParam, signal }) => call(activities, { query: { ...query, page: pageParam }, signal }),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.hasMore ? last.page + 1 : null),
    enabled: isSignedIn,
    refetchOnWindowFocus: false,
  })
  useEffect(() => {
    if (!isSignedIn) return
    const stops = (['tasks', 'bots'] as const).map((kind) => liveEvents.listen({ kind }, () => setHasNews(true)))
    return () => {
      for (const stop of stops) stop()
    }
  }, [isSignedIn])
  const words = search.trim().toLowerCase()
  const all = reply.data?.pages.flatMap((page) => page.activities)
  // What came in between pages pushed the last of a page onto the next one.
  const list = [...new Map(all?.map((one) => [one._id, one])).values()].filter((one) =>
    `${one.actor?.username ?? ''} ${activityWords(one).verb} ${one.subject.name}`.toLowerCase().includes(words),
  )
  return (
    <Card
      title="Activity"
      facts={`what people and bots did that you may see · times in ${zoneWords()}`}
      flush
      actions={
        <MenuSelect
          label="Which activity"
          look="chip"
          value={type}
          onChange={(next) => setAddress({ type: next === 'all' ? null : next })}
          choices={[
            { value: 'all', label: 'All activity' },
            ...ACTIVITY_TYPES.map((value) => ({ value, label: LABELS[value] })),
          ]}
        />
      }
    >
      {hasNews && (
        <Button
          fullWidth
          variant="text"
          startIcon={<ArrowUp />}
          onClick={() => {
            setHasNews(false)
            void queryClient.invalidateQueries({ queryKey: endpointKey(activities) })
          }}
        >
          Show what is new
        </Button>
      )}
      <QueryBoundary reply={reply} of="the activity" px={20} rows={5} inset />
      {((all !== undefined && list.length === 0) || !isSignedIn) && (
        <EmptyLine>{words === '' ? 'Nothing has happened yet' : 'Nothing here fits the search'}</EmptyLine>
      )}
      {[...Map.groupBy(list, (one) => formatDate(timeOf(one)))].map(([day, rows]) => (
        <div key={day}>
          <Text as="h3" size="small" tone="text3" className={css.day}>
            {day}
          </Text>
          {rows.map((activity) => (
            <ActivityRow key={activity._id} activity={activity} />
          ))}
        </div>
      ))}
      {reply.hasNextPage && (
        <ShowAll onClick={() => void reply.fetchNextPage()}>
          {reply.isFetchingNextPage ? 'Loading…' : 'Show older'}
        </ShowAll>
      )}
    </Card>
  )
}

/** What a bot of a replay did has the time of its market. */
const timeOf = ({ marketAt, createdAt }: Activity): number => marketAt ?? createdAt

function ActivityRow({ activity }: { activity: Activity }) {
  const Icon = ICONS[activity.type]
  const { verb, after } = activityWords(activity)
  const isOwnDoing = activity.type === 'user' || (activity.type === 'bot' && activity.actor === null)
  const to = linkOf(activity)
  const row = (
    <>
      <Icon size={16} aria-hidden />
      <Text as="span" breaks tone="text2" className={layout.grow}>
        <b>{activity.actor?.username ?? (activity.type === 'bot' ? activity.subject.name : 'Shapecast')}</b> {verb}{' '}
        {!isOwnDoing && <b>{activity.subject.name}</b>} {after}
      </Text>
      <Chip label={LABELS[activity.type]} tone="outline" />
      <Text as="time" size="small" dateTime={new Date(timeOf(activity)).toISOString()}>
        {formatHour(timeOf(activity))}
      </Text>
    </>
  )
  return to === null ? (
    <div className={css.row}>{row}</div>
  ) : (
    <Link to={to} className={css.row}>
      {row}
    </Link>
  )
}

const VERBS: Readonly<Record<string, string>> = {
  'task.created': 'proposed',
  'task.moved': 'moved',
  'task.prioritised': 'set the priority of',
  'task.deleted': 'deleted',
  'task.restored': 'restored',
  'bot.created': 'created the bot',
  'bot.deleted': 'deleted the bot',
  'bot.started': 'started',
  'bot.paused': 'paused',
  'bot.stopped': 'stopped',
  'bot.reset': 'reset',
  'bot.traded': 'closed a trade',
  'bot.halted': 'paused by itself',
  'bot.failed': 'stopped with an error',
  'backtest.finished': 'ran a backtest of',
  'model.trained': 'trained',
  'model.uploaded': 'uploaded',
  'model.promoted': 'promoted',
  'model.stage_changed': 'moved',
}

const words = (text: string): string => text.replaceAll(/[._]/g, ' ')

/** What was done, between who did it and what it was done to; and the words after that. */
export function activityWords({ action, detail }: Activity): { verb: string; after: string } {
  if (action === 'vote.cast') return { verb: detail === 'against' ? 'voted against' : 'voted for', after: '' }
  if (action === 'user.registered') return { verb: 'joined', after: '' }
  const verb = VERBS[action] ?? words(action)
  if (detail === null) return { verb, after: '' }
  const isMove = action === 'task.moved' || action === 'model.stage_changed' || action === 'task.prioritised'
  return { verb, after: isMove ? `to ${words(detail)}` : `· ${detail}` }
}

/** Where an activity leads; null where there is nothing to open. */
function linkOf({ type, subject, action }: Activity): string | null {
  if (action.endsWith('.deleted')) return null
  switch (type) {
    case 'task':
      return paths.task(subject.id)
    case 'bot':
      return paths.bot(subject.id)
    case 'model':
      return paths.model(subject.id)
    case 'backtest':
      return paths.run(subject.id)
    case 'user':
      return null
    default:
      return type satisfies never
  }
}
