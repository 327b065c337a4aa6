import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/ground/social-schema.ts', './src/users/users-table.ts', './src/*/tables.ts'],
  out: './migrations',
  schemaFilter: ['social'],
})
