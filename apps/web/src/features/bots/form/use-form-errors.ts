import { useState } from 'react'
import { type BotForm, errorsOfChanges, type FormErrors, type FormFacts, formErrors } from './bot-form.ts'

/**
 * What is wrong with a form, and what of it is shown: a field once it was changed and left, and everything after a try to
 * send it. Pairs without a model and what the server refused are shown at once: nobody is typing there.
 */
export function useFormErrors(
  form: BotForm,
  before: BotForm,
  {
    facts,
    tries,
    isUntrained = false,
    refused = {},
  }: { facts: FormFacts; tries: number; isUntrained?: boolean; refused?: FormErrors },
) {
  const [left, setLeft] = useState<BotForm | null>(null)
  const errors = formErrors(form, facts)
  const touched = left === null ? {} : errorsOfChanges(errors, { before, form: left })
  const seen =
    isUntrained && errors.tradingPairs !== undefined ? { ...touched, tradingPairs: errors.tradingPairs } : touched
  return {
    /** What keeps it from being sent. */
    errors,
    shown: { ...refused, ...(tries > 0 ? errors : seen) },
    /** For the element around the fields. */
    onBlur: () => setLeft(form),
  }
}
