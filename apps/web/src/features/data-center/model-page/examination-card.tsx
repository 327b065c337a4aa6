import { Box, Button, LinearProgress, Typography } from '@mui/material'
import type { Examination } from '@shapecast/contracts/examinations'
import { useId } from 'react'
import { errorText } from '../../../shared/api/error-text.ts'
import { useUser } from '../../../shared/auth/auth-context.ts'
import { formatCounted } from '../../../shared/format/number.ts'
import { formatDateRange } from '../../../shared/format/time.ts'
import { LEAK_MEANS } from '../../../shared/models/leak-words.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import { Ago } from '../../../shared/ui/ago.tsx'
import { Banner } from '../../../shared/ui/banner.tsx'
import { busyPress } from '../../../shared/ui/busy-press.ts'
import { Card } from '../../../shared/ui/card.tsx'
import { FailureNote } from '../../../shared/ui/failure-note.tsx'
import { SkeletonBox, SkeletonGroup } from '../../../shared/ui/skeleton.tsx'
import { CheckList } from './check-list.tsx'
import { auditVerdict, isUnderWay, underWayWords } from './examination-words.ts'
import type { ExaminationControl } from './use-examination.ts'

/** That an audit waits or runs; how long it takes is known only roughly, so no percent is made up. */
function UnderWay({ examination }: { examination: Examination }) {
  const wordsId = useId()
  return (
    <Box sx={{ px: 2, pb: 2 }}>
      <Typography
        component="div"
        variant="label"
        id={wordsId}
        aria-live="polite"
        sx={{ mb: 0.75, color: colors.text2 }}
      >
        {underWayWords(examination)}
      </Typography>
      <LinearProgress aria-labelledby={wordsId} />
    </Box>
  )
}

function Verdict({ examination }: { examination: Examination }) {
  const words = auditVerdict(examination)
  if (words === null) return null
  if (examination.verdict === 'passed') return <Typography sx={{ px: 2, pb: 2, maxWidth: 760 }}>{words}</Typography>
  return (
    <Box sx={{ px: 2, pb: 2 }}>
      {examination.verdict === 'failed' ? (
        <Banner kind="error" title={words}>
          {LEAK_MEANS}
        </Banner>
      ) : (
        <Banner kind="warning" title={words}>
          Take its figures with care until its live record speaks.
        </Banner>
      )}
    </Box>
  )
}

function Found({ examination }: { examination: Examination }) {
  const { audit } = examination
  if (audit === null) return null
  const { count, from, to } = audit.candles
  return (
    <>
      <CheckList checks={audit.checks} />
      <Typography component="p" variant="small" sx={footStyle}>
        {audit.mode === 'full' ? 'Full audit' : 'Fast audit, without training anew'} on {formatCounted(count, 'candle')}
        , {formatDateRange(from, to)}. {audit.caveat}
      </Typography>
    </>
  )
}

/** Whether a model knows the future: what was tried, what came of it, and one press to try it again. */
export function ExaminationCard({ control }: { control: ExaminationControl }) {
  const { reply, request } = control
  const isSignedIn = useUser() !== null
  const found = reply.data
  const isBusy = request.isPending || isUnderWay(found)
  return (
    <Card
      title="Leak audit"
      facts={
        found?.examinedAt == null ? undefined : (
          <span>
            run <Ago ms={found.examinedAt} />
          </span>
        )
      }
      actions={
        <Button
          size="small"
          disabled={!isSignedIn}
          title={isSignedIn ? undefined : 'Sign in to run it'}
          {...busyPress(isBusy, request.run)}
        >
          {isBusy ? 'Running…' : 'Run the audit'}
        </Button>
      }
    >
      <Box sx={{ mx: -2, mb: -2, pt: 0.5 }}>
        {reply.isPending && (
          <SkeletonGroup label="Loading the audit">
            <Box sx={{ px: 2, pb: 2, display: 'grid', gap: 1 }}>
              {[0, 1, 2, 3].map((row) => (
                <SkeletonBox key={row} height={40} />
              ))}
            </Box>
          </SkeletonGroup>
        )}
        <FailureNote reply={reply} title="The audit could not be loaded" inset />
        {request.isError && !isUnderWay(found) && (
          <Box sx={{ px: 2, pb: 2 }}>
            <Banner kind="error" title={errorText(request.error, 'The audit could not be started.')} />
          </Box>
        )}
        {found === null && (
          <Typography variant="small" component="p" sx={{ m: 0, px: 2, pb: 2, color: colors.text2 }}>
            It has not been audited yet. Every trained model is, as soon as a worker is free.
          </Typography>
        )}
        {found != null && (
          <>
            {isUnderWay(found) && <UnderWay examination={found} />}
            {found.status === 'failed' && (
              <Box sx={{ px: 2, pb: 2 }}>
                <Banner kind="error" title="The last audit did not come to an end">
                  {found.error} {found.audit !== null && 'What stands below is from the one before.'}
                </Banner>
              </Box>
            )}
            <Verdict examination={found} />
            <Found examination={found} />
          </>
        )}
      </Box>
    </Card>
  )
}

const footStyle = {
  m: 0,
  px: 2,
  py: 1.25,
  color: colors.text3,
  borderTop: `1px solid ${colors.divider}`,
  maxWidth: 'none',
} as const
