import { type Components, createTheme, type Theme, type ThemeOptions, ThemeProvider } from '@mui/material/styles'
import type { ReactNode } from 'react'
import {
  backdrop,
  coarsePointer,
  colors,
  FONT_FAMILY,
  floatingShadow,
  motion,
  radius,
  TINT,
  TOUCH_PX,
  tint,
  touchArea,
  typeScale,
} from './tokens.ts'

/** Heights of things that are pressed or typed into, px. */
const CONTROL_HEIGHT = { control: 36, mini: 26 } as const

const focusRing = { outline: `2px solid ${colors.accentHi}`, outlineOffset: '2px' } as const
const quick = `${motion.hover}ms ${motion.easing}`

/** What of MUI is in use: the fields of dates and of several choices, the buttons in them, and what a phone chooses a day in. */
const overrides: Components<Omit<Theme, 'components'>> = {
  MuiButtonBase: {
    defaultProps: { disableRipple: true, disableTouchRipple: true },
    styleOverrides: { root: { '&.Mui-focusVisible': focusRing, ...touchArea } },
  },
  MuiButton: {
    defaultProps: { disableElevation: true },
    styleOverrides: {
      root: {
        minWidth: 0,
        height: CONTROL_HEIGHT.control,
        padding: '0 13px',
        borderRadius: radius.button,
        color: colors.text2,
        [coarsePointer]: { height: TOUCH_PX },
        '&:hover': { backgroundColor: tint(colors.text2, TINT.neutral), color: colors.text },
        '&.Mui-disabled': { color: colors.text3 },
      },
    },
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
  MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiDialog: {
    styleOverrides: {
      paper: {
        backgroundColor: colors.raised,
        border: `1px solid ${colors.buttonEdge}`,
        borderRadius: radius.dialog,
        boxShadow: floatingShadow,
      },
    },
  },
  MuiBackdrop: {
    styleOverrides: { root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: backdrop } } },
  },
}

const plain = (main: string) => ({ main, light: main, dark: main, contrastText: colors.onAccent })

/** What colours are mixed in. With it MUI leaves mixing to the browser: a variable has no value before. */
const options: ThemeOptions & { colorSpace: 'srgb' } = {
  colorSpace: 'srgb',
  palette: {
    // Nothing of ours asks for it: the variables are those of the scheme that is shown.
    mode: 'dark',
    primary: { ...plain(colors.accent), light: colors.accentHi },
    error: plain(colors.down),
    // MUI works out a colour of snackbars from the first, which a variable does not let it; ours have their own.
    background: { default: '#000', paper: colors.surface },
    text: { primary: colors.text, secondary: colors.text2, disabled: colors.text3 },
    divider: colors.hairline,
    action: { hover: colors.rowHover, disabled: colors.text3, disabledBackground: colors.well },
  },
  shape: { borderRadius: radius.button },
  spacing: 8,
  typography: {
    fontFamily: FONT_FAMILY,
    body1: typeScale.body,
    body2: typeScale.small,
    button: typeScale.bodyStrong,
    caption: typeScale.label,
  },
  transitions: {
    easing: { easeInOut: motion.easing, easeOut: motion.easing, easeIn: motion.easing, sharp: motion.easing },
    duration: {
      shortest: motion.hover,
      shorter: motion.menu,
      short: motion.menu,
      standard: motion.dialog,
      complex: motion.dialog,
      enteringScreen: motion.dialog,
      leavingScreen: motion.menu,
    },
  },
  components: overrides,
}

const theme = createTheme(options)

/** Around each part of MUI: dark or light by tokens.css, hairlines instead of shadows, static labels, no ripple. */
export const Themed = ({ children }: { children: ReactNode }) => <ThemeProvider theme={theme}>{children}</ThemeProvider>
