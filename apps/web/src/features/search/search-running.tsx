import type { Search } from '@shapecast/contracts/search'
import { EyeOff } from 'lucide-react'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { LinkButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { ProgressBar } from '#kit/ui/progress-bar.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import { paths } from '#routes/paths.ts'
import { CancelJob, ResumeJob } from '#wire/ui/job-buttons.tsx'
import { progressWords } from './search-words.ts'

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
export function SearchRunning({ search }: { search: Search }) {
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
