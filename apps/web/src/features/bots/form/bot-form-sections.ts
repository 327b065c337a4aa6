import type { BotForm, FormErrors } from './bot-form.ts'

/** What each section of the dialog gets. */
export interface SectionProps {
  form: BotForm
  change: (change: Partial<BotForm>) => void
  /** Of what is to be shown. */
  errors: FormErrors
}
