import { loadPriceChart } from '../charts/price-chart/load-price-chart.ts'
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
/** The chart's library waits for what is seen before it. */
const loadDashboardThenChart = () => loadDashboard().then(loadPriceChart)
const SIGNED_IN = new Map<string, () => Promise<unknown>>([
  ['trading', loadBots],
  ['ml-analysis', loadDataCenter],
  ['backtest', loadBacktest],
  ['settings', loadSettings],
])

/**
 * Runs what the page at `path` is made of, before React finds out one file after the other. The page has asked for the
 * files already (build/route-pages.ts); one after the other they hold up the browser for less at a time.
 */
export async function loadAhead(path: string): Promise<void> {
  const name = path.split('/')[1] ?? ''
  try {
    await import('./product.tsx')
    const page = BEFORE_SIGN_IN.get(name)
    if (page === undefined) await import('./shell.tsx')
    await (page ?? SIGNED_IN.get(name) ?? loadDashboardThenChart)()
  } catch {
    // What fails is asked for again, and reported, when it is drawn.
  }
}
