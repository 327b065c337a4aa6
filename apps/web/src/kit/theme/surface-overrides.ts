import type { Components, Theme } from '@mui/material/styles'
import { backdrop, colors, floatingShadow, motion, radius, TINT, tint } from './tokens.ts'
import { coarsePointer, TOUCH_PX } from './touch.ts'
import { typeScale } from './typography.ts'

/** Cards, menus, dialogs, tooltips: everything that holds. Depth is surface plus hairline; only what floats has a shadow. */
export const surfaceOverrides: Components<Omit<Theme, 'components'>> = {
  MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiCard: {
    defaultProps: { variant: 'outlined' },
    styleOverrides: { root: { borderRadius: radius.card, borderColor: colors.hairline, overflow: 'hidden' } },
  },
  MuiChip: {
    defaultProps: { size: 'small' },
    styleOverrides: {
      root: { height: 22, borderRadius: radius.chip, ...typeScale.label, color: colors.text, maxWidth: '100%' },
      label: { paddingLeft: 8, paddingRight: 8 },
      icon: { width: 13, height: 13, marginLeft: 6, marginRight: -3, color: 'inherit' },
      deleteIcon: {
        width: 12,
        height: 12,
        margin: '0 6px 0 -3px',
        // Above the chip's own area.
        position: 'relative',
        zIndex: 1,
        [coarsePointer]: { boxSizing: 'content-box', padding: '16px 12px', margin: '-16px -6px -16px -15px' },
        color: colors.text2,
        '&:hover': { color: colors.text },
      },
    },
  },
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
  MuiLinearProgress: {
    styleOverrides: {
      root: { height: 4, borderRadius: 2, backgroundColor: colors.hairline },
      bar: { borderRadius: 2, transition: `transform ${motion.dialog}ms ${motion.easing}` },
    },
  },
  MuiSkeleton: {
    defaultProps: { animation: false, variant: 'rectangular' },
    styleOverrides: { root: { backgroundColor: colors.skeleton, borderRadius: 5 } },
  },
  MuiDivider: { styleOverrides: { root: { borderColor: colors.divider } } },
  MuiLink: {
    // Beside other words colour alone does not tell a link.
    defaultProps: { underline: 'always' },
    styleOverrides: { root: { color: colors.accent, textUnderlineOffset: 3, '&:hover': { color: colors.accentHi } } },
  },
}
