import type { LabJob } from '@shapecast/contracts/lab-job'
import { Link as RouterLink } from 'react-router'
import { formatTableTimeYear } from '#kit/format/time.ts'
import { Card } from '#kit/ui/card.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { Link } from '#kit/ui/link.tsx'
import { Note } from '#kit/ui/text.tsx'

/** What was asked for before, the newest first. */
export function PastJobs({
  title,
  jobs,
  pathOf,
}: {
  title: string
  jobs: readonly LabJob[] | undefined
  pathOf: (id: string) => string
}) {
  return (
    <Card title={title} flush>
      {jobs === undefined || jobs.length === 0 ? (
        <EmptyLine>{jobs === undefined ? 'Loading…' : 'None yet.'}</EmptyLine>
      ) : (
        <ul className={layout.list}>
          {jobs.map(({ id, title: name, status, createdAt }) => (
            <Row as="li" key={id} gap={1} between wrap className={layout.listRow}>
              <Link as={RouterLink} to={pathOf(id)} className={layout.touchAlone ?? ''}>
                {name}
              </Link>
              <Note>
                {status === 'completed' ? '' : `${status} · `}
                {formatTableTimeYear(createdAt)}
              </Note>
            </Row>
          ))}
        </ul>
      )}
    </Card>
  )
}
