import { Box } from '@mui/material'
import type { DriftTest } from '@shapecast/contracts/drift'
import { DRIFT_EVIDENCE } from '@shapecast/contracts/drift'
import { formatEvidence } from '../../charts/plots/evidence-plot.tsx'
import { formatCount, UNKNOWN } from '../format/number.ts'
import { formatDate } from '../format/time.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { longName } from '../ui/long-name.ts'
import { CLAIMS, lossWords } from './drift-words.ts'

const answerWords = (test: DriftTest): string => {
  if (test.outcomes === 0) return UNKNOWN
  if (test.largestE < DRIFT_EVIDENCE) return 'not shown'
  return test.changedAt === null ? 'shown' : `shown, since ${formatDate(test.changedAt)}`
}

const COLUMNS: readonly Column<DriftTest>[] = [
  { id: 'claim', head: 'Claim', cell: ({ name }) => <Box sx={longName}>{CLAIMS[name]}</Box>, keep: true },
  { id: 'answer', head: 'Answer', cell: answerWords, keep: true },
  { id: 'live', head: 'Live', cell: ({ name, mean }) => lossWords(name, mean), figure: true },
  { id: 'since', head: 'Since', cell: ({ name, since }) => lossWords(name, since), figure: true },
  { id: 'bar', head: 'Held against', cell: ({ name, bar }) => lossWords(name, bar), figure: true },
  { id: 'now', head: 'Evidence', cell: ({ e }) => formatEvidence(e), figure: true },
  { id: 'most', head: 'Largest', cell: ({ largestE }) => formatEvidence(largestE), figure: true },
  { id: 'outcomes', head: 'Outcomes', cell: ({ outcomes }) => formatCount(outcomes), figure: true },
]

/** What is tested after every outcome, and what came of it. */
export const TestTable = ({ tests }: { tests: readonly DriftTest[] }) => (
  <DataTable
    label="Tests of the live score"
    columns={COLUMNS}
    rows={tests}
    rowKey={({ name }) => name}
    rowName={({ name }) => CLAIMS[name]}
  />
)
