import { deleteSearch, isEarned, type Search, type SearchSummary, search, searches } from '@shapecast/contracts/search'
import { EyeOff, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link as RouterLink, useSearchParams } from 'react-router'
import { formatCount, formatCounted, formatFixed } from '#kit/format/number.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, LinkButton } from '#kit/ui/button.tsx'
import { Card, EmptyLine, SkeletonGroup } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { Link, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { ProgressBar } from '#kit/ui/progress-bar.tsx'
import { paths } from '#routes/paths.ts'
import { isUnderWay, useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { confirming } from '#wire/ui/failed-change.tsx'
import { CancelJob, ResumeJob } from '#wire/ui/job-buttons.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { SignedIn } from '#wire/ui/signed-in.tsx'
import { pollWhileOpen } from '../lab-parts.tsx'
import { SearchResultView } from './search-result.tsx'
import { SearchSetup } from './search-setup.tsx'
import { progressWords } from './search-words.ts'

/** Searches: a new one with those of before, or the one that the address names. */
export function SearchPage() {
  const [address] = useSearchParams()
  const id = address.get('search')
  if (id === null) return <NewSearch />
  return (
    <SignedIn to="see this search">
      <OneSearch key={id} id={id} />
    </SignedIn>
  )
}

function NewSearch() {
  const isSignedIn = useUser() !== null
  const earlier = useEndpointQuery(searches, { query: {} }, { enabled: isSignedIn })
  return (
    <div className={layout.pageColumn}>
      <title>Search · Shapecast</title>
      <Row gap={1} wrap align="baseline">
        <Text size="h1">New search</Text>
        <Text size="small" tone="text2">
          Tries every combination on the same candles, then says how much of the best is luck.
        </Text>
      </Row>
      <SearchSetup />
      <Card title="Your searches" flush>
        {!isSignedIn && <EmptyLine>Sign in to see your searches.</EmptyLine>}
        <QueryBoundary reply={earlier} of="your searches" rows={2} px={48} inset />
        {earlier.data !== undefined && <SearchList searches={earlier.data} />}
      </Card>
    </div>
  )
}

function OneSearch({ id }: { id: string }) {
  const reply = useEndpointQuery(search, { params: { id } }, { refetchInterval: pollWhileOpen })
  const found = reply.data
  return (
    <div className={layout.pageColumn}>
      <title>{found === undefined ? 'Search · Shapecast' : `${found.title} · Shapecast`}</title>
      <Row gap={1} wrap>
        <Text size="h1">{found?.title ?? 'Search'}</Text>
        {found !== undefined && <SearchChips search={found} />}
        <div className={layout.end}>
          <LinkButton to={paths.search()} size="small" startIcon={<Plus size={14} />}>
            New search
          </LinkButton>
        </div>
      </Row>
      <QueryBoundary reply={reply} title="This search could not be loaded">
        <SkeletonGroup label="Loading the search" height={220} />
      </QueryBoundary>
      {found !== undefined &&
        (found.result !== null && found.verdict !== null ? (
          <SearchResultView search={found} result={found.result} verdict={found.verdict} />
        ) : (
          <SearchRunning search={found} />
        ))}
    </div>
  )
}

/** What to do with a search that was not completed; what it did is kept, see docs/search.md. */
function Next({ search: { id, own } }: { search: Search }) {
  return (
    <Row gap={1} wrap>
      {own && <ResumeJob id={id} job="search" />}
      <LinkButton to={paths.search()} size="small">
        New search
      </LinkButton>
    </Row>
  )
}

/** A search that has no verdict: how far it is, or how it ended. The best is withheld until there is one. */
function SearchRunning({ search }: { search: Search }) {
  const { status, progress, error, tries } = search
  const { current, total } = progress
  if (status === 'failed')
    return (
      <Banner kind="error" title="The search failed" action={<Next search={search} />}>
        {error}
      </Banner>
    )
  if (status === 'cancelled')
    return (
      <Banner
        kind="info"
        title={`Cancelled after ${formatCounted(current, 'combination')}: no verdict, nothing shown`}
        action={<Next search={search} />}
      >
        The {formatCount(current)} count as tries ({formatCount(tries.count)} in all), once. The kept part stays closed.
        Within a week it goes on where it stopped.
      </Banner>
    )
  return (
    <>
      <Card title={status === 'queued' ? 'Waiting' : 'Running'} actions={<CancelJob id={search.id} job="search" />}>
        <ProgressBar words={progressWords(search)} pct={total === 0 ? 0 : (100 * current) / total} />
        {progress.beganAgain === true && (
          <Note>
            Candles or the model have changed since it was begun, so it started again from the first combination.
          </Note>
        )}
        <Note>You may leave this page; the bell tells you.</Note>
      </Card>
      <Card title="The best so far is not shown">
        <Row gap={1.5} align="start">
          <EyeOff size={18} aria-hidden className={layout.byWords} />
          <Text tone="text2">
            The best of {formatCount(total)} looks better the longer one looks, whether or not there is anything in it.
            It appears with the verdict, together with what luck alone would have given.
          </Text>
        </Row>
      </Card>
    </>
  )
}

function outcomeOf({ status, verdict }: SearchSummary): string {
  if (verdict === null)
    return { queued: 'waiting', running: 'running', failed: 'failed', cancelled: 'cancelled', completed: 'done' }[
      status
    ]
  if (verdict.code === 'cannot_tell') return 'no better than luck'
  return isEarned(verdict) ? 'more than luck, so far' : 'not shown unseen'
}

function SearchList({ searches }: { searches: readonly SearchSummary[] }) {
  const [deleting, setDeleting] = useState<SearchSummary | null>(null)
  const remove = useEndpointMutation(deleteSearch, { onSuccess: () => setDeleting(null) })
  if (searches.length === 0) return <EmptyLine>No search yet. The first one appears here, with its verdict.</EmptyLine>
  return (
    <>
      <ul className={layout.list}>
        {searches.map((search) => (
          <Row as="li" key={search.id} gap={1} wrap className={layout.listRow}>
            <Link as={RouterLink} to={paths.search(search.id)} className={layout.touchAlone}>
              <Text as="span" weight={500}>
                {search.title}
              </Text>
            </Link>
            <Chip label={outcomeOf(search)} tone={search.verdict === null ? 'outline' : 'filled'} />
            <Note tone="text2">
              {formatCounted(search.progress.total, 'combination')}
              {search.verdict !== null && `, best Sharpe ${formatFixed(search.verdict.sharpe, 2)}`}
            </Note>
            <Row gap={1} className={layout.end}>
              <Note>
                <Ago ms={search.createdAt} />
              </Note>
              {search.own && !isUnderWay(search) && (
                <Button
                  variant="text"
                  size="small"
                  aria-label={`Delete the search ${search.title}`}
                  startIcon={<Trash2 size={14} />}
                  onClick={() => setDeleting(search)}
                >
                  Delete
                </Button>
              )}
            </Row>
          </Row>
        ))}
      </ul>
      {deleting !== null && (
        <ConfirmDialog
          title="Delete this search?"
          text="Its verdict and all its combinations go. Its tries stay counted, and a part that it opened stays open."
          subject={deleting.title}
          {...confirming(remove, 'Delete', 'Delete', 'It could not be deleted.')}
          onConfirm={() => remove.mutate({ params: { id: deleting.id } })}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  )
}

const KEPT = { opened: 'kept part opened', spent: 'kept part was spent', none: 'nothing kept unseen' } as const

function SearchChips({ search: { request, progress, verdict } }: { search: SearchSummary }) {
  const { symbol, timeframe, keptPct } = request
  const kept = verdict === null ? `kept unseen: last ${keptPct}%` : `${KEPT[verdict.kept]}`
  return (
    <>
      <Chip label={symbol} />
      <Chip label={timeframe} tone="outline" />
      <Chip label={formatCounted(progress.total, 'combination')} />
      <Chip label={verdict === null && keptPct === 0 ? KEPT.none : kept} tone="outline" />
    </>
  )
}
