import { EMPTY_SCREENS, FULL_SCREENS, type Screen } from '../screens.ts'

/** The pages of API docs are the services' own, and no part of the client. */
const SIGNED_OUT = EMPTY_SCREENS.filter(({ as, path }) => as === 'nobody' && !path.endsWith('/docs'))

/** Every screen of the client, and what a user without a bot or a run sees. */
export const SCREENS: readonly Screen[] = [
  ...SIGNED_OUT,
  ...FULL_SCREENS,
  { name: 'models-compare', path: '/ml-analysis/compare?versions=v1,v3', as: 'admin' },
  { name: 'bots-user', path: '/trading', as: 'user' },
  { name: 'not-found', path: '/nowhere', as: 'admin' },
]

export const THEMES = ['dark', 'light'] as const
export type Theme = (typeof THEMES)[number]
export const SIZES = { 1440: { width: 1440, height: 900 }, 360: { width: 360, height: 740 } } as const
export type Width = keyof typeof SIZES
export const WIDTHS: readonly Width[] = [1440, 360]

/** `dashboard-1440-dark` and so on: what `npm test` compares with the pictures beside this file. */
export const COMPARED_IN_TESTS: ReadonlySet<string> = new Set([
  'landing-360-dark',
  'sign-in-360-dark',
  'dashboard-1440-dark',
  'users-360-light',
  'bots-1440-light',
  'bots-360-dark',
  'security-360-dark',
  'backtest-run-360-light',
  'data-center-1440-dark',
  'model-360-light',
  'tasks-1440-dark',
  'notifications-360-light',
])
