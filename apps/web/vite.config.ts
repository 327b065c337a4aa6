import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { inlineScripts } from './build/inline-scripts.ts'
import { neededBy } from './build/needed-by.ts'
import { routePages } from './build/route-pages.ts'
import { withoutCircles } from './build/without-circles.ts'
import { withoutUnused } from './build/without-unused.ts'

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
  plugins: [
    react(),
    withoutUnused(),
    withoutCircles(),
    inlineScripts(),
    routePages(ROUTES),
    compression({ algorithms: ['brotliCompress', 'gzip'] }),
  ],
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
          groups: [
            // Each holds what it needs beyond the ones before it, and is loaded after them.
            ...neededBy([
              ['landing', ['index.html', 'src/main.tsx']],
              [
                'product',
                [
                  'src/app/product.tsx',
                  'src/features/auth/auth-page.tsx',
                  'src/wire/calls/error-text.ts',
                  'src/wire/calls/use-endpoint.ts',
                  'src/kit/ui/busy-press.ts',
                  'src/kit/ui/dismissed.ts',
                  'src/wire/session/welcome-key.ts',
                  '../../packages/contracts/src/own-account.ts',
                  '../../node_modules/@mui/material/utils/useSlot.mjs',
                  '../../node_modules/@mui/material/IconButton/IconButton.mjs',
                  '../../node_modules/lucide-react/dist/esm/icons/eye.mjs',
                ],
              ],
              [
                'sign-in',
                [
                  'src/features/auth/sign-in-page.tsx',
                  'src/features/auth/sign-up-page.tsx',
                  'src/features/auth/reset-page.tsx',
                ],
              ],
              [
                'dashboard',
                [
                  'src/app/shell.tsx',
                  'src/features/dashboard/dashboard-page.tsx',
                  // What the chart and other pages need.
                  'src/charts/value-table.tsx',
                  ...[
                    'ListSubheader/ListSubheader',
                    'MenuItem/MenuItem',
                    'Unstable_TrapFocus/FocusTrap',
                    'transitions/useReducedMotion',
                  ].map((path) => `../../node_modules/@mui/material/${path}.mjs`),
                  '../../node_modules/@mui/utils/useSlotProps/useSlotProps.mjs',
                  '../../node_modules/lucide-react/dist/esm/icons/chevron-right.mjs',
                ],
              ],
              [
                'bots',
                [
                  'src/features/bots/menu/bot-action-buttons.tsx',
                  'src/features/bots/menu/bot-menu.tsx',
                  'src/features/bots/real/use-real-trading.ts',
                  'src/entities/bots/bot-chips.tsx',
                  'src/kit/ui/figure.tsx',
                  // What else Backtest and the Data Center begin with.
                  'src/wire/calls/save-file.ts',
                  'src/wire/session/kept-draft.ts',
                  'src/entities/bots/trade-words.ts',
                  'src/entities/markets/market-range.ts',
                  'src/wire/ui/awaited.tsx',
                  ...['data-table', 'folded-form', 'meanings', 'page-layout', 'show-all'].map(
                    (name) => `src/kit/ui/${name}.${name === 'page-layout' ? 'ts' : 'tsx'}`,
                  ),
                  '../../node_modules/@mui/material/Checkbox/Checkbox.mjs',
                ],
              ],
              [
                'models',
                [
                  'src/features/models/compare/comparable.ts',
                  'src/features/datasets/saved/dataset-words.ts',
                  'src/kit/ui/page-head.tsx',
                  'src/entities/models/drift-chip.tsx',
                  'src/entities/models/model-verdict.tsx',
                  'src/entities/models/stage-button.tsx',
                ],
              ],
              ['price-chart', ['src/charts/price-chart/price-chart.tsx']],
              ['overlays', ['src/kit/ui/dialog.tsx', 'src/kit/ui/select-field.tsx']],
              // What is ticked, on many pages: left to the sharing below, it would make files that need each other.
              [
                'ticks',
                ['Checkbox/Checkbox', 'Radio/Radio', 'Switch/Switch'].map(
                  (path) => `../../node_modules/@mui/material/${path}.mjs`,
                ),
              ],
              ['choices', ['src/kit/ui/multi-select-field.tsx']],
              ['dates', ['src/kit/ui/day-picker.tsx']],
            ]),
            // In a file of their own: what else the pages share brings the charts along.
            { name: 'icons', test: /node_modules[\\/]lucide-react[\\/]/, minShareCount: 2, priority: 6 },
            // What the other pages share, none of it with what only some of them need.
            { name: 'pages', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 0, priority: 5 },
          ],
        },
      },
    },
  },
})
