import { Box, Switch, Typography } from '@mui/material'
import { useId } from 'react'
import { formatCount } from '../../../shared/format/number.ts'
import { formatDateTimeYear } from '../../../shared/format/time.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import type { ParametersControl } from './use-parameters.ts'

/** Leaves out what the model has seen: only the rest says how good it is. */
export function UnseenSwitch({
  control,
}: {
  control: Pick<ParametersControl, 'parameters' | 'change' | 'unseen' | 'unseenFrom'>
}) {
  const { parameters, change, unseen, unseenFrom } = control
  const labelId = useId()
  if (unseenFrom === null) return null
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        px: 1.25,
        py: 0.75,
        borderRadius: 1,
        backgroundColor: colors.well,
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="small" component="div" id={labelId} sx={{ fontWeight: 500 }}>
          Unseen candles only
        </Typography>
        <Typography
          variant="label"
          component="div"
          sx={{ fontWeight: 400, color: unseen === null ? colors.warn : colors.text2 }}
        >
          {unseen === null
            ? `None in this range: the model has seen all up to ${formatDateTimeYear(unseenFrom)}.`
            : `${formatCount(unseen.candles)}, from ${formatDateTimeYear(unseen.range.fromMs)}`}
        </Typography>
      </Box>
      <Switch
        size="small"
        checked={parameters.unseenOnly && unseen !== null}
        disabled={unseen === null}
        onChange={(_, unseenOnly) => change({ unseenOnly })}
        slotProps={{ input: { 'aria-labelledby': labelId } }}
      />
    </Box>
  )
}
