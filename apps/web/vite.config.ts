import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { inlineScripts } from './build/inline-scripts.ts'
import { neededBy } from './build/needed-by.ts'
import { withoutUnused } from './build/without-unused.ts'

/** In development the two services run alone on their own ports, without the prefix that the gateway gives them. */
const service = (prefix: string, port: number) => ({
  target: `http://127.0.0.1:${port}`,
  changeOrigin: true,
  rewrite: (path: string) => path.slice(prefix.length) || '/',
})

export default defineConfig({
  // Beside each file that shrinks, the same in gzip and brotli, so that the server compresses none at a request.
  plugins: [react(), withoutUnused(), inlineScripts(), compression({ algorithms: ['brotliCompress', 'gzip'] })],
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
                  'src/shared/api/error-text.ts',
                  'src/shared/api/use-endpoint.ts',
                  'src/shared/ui/busy-press.ts',
                  'src/shared/ui/dismissed.ts',
                  'src/shared/ui/welcome-key.ts',
                  '../../packages/contracts/src/own-account.ts',
                  '../../node_modules/@mui/material/utils/useSlot.mjs',
                  '../../node_modules/@mui/material/IconButton/IconButton.mjs',
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
                  // Of the chart's card, what other pages need without a chart.
                  'src/shared/markets/selectable-symbols.ts',
                  'src/shared/ui/menu-select.tsx',
                  'src/shared/ui/toggle-group.tsx',
                  ...['ListSubheader/ListSubheader', 'MenuItem/MenuItem', 'Unstable_TrapFocus/FocusTrap'].map(
                    (path) => `../../node_modules/@mui/material/${path}.mjs`,
                  ),
                ],
              ],
              [
                'bots',
                [
                  'src/features/bots/bot-action-buttons.tsx',
                  'src/features/bots/bot-menu.tsx',
                  'src/features/bots/real/use-real-trading.ts',
                  'src/shared/ui/bot-chips.tsx',
                  'src/shared/ui/figure.tsx',
                ],
              ],
              ['price-chart', ['src/features/dashboard/chart-card.tsx']],
              ['overlays', ['src/shared/ui/dialog.tsx', 'src/shared/ui/select-field.tsx']],
              ['choices', ['src/shared/ui/multi-select-field.tsx']],
              ['dates', ['src/shared/ui/date-field.tsx']],
            ]),
            // In a file of their own: what else the pages share brings the charts along.
            { name: 'icons', test: /node_modules[\\/]lucide-react[\\/]/, minShareCount: 2, priority: 6 },
            // What the other pages share.
            { name: 'pages', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 25_000, priority: 5 },
          ],
        },
      },
    },
  },
})
