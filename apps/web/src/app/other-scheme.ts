import { Moon, Sun } from 'lucide-react'
import { chooseScheme, scheme } from '#kit/theme/scheme.ts'

/** The way to the theme that the page is not drawn with. */
export const OTHER_SCHEME =
  scheme === 'light'
    ? { label: 'Dark theme', Icon: Moon, choose: () => chooseScheme('dark') }
    : { label: 'Light theme', Icon: Sun, choose: () => chooseScheme('light') }
