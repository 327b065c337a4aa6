import { Box, Card as MuiCard, Typography } from '@mui/material'
import type { ArtifactDetail } from '@shapecast/contracts/ml'
import { Check, Equal } from 'lucide-react'
import { formatDateRange, formatDateTimeYear } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Chip } from '#kit/ui/chip.tsx'
import { LinkButton } from '#kit/ui/link-button.tsx'
import { paths } from '#routes/paths.ts'
import { modelVerdicts, whatFollows } from './model-verdicts.ts'

/** What a model is worth, before anything else: range, direction, and its signal traded plainly. */
export function VerdictCard({ artifact }: { artifact: ArtifactDetail }) {
  const { verdict, holdoutFrom, holdoutTo, upload } = artifact
  const rows = modelVerdicts(artifact)
  return (
    <Box component="section" aria-label="Verdict">
      <Typography variant="small" sx={{ mb: 1, color: colors.text2 }}>
        {upload === null && <>Seen (training and validation) up to {formatDateTimeYear(holdoutFrom)}. </>}
        Judged on the candles after that, {formatDateRange(holdoutFrom, holdoutTo)}.
      </Typography>
      <MuiCard>
        {rows.map(({ name, chip, isCaution, sentence, figure, basis }) => (
          <Box key={name} sx={rowStyle}>
            <Typography component="h2" variant="h2">
              {name}
            </Typography>
            <Box>
              <Chip label={chip} tone={isCaution ? 'warn' : 'filled'} icon={isCaution ? <Equal /> : <Check />} />
            </Box>
            <Typography sx={{ color: colors.text2 }}>{sentence}</Typography>
            <Box sx={{ textAlign: { md: 'right' } }}>
              <Typography variant="numberM" component="div">
                {figure}
              </Typography>
              <Typography variant="label" component="div" sx={{ color: colors.text2, fontWeight: 400 }}>
                {basis}
              </Typography>
            </Box>
          </Box>
        ))}
        <Box sx={{ px: 2, py: 1, display: 'flex', alignItems: 'center', flexWrap: 'wrap', columnGap: 2, rowGap: 0.5 }}>
          <Typography variant="small" sx={{ flex: 1, minWidth: 220, color: colors.text2 }}>
            What follows: {whatFollows(verdict)}
          </Typography>
          <LinkButton variant="secondary" size="small" to={paths.createBot}>
            Create a bot
          </LinkButton>
        </Box>
      </MuiCard>
    </Box>
  )
}

const rowStyle = {
  display: 'grid',
  alignItems: 'center',
  columnGap: 3,
  rowGap: 0.75,
  px: 2,
  py: 1.5,
  borderBottom: `1px solid ${colors.divider}`,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '120px 270px minmax(0, 1fr) auto' },
} as const
