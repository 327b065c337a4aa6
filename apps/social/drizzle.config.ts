import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/social-schema.ts', './src/users/users-table.ts', './src/features/*/tables.ts'],
  out: './migrations',
  schemaFilter: ['social'],
})
