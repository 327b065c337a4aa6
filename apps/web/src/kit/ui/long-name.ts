/** For a name in a table: a long one breaks where it must, so that the figures beside it stay in sight. */
export const longName = {
  display: 'inline-block',
  py: 0.5,
  minWidth: '4.5em',
  whiteSpace: { xs: 'normal', md: 'nowrap' },
  overflowWrap: 'anywhere',
} as const
