import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/ground/trading-schema.ts', './src/**/*tables.ts'],
  out: './migrations',
  schemaFilter: ['trading'],
})
