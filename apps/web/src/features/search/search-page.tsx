import { search, searches } from '@shapecast/contracts/search'
import { Plus } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { LinkButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { ListSkeleton, SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { Text } from '#kit/ui/text.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { SignedIn } from '#wire/ui/signed-in.tsx'
import { SearchChips } from './search-chips.tsx'
import { SearchList } from './search-list.tsx'
import { SearchResultView } from './search-result.tsx'
import { SearchRunning } from './search-running.tsx'
import { SearchSetup } from './search-setup.tsx'

const POLL_MS = 1500

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
        <QueryBoundary reply={earlier} title="Your searches could not be loaded" inset>
          <ListSkeleton label="Loading your searches" rowHeightPx={48} rows={2} />
        </QueryBoundary>
        {earlier.data !== undefined && <SearchList searches={earlier.data} />}
      </Card>
    </div>
  )
}

function OneSearch({ id }: { id: string }) {
  const reply = useEndpointQuery(
    search,
    { params: { id } },
    { refetchInterval: ({ state }) => (isOpen(state.data?.status) ? POLL_MS : false) },
  )
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
        <SkeletonGroup label="Loading the search">
          <SkeletonBox height={220} />
        </SkeletonGroup>
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

const isOpen = (status: string | undefined): boolean => status === 'queued' || status === 'running'
