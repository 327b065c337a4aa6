import { paths } from '#routes/paths.ts'

/** The four entries of the navigation bar; Settings stands beside them as an icon. */
export const NAVIGATION = [
  { path: paths.dashboard, label: 'Dash', title: 'Dashboard' },
  { path: paths.bots, label: 'Bots', title: 'Bots' },
  { path: paths.dataCenter, label: 'Lern', title: 'Data Center' },
  { path: paths.backtest, label: 'Test', title: 'Backtest' },
] as const

export const SETTINGS = { path: paths.settings, label: 'Settings', title: 'Settings' } as const

/** The name of the page at `path`, or below it, in the window's title. */
export const pageTitle = (path: string): string =>
  [...NAVIGATION, SETTINGS].find((entry) => path === entry.path || path.startsWith(`${entry.path}/`))?.title ??
  'Shapecast'
