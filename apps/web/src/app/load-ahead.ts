import { priceChartCode } from '#charts/price-chart/price-chart-code.ts'
import { codeOf } from '#kit/ui/lazily.tsx'
import {
  backtestCode,
  botCode,
  botsCode,
  dashboardCode,
  dataCenterCode,
  resetCode,
  settingsCode,
  signInCode,
  signUpCode,
} from './page-code.ts'

/** All behind the landing page. */
export const productCode = codeOf(async () => (await import('./product.tsx')).Product)

const BEFORE_SIGN_IN = new Map<string, { load(): Promise<unknown> }>([
  ['login', signInCode],
  ['register', signUpCode],
  ['reset', resetCode],
])
/** The chart's library waits for what is seen before it. */
const dashboardThenChart = { load: () => dashboardCode.load().then(priceChartCode.load) }
const SIGNED_IN = new Map<string, { load(): Promise<unknown> }>([
  ['trading', botsCode],
  ['bots', botCode],
  ['ml-analysis', dataCenterCode],
  ['backtest', backtestCode],
  ['settings', settingsCode],
])

/**
 * Runs what the page at `path` is made of, before React finds out one file after the other. The page has asked for the
 * files already (build/route-pages.ts); one after the other they hold up the browser for less at a time.
 */
export async function loadAhead(path: string): Promise<void> {
  const name = path.split('/')[1] ?? ''
  try {
    await productCode.load()
    const page = BEFORE_SIGN_IN.get(name)
    if (page === undefined) await import('./shell.tsx')
    await (page ?? SIGNED_IN.get(name) ?? dashboardThenChart).load()
  } catch {
    // What fails is asked for again, and reported, when it is drawn.
  }
}
