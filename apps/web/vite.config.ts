import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { inlineScripts } from './build/inline-scripts.ts'
import { routePages } from './build/route-pages.ts'

/** In development the two services run alone on their own ports, without the prefix that the gateway gives them. */
const service = (prefix: string, port: number) => ({
  target: `http://127.0.0.1:${port}`,
  changeOrigin: true,
  rewrite: (path: string) => path.slice(prefix.length) || '/',
})

/** What the address of a page leads to: its code, and what it says below the bar while that is on its way. */
const frame = readFileSync(resolve(import.meta.dirname, 'build/frame.html'), 'utf8').trim()
const inner = (pages: readonly string[], coming: string) => ({
  modules: ['src/app/product.tsx', 'src/app/shell.tsx', ...pages],
  frame: frame.replace('COMING', `Loading ${coming} …`),
})
const outer = (page: string) => ({ modules: ['src/app/product.tsx', 'src/app/signed-out-only.tsx', page], frame: '' })
const ROUTES = {
  login: outer('src/features/auth/sign-in-page.tsx'),
  register: outer('src/features/auth/sign-up-page.tsx'),
  reset: outer('src/features/auth/reset-page.tsx'),
  forgot: outer('src/features/auth/forgot-page.tsx'),
  dashboard: inner(
    ['src/features/dashboard/dashboard-page.tsx'],
    'the market, what the models say of it, your bots and your backtests',
  ),
  trading: inner(['src/features/bots/list/bots-page.tsx'], 'the bots, what they hold and what they have made of it'),
  'ml-analysis': inner(
    ['src/app/data-center/home-search.tsx', 'src/app/data-center/home-page.tsx'],
    'the candles, the models and how good they have been so far',
  ),
  backtest: inner(
    ['src/features/backtest/backtest-page.tsx'],
    'the models and bots that can be tested, and the saved runs',
  ),
  settings: inner(
    ['src/app/settings-sections.tsx', 'src/app/system-settings.tsx'],
    'the settings of the product, your account and your keys',
  ),
}

export default defineConfig({
  // Beside each file that shrinks, the same in gzip and brotli, so that the server compresses none at a request.
  plugins: [react(), inlineScripts(), routePages(ROUTES), compression({ algorithms: ['brotliCompress', 'gzip'] })],
  server: {
    proxy: {
      '/bot': service('/bot', 3000),
      '/soc': service('/soc', 4000),
    },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Which file needs which others: scripts/sizes.cjs adds them up.
    manifest: true,
    // Every browser that the target names knows modulepreload.
    modulePreload: { polyfill: false },
    target: 'baseline-widely-available',
    // A font or an icon inlined as data: would need a wider content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Each takes what it needs beyond the ones before it, so no file needs one that needs it.
          groups: [
            { name: 'index', tags: ['$initial'] },
            // With what all pages show, so that the inner ones need nothing of those for signing in.
            {
              name: 'product',
              test: /(src|esm)[\\/](app[\\/]product|kit[\\/](kept|ui[\\/](banner|button|layout|text-field))|own-account|policy\.|icons[\\/]eye|wire[\\/](calls[\\/]error-text|session[\\/]welcome-key|ui[\\/]failed-change))/,
            },
            {
              name: 'forms',
              test: /node_modules[\\/](react-hook-form|@hookform)[\\/]|src[\\/](wire[\\/](calls[\\/]use-contract-form|proof[\\/]use-identity)|kit[\\/]ui[\\/]form-fields)/,
            },
            { name: 'sign-in', test: /src[\\/]features[\\/]auth[\\/]/ },
            { name: 'dashboard', test: /src[\\/](app[\\/]shell|features[\\/]dashboard[\\/](?!order-ticket))/ },
            { name: 'icons', test: /node_modules[\\/]lucide-react[\\/]/, minShareCount: 2 },
            // By floor. The kit knows nothing above it: how many pages share what brings no page the chart library.
            { name: 'kit', test: /src[\\/](kit|wire)[\\/]/, minShareCount: 6 },
            { name: 'plots', test: /src[\\/]charts[\\/]plots[\\/]/ },
            { name: 'charts', test: /src[\\/]charts[\\/]|node_modules[\\/]lightweight-charts[\\/]/, minShareCount: 2 },
            // But trading by hand, which the dashboard has at a press, and what words mean, which comes after a page.
            { name: 'entities', test: /src[\\/](entities[\\/](?!trade|terms)|wire)|packages[\\/]/, minShareCount: 2 },
            // The rest in a file for each set of pages that share it.
            { name: 'pages', minShareCount: 2, entriesAware: true },
          ],
        },
      },
    },
  },
})
