import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/trading-schema.ts', './src/features/**/*tables.ts'],
  out: './migrations',
  schemaFilter: ['trading'],
})
