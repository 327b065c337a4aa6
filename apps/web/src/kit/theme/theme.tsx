import { createTheme, type ThemeOptions, ThemeProvider } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { overrides } from './overrides.ts'
import { colors, motion, radius } from './tokens.ts'
import { FONT_FAMILY, typeScale } from './typography.ts'

const plain = (main: string) => ({ main, light: main, dark: main, contrastText: colors.onAccent })

/** What colours are mixed in. With it MUI leaves mixing to the browser: a variable has no value before. */
const options: ThemeOptions & { colorSpace: 'srgb' } = {
  colorSpace: 'srgb',
  palette: {
    // Nothing of ours asks for it: the variables are those of the scheme that is shown.
    mode: 'dark',
    primary: { ...plain(colors.accent), light: colors.accentHi },
    secondary: { ...plain(colors.text2), contrastText: colors.bg },
    success: plain(colors.up),
    error: plain(colors.down),
    warning: plain(colors.warn),
    info: plain(colors.accent),
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
    h1: typeScale.h1,
    h2: typeScale.h2,
    h3: typeScale.h3,
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
