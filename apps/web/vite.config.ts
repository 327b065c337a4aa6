import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'

/** In development the two services run alone on their own ports, without the prefix that the gateway gives them. */
const service = (prefix: string, port: number) => ({
  target: `http://127.0.0.1:${port}`,
  changeOrigin: true,
  rewrite: (path: string) => path.slice(prefix.length) || '/',
})

export default defineConfig({
  // Beside each file that shrinks, the same in gzip and brotli, so that the server compresses none at a request.
  plugins: [react(), compression({ algorithms: ['brotliCompress', 'gzip'] })],
  server: {
    proxy: {
      '/bot': service('/bot', 3000),
      '/soc': service('/soc', 4000),
    },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // A font or an icon inlined as data: would need a wider content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/, priority: 30 },
            { name: 'charts', test: /node_modules[\\/](lightweight-charts|fancy-canvas)[\\/]/, priority: 30 },
            // Under a name of its own, so that its size is counted with the pages that need it.
            { name: 'pickers', test: /node_modules[\\/](@mui[\\/]x-[^\\/]+|dayjs)[\\/]/, priority: 5 },
            // With what has to be said to zod before the first schema is made, in whatever chunk that is.
            { name: 'data', test: /node_modules[\\/](zod|@tanstack)[\\/]|parse-without-eval/, priority: 20 },
            // What the first page needs of the rest; a lazy page brings its own.
            { name: 'ui', test: /node_modules/, tags: ['$initial'], priority: 10 },
          ],
        },
      },
    },
  },
})
