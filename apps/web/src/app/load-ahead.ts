import {
  loadBacktest,
  loadBots,
  loadDashboard,
  loadDataCenter,
  loadReset,
  loadSettings,
  loadSignIn,
  loadSignUp,
} from './page-code.ts'

const BEFORE_SIGN_IN = new Map<string, () => Promise<unknown>>([
  ['login', loadSignIn],
  ['register', loadSignUp],
  ['reset', loadReset],
])
const loadDashboardAndChart = () => Promise.all([loadDashboard(), import('../features/dashboard/chart-card.tsx')])
const SIGNED_IN = new Map<string, () => Promise<unknown>>([
  ['trading', loadBots],
  ['ml-analysis', loadDataCenter],
  ['backtest', loadBacktest],
  ['settings', loadSettings],
])

/** Asks for everything that the page at `path` is made of at once, before React finds out one file after the other. */
export function loadAhead(path: string): void {
  const name = path.split('/')[1] ?? ''
  const page = BEFORE_SIGN_IN.get(name)
  const loads = [
    import('./product.tsx'),
    ...(page === undefined ? [import('./shell.tsx'), (SIGNED_IN.get(name) ?? loadDashboardAndChart)()] : [page()]),
  ]
  // What fails is asked for again, and reported, when it is drawn.
  for (const load of loads) load.catch(() => undefined)
}
