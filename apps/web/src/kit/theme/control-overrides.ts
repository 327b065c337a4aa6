import type { Components, Theme } from '@mui/material/styles'
import { colors, motion, radius, TINT, tint } from './tokens.ts'
import { coarsePointer, TOUCH_PX, touchArea } from './touch.ts'
import { typeScale } from './typography.ts'

/** Heights of things that are pressed or typed into, px. */
export const CONTROL_HEIGHT = { control: 36, small: 30, mini: 26 } as const

const focusRing = { outline: `2px solid ${colors.accentHi}`, outlineOffset: '2px' } as const
const quick = `${motion.hover}ms ${motion.easing}`

declare module '@mui/material/Button' {
  interface ButtonPropsVariantOverrides {
    /** Hairline on a dark ground: what is not the one primary action. */
    secondary: true
    /** Red tint: deletes. */
    danger: true
  }
}

/** Buttons, fields, toggles: everything that is operated. */
export const controlOverrides: Components<Omit<Theme, 'components'>> = {
  MuiButtonBase: {
    defaultProps: { disableRipple: true, disableTouchRipple: true },
    styleOverrides: { root: { '&.Mui-focusVisible': focusRing, ...touchArea } },
  },
  MuiButton: {
    defaultProps: { disableElevation: true, variant: 'secondary' },
    styleOverrides: {
      root: {
        minWidth: 0,
        height: CONTROL_HEIGHT.control,
        padding: '0 13px',
        borderRadius: radius.button,
        border: '1px solid transparent',
        whiteSpace: 'nowrap',
        transition: `background-color ${quick}, border-color ${quick}, color ${quick}`,
        [coarsePointer]: { height: TOUCH_PX },
        '& .MuiButton-startIcon': { marginLeft: 0, marginRight: 8 },
        '& .MuiButton-endIcon': { marginLeft: 8, marginRight: 0 },
      },
      sizeSmall: {
        height: CONTROL_HEIGHT.small,
        padding: '0 9px',
        [coarsePointer]: { height: CONTROL_HEIGHT.small },
        ...typeScale.small,
        fontWeight: 500,
        '& .MuiButton-startIcon': { marginRight: 6 },
        '& .MuiButton-icon > svg': { width: 14, height: 14 },
      },
      sizeLarge: { height: 44, padding: '0 27px', fontSize: '0.9375rem', fontWeight: 600 },
    },
    variants: [
      {
        props: { variant: 'contained' },
        style: {
          backgroundColor: colors.accent,
          color: colors.onAccent,
          '&:hover': { backgroundColor: colors.accentHi },
          '&.Mui-disabled': { backgroundColor: colors.well, borderColor: colors.hairline, color: colors.text3 },
        },
      },
      {
        props: { variant: 'secondary' },
        style: {
          backgroundColor: colors.button,
          borderColor: colors.buttonEdge,
          color: colors.text,
          '&:hover': { backgroundColor: colors.selected },
          '&.Mui-disabled': { backgroundColor: colors.well, borderColor: colors.hairline, color: colors.text3 },
        },
      },
      {
        props: { variant: 'danger' },
        style: {
          backgroundColor: tint(colors.down, TINT.colour),
          color: colors.down,
          '&:hover': { backgroundColor: tint(colors.down, 0.22) },
          '&.Mui-disabled': { backgroundColor: colors.well, borderColor: colors.hairline, color: colors.text3 },
        },
      },
      {
        props: { variant: 'text' },
        style: {
          color: colors.text2,
          '&:hover': { backgroundColor: tint(colors.text2, TINT.neutral), color: colors.text },
          '&.Mui-disabled': { color: colors.text3 },
        },
      },
      { props: { variant: 'text', size: 'small' }, style: { ...typeScale.label } },
    ],
  },
  MuiIconButton: {
    defaultProps: { disableRipple: true },
    styleOverrides: {
      root: {
        width: CONTROL_HEIGHT.control,
        height: CONTROL_HEIGHT.control,
        padding: 0,
        borderRadius: radius.button,
        color: colors.text2,
        '&:hover': { backgroundColor: tint(colors.text2, TINT.neutral), color: colors.text },
        '&.Mui-disabled': { color: colors.text3 },
      },
      sizeSmall: { width: CONTROL_HEIGHT.mini, height: CONTROL_HEIGHT.mini },
    },
  },
  MuiInputBase: {
    styleOverrides: {
      root: { ...typeScale.body, backgroundColor: colors.inset },
      input: {
        // A phone zooms into a field whose letters are smaller, and stays there.
        [coarsePointer]: { '&:is(input, textarea)': { fontSize: '1rem' } },
        '&::placeholder': { color: colors.text3, opacity: 1 },
        '&:-webkit-autofill': {
          WebkitBoxShadow: `0 0 0 100px ${colors.inset} inset`,
          WebkitTextFillColor: colors.text,
          caretColor: colors.text,
          borderRadius: 'inherit',
        },
      },
    },
  },
  MuiOutlinedInput: {
    defaultProps: { notched: false, fullWidth: true },
    styleOverrides: {
      root: {
        minHeight: CONTROL_HEIGHT.control,
        [coarsePointer]: { minHeight: TOUCH_PX },
        borderRadius: radius.button,
        '& .MuiOutlinedInput-notchedOutline': {
          borderColor: colors.field,
          transition: `border-color ${quick}`,
        },
        '&:hover .MuiOutlinedInput-notchedOutline': { borderColor: colors.fieldHover },
        '&.Mui-focused .MuiOutlinedInput-notchedOutline': { borderColor: colors.accent, borderWidth: 2 },
        '&.Mui-error .MuiOutlinedInput-notchedOutline': { borderColor: colors.down },
        '&.Mui-disabled': { backgroundColor: colors.well },
        '&.Mui-disabled .MuiOutlinedInput-notchedOutline': { borderColor: colors.hairline },
      },
      input: { height: 20, padding: '8px 10px', [coarsePointer]: { padding: '12px 10px' } },
      multiline: { padding: 0, '& textarea': { height: 'auto' } },
    },
  },
  MuiInputAdornment: {
    styleOverrides: {
      positionStart: { marginRight: 0 },
      root: { color: colors.text3, '& .MuiTypography-root': { ...typeScale.small, color: colors.text3 } },
    },
  },
  MuiSelect: {
    styleOverrides: {
      icon: { color: colors.text2, right: 10, transition: `transform ${motion.menu}ms ${motion.easing}` },
      select: { minHeight: 0 },
    },
  },
}
