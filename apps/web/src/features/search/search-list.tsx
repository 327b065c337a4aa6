import { deleteSearch, isEarned, type SearchSummary } from '@shapecast/contracts/search'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link as RouterLink } from 'react-router'
import { formatCounted, formatFixed } from '#kit/format/number.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { Button } from '#kit/ui/button.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { ConfirmDialog } from '#kit/ui/confirm-dialog.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { Link } from '#kit/ui/link.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import { paths } from '#routes/paths.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'

/** What became of a search, in a word or two. */
function outcomeOf({ status, verdict }: SearchSummary): string {
  if (verdict === null)
    return { queued: 'waiting', running: 'running', failed: 'failed', cancelled: 'cancelled', completed: 'done' }[
      status
    ]
  if (verdict.code === 'cannot_tell') return 'no better than luck'
  return isEarned(verdict) ? 'more than luck, so far' : 'not shown unseen'
}

/** Searches of before, each a link. */
export function SearchList({ searches }: { searches: readonly SearchSummary[] }) {
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
              {search.own && search.status !== 'queued' && search.status !== 'running' && (
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
          confirmLabel="Delete"
          busy={remove.isPending}
          error={remove.isError ? errorInFull(remove.error, 'It could not be deleted.') : undefined}
          onConfirm={() => remove.mutate({ params: { id: deleting.id } })}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  )
}
