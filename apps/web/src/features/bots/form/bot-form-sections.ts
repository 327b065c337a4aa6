import type { BotForm, FormErrors } from './bot-form.ts'

/** What each section of the dialog gets. */
export interface SectionProps {
  form: BotForm
  change: (change: Partial<BotForm>) => void
  /** Empty until the first try to create, then of the whole form. */
  errors: FormErrors
}
