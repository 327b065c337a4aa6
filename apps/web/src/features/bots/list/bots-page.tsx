import { type BotCourse, exportBots, type PortfolioSpan, portfolio } from '@shapecast/contracts/portfolio'
import { keepPreviousData } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { basketIn } from '#entities/bots/basket.ts'
import { summaryOf } from '#entities/bots/bot-summary.ts'
import { ruleDraftIn } from '#entities/bots/rule-draft.ts'
import { useBots } from '#entities/bots/use-bots.ts'
import { keptChoice, useKeptChoices } from '#kit/kept.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, RetryButton } from '#kit/ui/button.tsx'
import { EmptyLine, EmptyState, SkeletonBox, SkeletonGroup } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { RECOMMENDED } from '#routes/paths.ts'
import { file } from '#wire/calls/client.ts'
import { errorDetail, errorText } from '#wire/calls/error-text.ts'
import { useEndpointQuery, useLastError } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { BotCard, openerOf } from './bot-card.tsx'
import { BOT_COLUMN_IDS, FIRST_COLUMNS } from './bots-columns.tsx'
import css from './bots-page.module.css'
import { BotsTable, type BotsTableProps } from './bots-table.tsx'
import { BotsToolbar, ColumnsMenu, type Look } from './bots-toolbar.tsx'
import { type BotsView, botsIn, viewIn, withView } from './bots-view.ts'
import { BulkBar } from './bulk-bar.tsx'
import { OpenPositions } from './open-positions.tsx'
import { BandSkeleton, ExposureLine, PortfolioBand, RealStrip } from './portfolio-band.tsx'

const BotDetails = onDemand(async () => (await import('../details/bot-details.tsx')).BotDetails)
const CompareBotsDialog = onDemand(async () => (await import('../compare/compare-bots-dialog.tsx')).CompareBotsDialog)
const CreateBotDialog = onDemand(async () => (await import('../form/create-bot-dialog.tsx')).CreateBotDialog)

const CREATE_ID = 'create-bot'
const REFRESH_MS = 60_000
const keptLook = keptChoice<Look>('bots-look', ['cards', 'table'])

/**
 * The reader's bots and everybody's public ones. What is searched and how it is sorted, the bot whose details are open, or
 * that one is created (like which one), stands in the address.
 */
export function BotsPage() {
  const user = useUser()
  const location = useLocation()
  const reply = useBots()
  const failure = useLastError(reply)
  const [span, setSpan] = useState<PortfolioSpan>('30d')
  const [search, setSearch] = useSearchParams()
  const view = viewIn(search)
  const changeView = (change: Partial<BotsView>) => setSearch((now) => withView(now, change), { replace: true })
  const setOpen = useCallback(
    (name: 'bot' | 'create' | 'compare', value: string | null) =>
      setSearch(
        (now) => {
          const next = new URLSearchParams(now)
          if (value === null) next.delete(name)
          else next.set(name, value)
          return next
        },
        { replace: value === null },
      ),
    [setSearch],
  )
  const likeId = search.get('create')
  const openId = search.get('bot')
  const comparedIds = search.get('compare')?.split(',') ?? null
  const open = useCallback((id: string | null) => setOpen('bot', id), [setOpen])
  useFocusBack(openId !== null ? openerOf(openId) : likeId !== null ? CREATE_ID : null)
  const list = reply.data
  const own = useMemo(() => (list ?? []).filter((bot) => bot.userId === user?.id), [list, user?.id])
  const history = useEndpointQuery(
    portfolio,
    { query: { span } },
    { enabled: own.length > 0, refetchInterval: REFRESH_MS, placeholderData: keepPreviousData },
  )
  const summary = useMemo(() => summaryOf(own), [own])
  const hasReal = list?.some((bot) => !bot.isVirtual) === true && (summary.real !== null || user?.role === 'admin')
  const shownHistory = history.isError ? null : history.data?.[summary.money.isVirtual ? 'virtual' : 'real']
  return (
    <div className={layout.pageColumn}>
      <title>Bots · Shapecast</title>
      <h1 className={layout.visuallyHidden}>Bots</h1>
      {failure !== null && (
        <Banner
          kind="error"
          title={errorText(failure, 'Failed to load bots list')}
          action={<RetryButton reply={reply} />}
        >
          {errorDetail(failure)}
        </Banner>
      )}
      {!reply.isFetched && <PageSkeleton />}
      {list !== undefined && (
        <PortfolioBand
          summary={summary}
          history={own.length === 0 ? null : shownHistory}
          span={span}
          onSpan={setSpan}
        />
      )}
      <ExposureLine money={summary.money} />
      {hasReal && <RealStrip money={summary.real} maySwitch={user?.role === 'admin'} />}
      {list?.length === 0 && (
        <EmptyState
          title="No Trading Bots Yet"
          action={
            <Button variant="contained" startIcon={<Plus size={16} />} onClick={() => setOpen('create', '')}>
              Create First Bot
            </Button>
          }
        >
          A bot trades by itself on a model, with virtual money until you say otherwise. It explains each decision.
        </EmptyState>
      )}
      {list !== undefined && list.length > 0 && (
        <BotList
          list={list}
          view={view}
          onView={changeView}
          courses={history.data?.courses}
          onOpen={open}
          onCompare={(ids) => setOpen('compare', ids.join(','))}
        />
      )}
      <OpenPositions own={own} onOpen={open} />
      <div className={css.clear} />
      <Button
        id={CREATE_ID}
        variant="contained"
        aria-label="Create a bot"
        onClick={() => setOpen('create', '')}
        className={css.floating}
      >
        <Plus size={22} strokeWidth={2} />
      </Button>
      {likeId !== null && user !== null && (likeId === '' || list !== undefined) && (
        <CreateBotDialog
          key={likeId}
          like={list?.find(({ id }) => id === likeId)}
          isRecommended={likeId === RECOMMENDED}
          rule={ruleDraftIn(location.state)}
          basket={basketIn(location.state)}
          onClose={() => setOpen('create', null)}
        />
      )}
      {comparedIds !== null && list !== undefined && (
        <CompareBotsDialog
          bots={list.filter(({ id }) => comparedIds.includes(id)).slice(0, 5)}
          onClose={() => setOpen('compare', null)}
        />
      )}
      {openId !== null && list !== undefined && (
        <BotDetails bot={list.find(({ id }) => id === openId)} onClose={() => open(null)} />
      )}
    </div>
  )
}

/** The bots that are looked for, as cards or rows. */
function BotList({
  list,
  courses,
  onCompare,
  ...shared
}: Pick<BotsTableProps, 'list' | 'view' | 'onView' | 'onOpen'> & {
  courses: readonly BotCourse[] | undefined
  onCompare: (ids: readonly string[]) => void
}) {
  const { view, onView, onOpen } = shared

  const user = useUser()
  const look = keptLook.use()
  const isNarrow = useIsNarrow()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const byBot = useMemo(() => new Map((courses ?? []).map((course) => [course.botId, course])), [courses])
  const shown = botsIn(list, view, user?.id, byBot)
  const picked = shown.filter(({ id }) => chosen.has(id))
  const isTable = look === 'table' && !isNarrow
  const [columns, setColumn] = useKeptChoices('bots-columns', BOT_COLUMN_IDS, FIRST_COLUMNS)
  const running = shown.filter(({ userId, status }) => userId === user?.id && status !== 'stopped')
  return (
    <>
      <BotsToolbar
        list={list}
        view={view}
        onView={onView}
        look={isTable ? 'table' : 'cards'}
        onLook={keptLook.choose}
        courses={byBot}
        onSave={
          isTable && shown.length > 0 ? () => file(exportBots, { body: { ids: shown.map(({ id }) => id) } }) : null
        }
        onChooseAll={!isTable && running.length > 1 ? () => setChosen(new Set(running.map(({ id }) => id))) : null}
      >
        {isTable && <ColumnsMenu columns={columns} onColumn={setColumn} />}
      </BotsToolbar>
      {picked.length > 0 && (
        <BulkBar
          chosen={picked}
          onCompare={() => onCompare(picked.map(({ id }) => id))}
          onClear={() => setChosen(new Set())}
        />
      )}
      {shown.length === 0 && (
        <EmptyLine>
          No bot is like that.{' '}
          <Button size="small" variant="text" onClick={() => onView({ words: '', shown: 'all' })}>
            Show all
          </Button>
        </EmptyLine>
      )}
      {shown.length > 0 && isTable && (
        <BotsTable {...shared} list={shown} columns={columns} courses={byBot} chosen={chosen} onChosen={setChosen} />
      )}
      {shown.length > 0 && !isTable && (
        <div className={css.cards}>
          {shown.map((bot) => (
            <BotCard key={bot.id} bot={bot} onOpen={onOpen} course={byBot.get(bot.id)} />
          ))}
        </div>
      )}
    </>
  )
}

const PageSkeleton = () => (
  <>
    <BandSkeleton />
    <SkeletonGroup label="Loading the bots">
      <div className={css.cards}>
        {[0, 1, 2].map((index) => (
          <SkeletonBox key={index} height={380} />
        ))}
      </div>
    </SkeletonGroup>
  </>
)

/**
 * Once what the address opened is closed, gives the focus to the control with the id `opener`, which opens it: a page
 * that came with it open has had the focus nowhere else.
 */
export function useFocusBack(opener: string | null): void {
  const before = useRef(opener)
  useEffect(() => {
    const closed = opener === null ? before.current : null
    before.current = opener
    if (closed !== null && document.activeElement === document.body) document.getElementById(closed)?.focus()
  }, [opener])
}
