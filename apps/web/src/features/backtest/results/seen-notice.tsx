import { Box, Typography } from '@mui/material'
import type { BacktestRun } from '@shapecast/contracts/backtest'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { colors, radius, tint } from '#kit/theme/tokens.ts'
import { Chip } from '#kit/ui/chip.tsx'
import { SeenBar } from './seen-bar.tsx'
import { seenFacts } from './seen-facts.ts'
import { SeenTable } from './seen-table.tsx'
import { unseenVerdict } from './unseen-verdict.ts'

/** Says which part of the range the model had learnt from, and how the rest did by itself. */
export function SeenNotice({ run, nextStep }: { run: BacktestRun; nextStep: ReactNode }) {
  const facts = seenFacts(run)
  if (facts.kind === 'none')
    return (
      <Box sx={{ display: 'grid', gap: 0.75, justifyItems: 'start' }}>
        <Typography variant="small" sx={{ color: colors.text2 }}>
          {facts.text}
        </Typography>
        <UnseenVerdict run={run} />
        {nextStep}
      </Box>
    )
  return (
    <Box
      component="section"
      aria-label={facts.title}
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' },
        border: `1px solid ${tint(colors.warn, 0.4)}`,
        borderRadius: `${radius.card}px`,
        // Opaque: over the page's ground the figures would have too little contrast.
        background: `linear-gradient(${tint(colors.warn, 0.05)} 0 0), ${colors.surface}`,
        overflow: 'hidden',
      }}
    >
      <Box
        sx={{ p: 2, pr: { lg: 3 }, display: 'flex', flexDirection: 'column', justifyContent: 'space-between', gap: 2 }}
      >
        <Box sx={{ display: 'flex', gap: 1.25 }}>
          <Box sx={{ color: colors.warn, display: 'flex', pt: '2px', flexShrink: 0 }}>
            <TriangleAlert size={18} />
          </Box>
          <Box>
            <Typography sx={{ fontWeight: 500 }}>{facts.title}</Typography>
            <Typography variant="small" sx={{ color: colors.text2 }}>
              {facts.text}
            </Typography>
          </Box>
        </Box>
        <SeenBar seenPct={facts.seenPct} span={facts.seenSpan} />
        <UnseenVerdict run={run} />
        <Box sx={{ '&:empty': { display: 'none' } }}>{nextStep}</Box>
      </Box>
      <Box sx={{ pb: 0.5, borderTop: { xs: `1px solid ${tint(colors.warn, 0.2)}`, lg: 0 } }}>
        <SeenTable run={run} />
      </Box>
    </Box>
  )
}

/** What the part to judge by is worth: too little to tell, or a result, and what to do next. */
function UnseenVerdict({ run }: { run: BacktestRun }) {
  const verdict = unseenVerdict(run)
  if (verdict === null) return null
  return (
    <Box sx={{ display: 'grid', gap: 0.75, justifyItems: 'start' }}>
      {verdict.caution !== null && <Chip label={verdict.caution} tone="warn" />}
      <Typography variant="small" sx={{ color: colors.text2 }}>
        {verdict.text}
      </Typography>
    </Box>
  )
}
