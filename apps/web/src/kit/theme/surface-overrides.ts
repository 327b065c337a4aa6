import type { Components, Theme } from '@mui/material/styles'
import { backdrop, colors, floatingShadow, radius, TINT, tint } from './tokens.ts'
import { coarsePointer, TOUCH_PX } from './touch.ts'
import { typeScale } from './typography.ts'

/** Cards, menus, dialogs, tooltips: everything that holds. Depth is surface plus hairline; only what floats has a shadow. */
export const surfaceOverrides: Components<Omit<Theme, 'components'>> = {
  MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiPopover: {
    styleOverrides: {
      paper: {
        marginTop: 6,
        backgroundColor: colors.raised,
        border: `1px solid ${colors.buttonEdge}`,
        borderRadius: radius.card,
        boxShadow: floatingShadow,
      },
    },
  },
  MuiMenu: { styleOverrides: { list: { padding: 3 } } },
  MuiMenuItem: {
    styleOverrides: {
      root: {
        ...typeScale.body,
        minHeight: 34,
        padding: '0 10px',
        gap: 10,
        borderRadius: radius.chip,
        color: colors.text,
        '@media (min-width: 600px)': { minHeight: 34 },
        [coarsePointer]: { minHeight: TOUCH_PX },
        '&:hover, &.Mui-focusVisible': { backgroundColor: colors.selected, outline: 'none' },
        '&.Mui-selected, &.Mui-selected:hover, &.Mui-selected.Mui-focusVisible': {
          backgroundColor: tint(colors.accent, TINT.accent),
          color: colors.accentHi,
        },
      },
    },
  },
  MuiDialog: {
    styleOverrides: {
      paper: {
        backgroundColor: colors.raised,
        border: `1px solid ${colors.buttonEdge}`,
        borderRadius: radius.dialog,
        boxShadow: floatingShadow,
      },
      paperFullScreen: { borderRadius: 0, border: 0 },
    },
  },
  MuiSnackbarContent: {
    styleOverrides: {
      root: {
        backgroundColor: colors.raised,
        color: colors.text,
        border: `1px solid ${colors.buttonEdge}`,
        borderRadius: radius.card,
        boxShadow: floatingShadow,
        ...typeScale.body,
      },
    },
  },
  MuiBackdrop: {
    styleOverrides: { root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: backdrop } } },
  },
  MuiDrawer: {
    styleOverrides: { paper: { backgroundColor: colors.surface, borderLeft: `1px solid ${colors.hairline}` } },
  },
  MuiDivider: { styleOverrides: { root: { borderColor: colors.divider } } },
}
