import { useMediaQuery } from '@mui/material'
import { useTheme } from '@mui/material/styles'

/** Whether all stands in one column: below md. */
export const useIsNarrow = (): boolean => useMediaQuery(useTheme().breakpoints.down('md'))
