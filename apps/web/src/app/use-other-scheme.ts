import { Moon, Sun } from 'lucide-react'
import { chooseScheme, useScheme } from '#kit/theme/scheme.ts'

/** The way to the theme that the page is not drawn with. */
export const useOtherScheme = () =>
  useScheme() === 'light'
    ? { label: 'Dark theme', Icon: Moon, choose: () => chooseScheme('dark') }
    : { label: 'Light theme', Icon: Sun, choose: () => chooseScheme('light') }
