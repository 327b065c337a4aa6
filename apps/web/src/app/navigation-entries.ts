/** The four entries of the navigation bar; Settings stands beside them as an icon. */
export const NAVIGATION = [
  { path: '/dashboard', label: 'Dash', title: 'Dashboard' },
  { path: '/trading', label: 'Bots', title: 'Bots' },
  { path: '/ml-analysis', label: 'Lern', title: 'Data Center' },
  { path: '/backtest', label: 'Test', title: 'Backtest' },
] as const

export const SETTINGS = { path: '/settings', label: 'Settings', title: 'Settings' } as const

/** The name of the page at `path`, or below it, in the window's title. */
export const pageTitle = (path: string): string =>
  [...NAVIGATION, SETTINGS].find((entry) => path === entry.path || path.startsWith(`${entry.path}/`))?.title ??
  'Shapecast'
