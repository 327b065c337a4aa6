import { Box, Button, Link, Typography } from '@mui/material'
import type { Model } from '@shapecast/contracts/ml'
import { Link as RouterLink } from 'react-router'
import { VersionDriftChip } from '#entities/models/drift-chip.tsx'
import { ModelChips } from '#entities/models/model-chips.tsx'
import { ModelVerdict } from '#entities/models/model-verdict.tsx'
import { evidenceWords, seriesWords } from '#entities/models/model-words.ts'
import { StageButton } from '#entities/models/stage-button.tsx'
import { colors } from '#kit/theme/tokens.ts'
import { touchAlone } from '#kit/theme/touch.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { busyPress } from '#kit/ui/busy-press.ts'
import { listRow } from '#kit/ui/page-layout.ts'
import { visuallyHidden } from '#kit/ui/visually-hidden.ts'
import { paths } from '#routes/paths.ts'
import { TestResult } from './test-result.tsx'
import type { TestState } from './use-model-test.ts'

export interface ModelRowProps {
  model: Model
  isCurrent: boolean
  isManager: boolean
  test: TestState | undefined
  tickSize: number | undefined
  /** Undefined while there is no coin to test on. */
  onTest: (() => void) | undefined
  onStaged: (model: Model, error: unknown) => void
}

/** A version: what it is and how good, what it says now, and what can be done with it. */
export function ModelRow({ model, isCurrent, isManager, test, tickSize, onTest, onStaged }: ModelRowProps) {
  const { last_update: updatedAt } = model.stats
  const evidence = evidenceWords(model.stats)
  return (
    <Box component="li" sx={rowStyle}>
      <Box sx={{ gridArea: 'name', minWidth: 0 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', columnGap: 1, rowGap: 0.5 }}>
          <Link
            component={RouterLink}
            to={paths.model(model.version)}
            sx={{ ...touchAlone, fontSize: '0.9375rem', fontWeight: 500, color: colors.text }}
          >
            {model.version}
          </Link>
          <ModelChips model={model} isCurrent={isCurrent} />
          <VersionDriftChip version={model.version} />
        </Box>
        <Typography variant="small" component="p" sx={{ m: 0, mt: 0.5, color: colors.text2 }}>
          {updatedAt !== null && (
            <>
              Updated <Ago ms={updatedAt} /> ·{' '}
            </>
          )}
          {seriesWords(model.artifacts)}
          {evidence !== null && (
            <>
              <Box component="span" sx={visuallyHidden}>
                {' · '}
              </Box>
              <Box component="span" sx={{ display: 'block' }}>
                {evidence}
              </Box>
            </>
          )}
        </Typography>
      </Box>
      <Box sx={{ gridArea: 'verdict', minWidth: 0, '&:empty': { display: 'none' } }}>
        <ModelVerdict model={model} />
      </Box>
      <Box sx={{ gridArea: 'result', minWidth: 0 }}>
        <TestResult state={test} tickSize={tickSize} />
      </Box>
      <Box sx={{ gridArea: 'actions', display: 'flex', gap: 1, alignItems: 'center' }}>
        <Button
          size="small"
          aria-label={`Test ${model.version}`}
          disabled={onTest === undefined}
          title={onTest === undefined ? 'Choose a coin first' : undefined}
          {...busyPress(test?.kind === 'testing', () => onTest?.())}
        >
          Test
        </Button>
        {isManager && (
          <Box sx={{ minWidth: { md: 88 } }}>
            <StageButton model={model} onStaged={onStaged} />
          </Box>
        )}
      </Box>
    </Box>
  )
}

/** The card is a container: a row is one line where the card has room for it. */
const rowStyle = {
  ...listRow,
  py: 1.5,
  display: 'grid',
  alignItems: 'center',
  columnGap: 2,
  rowGap: 1,
  minHeight: 76,
  gridTemplateAreas: '"name" "verdict" "result" "actions"',
  gridTemplateColumns: 'minmax(0, 1fr)',
  '@container (min-width: 480px)': {
    gridTemplateAreas: '"name actions" "verdict verdict" "result result"',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
  },
  '@container (min-width: 640px)': {
    gridTemplateAreas: '"name result actions" "verdict verdict verdict"',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 214px) auto',
  },
} as const
