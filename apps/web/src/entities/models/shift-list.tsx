import { Box, Typography } from '@mui/material'
import type { FeatureDrift, FeatureShift } from '@shapecast/contracts/drift'
import { formatRatio } from '#kit/format/number.ts'
import { colors, tint } from '#kit/theme/tokens.ts'
import { summaryStyle } from '#kit/ui/folded.tsx'
import { visuallyHidden } from '#kit/ui/visually-hidden.ts'

const SHOWN = 6
/** Below this a feature counts as stable, whatever chance shows. */
const STABLE_BELOW = 0.1

/** The index as a bar, the band of chance as a shade that it has to leave. */
function ShiftBar({ shift, most }: { shift: FeatureShift; most: number }) {
  const bound = Math.max(STABLE_BELOW, shift.chanceBand)
  const width = (value: number) => `${Math.min(100, (100 * value) / most)}%`
  return (
    <Box aria-hidden sx={{ position: 'relative', height: 12, backgroundColor: colors.well, borderRadius: '3px' }}>
      <Box sx={{ ...barStyle, width: width(bound), backgroundColor: tint(colors.text2, 0.18) }} />
      <Box
        sx={{
          ...barStyle,
          top: 3,
          bottom: 3,
          width: width(shift.index),
          backgroundColor: shift.shifted ? colors.warn : colors.text3,
        }}
      />
    </Box>
  )
}

const barStyle = { position: 'absolute', top: 0, bottom: 0, left: 0, borderRadius: '3px' } as const

function ShiftRow({ shift, most }: { shift: FeatureShift; most: number }) {
  return (
    <Box component="li" sx={rowStyle}>
      <Typography variant="small" sx={{ gridArea: 'name', fontWeight: 500, minWidth: 0 }}>
        {shift.label}
        {shift.shifted && (
          <Box component="span" sx={{ color: colors.warn, fontWeight: 400 }}>
            {' '}
            shifted
          </Box>
        )}
      </Typography>
      <Box sx={{ gridArea: 'bar' }}>
        <ShiftBar shift={shift} most={most} />
      </Box>
      <Typography variant="small" sx={{ gridArea: 'figure', textAlign: 'right', fontVariantNumeric: 'tabular-nums' }}>
        <Box component="span" sx={visuallyHidden}>
          Stability index
        </Box>{' '}
        {formatRatio(shift.index)}
        <Box component="span" sx={{ color: colors.text3 }}>
          {' '}
          / {formatRatio(Math.max(STABLE_BELOW, shift.chanceBand))}
          <Box component="span" sx={visuallyHidden}>
            {' '}
            is the bound
          </Box>
        </Box>
      </Typography>
      {shift.shifted && (
        <Typography variant="small" sx={{ gridArea: 'words', color: colors.text2 }}>
          {shift.words}
        </Typography>
      )}
    </Box>
  )
}

const rowStyle = {
  display: 'grid',
  columnGap: 2,
  rowGap: 0.5,
  alignItems: 'center',
  py: 1,
  borderTop: `1px solid ${colors.divider}`,
  gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', md: 'minmax(0, 1fr) minmax(0, 1fr) 96px' },
  gridTemplateAreas: {
    xs: '"name figure" "bar bar" "words words"',
    md: '"name bar figure" "words words words"',
  },
} as const

const Rows = ({ label, shifts, most }: { label: string; shifts: readonly FeatureShift[]; most: number }) => (
  <Box component="ul" aria-label={label} sx={{ m: 0, p: 0, listStyle: 'none' }}>
    {shifts.map((shift) => (
      <ShiftRow key={shift.name} shift={shift} most={most} />
    ))}
  </Box>
)

/** The features that have shifted, then the others, each by how far; what changed in words. */
export function ShiftList({ drift: { features } }: { drift: FeatureDrift }) {
  const most = Math.max(...features.map(({ index, chanceBand }) => Math.max(index, chanceBand)), STABLE_BELOW)
  const order = [...features.filter(({ shifted }) => shifted), ...features.filter(({ shifted }) => !shifted)]
  const [first, rest] = [order.slice(0, SHOWN), order.slice(SHOWN)]
  const hidden = rest.filter(({ shifted }) => shifted).length
  return (
    <>
      <Rows label="Features by stability index" shifts={first} most={most} />
      {rest.length > 0 && (
        <Box component="details" sx={{ borderTop: `1px solid ${colors.divider}` }}>
          <Box component="summary" sx={{ ...summaryStyle, py: 1.25 }}>
            {rest.length} more, {hidden === 0 ? 'none' : hidden} of them shifted
          </Box>
          <Rows label="More features by stability index" shifts={rest} most={most} />
        </Box>
      )}
    </>
  )
}
