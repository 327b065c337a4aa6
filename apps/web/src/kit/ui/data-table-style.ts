import { colors } from '../theme/tokens.ts'
import { coarsePointer, TOUCH_PX } from '../theme/touch.ts'
import { typeScale } from '../theme/typography.ts'

/** Table styles, scoped to the class: the chart library lays itself out in a `table` of its own. */
export const dataTableStyle = {
  '&.sc-table': { width: '100%', borderCollapse: 'collapse', ...typeScale.small },
  '&.sc-table > thead th': {
    height: 32,
    px: 1.5,
    ...typeScale.label,
    color: colors.text2,
    textAlign: 'left',
    whiteSpace: 'nowrap',
    borderBottom: `1px solid ${colors.divider}`,
  },
  '&.sc-table > tbody > tr > td': {
    height: 36,
    [coarsePointer]: { height: TOUCH_PX },
    px: 1.5,
    py: 0,
    whiteSpace: 'nowrap',
    borderBottom: `1px solid ${colors.divider}`,
  },
  '&.sc-table > tbody > tr:last-child > td': { borderBottom: 0 },
  '&.sc-table > tbody > tr:not([data-rest]):hover > td': { backgroundColor: colors.rowHover },
  '&.sc-table > tbody > tr[data-rest] > td': { px: 2, py: 1.5, whiteSpace: 'normal' },
  '&.sc-table th:first-of-type, &.sc-table > tbody > tr > td:first-of-type': { pl: 2 },
  '&.sc-table th:last-of-type, &.sc-table > tbody > tr > td:last-of-type': { pr: 2 },
  '&.sc-table [data-figure="true"]': { textAlign: 'right' },
  '&.sc-table td[data-quiet="true"]': { color: colors.text2 },
  // Holds the hidden word of its head, which must not reach out of a table that scrolls.
  '&.sc-table [data-open]': { position: 'relative', width: 40, textAlign: 'right' },
  // Where not all columns have room as they are there is room for nothing: cells stand closer, and words break before the box is left.
  '&.sc-table[data-tight="true"] > thead th, &.sc-table[data-tight="true"] > tbody > tr:not([data-rest]) > td': {
    px: 0.75,
    py: 0.5,
    whiteSpace: 'normal',
    '&[data-figure="true"]:is(td), &[data-whole="true"]': { whiteSpace: 'nowrap' },
    '&:first-of-type': { pl: 2 },
    '&[data-open]': { pl: 0, pr: 1.25 },
  },
  '&.sc-table[data-tight="true"] td > .MuiChip-root': {
    height: 'auto',
    minHeight: 22,
    '& .MuiChip-label': { py: '3px', whiteSpace: 'normal' },
  },
} as const
