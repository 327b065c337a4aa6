import { pgSchema } from 'drizzle-orm/pg-core'

export const socialSchema = pgSchema('social')
