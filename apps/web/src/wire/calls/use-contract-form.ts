import { ApiError } from '@shapecast/contracts/client'
import { inputDemand } from '@shapecast/contracts/input-complaint'
import { useEffect } from 'react'
import { type DefaultValues, type FieldValues, type Path, type Resolver, useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'

/** Acts once no button is held down: what moved then would take it from under the pointer, and the press would be lost. */
function afterPress(act: () => void) {
  if (document.querySelector(':active') === null) act()
  else window.addEventListener('pointerup', () => setTimeout(act), { once: true })
}

export interface ContractFormChoices<Values, Field extends string> {
  /** What stands in the fields at first. */
  start: Values
  /** What was typed before: it stands in the fields instead. */
  draft?: Partial<Values> | null
  /** The fields as the call takes them; as they stand where it is left out. */
  toBody?: (values: Values) => unknown
  /** The fields of parts of the body that have another name: `{ positionSize: 'size' }`, by the last word of its path. */
  places?: Readonly<Record<string, Field>>
  /** What is wrong beside what the contract says. */
  check?: (values: Values) => Partial<Record<Field, string>>
  /** A change with what follows from it. */
  follow?: (before: Values, change: Partial<Values>) => Values
  /** What stands in a field that is part of a value. */
  valueIn?: (values: Values, field: Field) => unknown
  /** What the service answered last. */
  refusal?: Error | null
}

/**
 * A form by react-hook-form whose limits and messages are those of `schema`, as the service has them. What is wrong with
 * a field shows beside it once that was changed and left, or the form was sent, and goes while it is mended.
 */
export function useContractForm<
  Schema extends z.ZodType<unknown, unknown>,
  Values extends FieldValues,
  Field extends string = string & keyof Values,
>(schema: Schema, choices: ContractFormChoices<Values, Field>) {
  const { start, draft, toBody, places = {}, check, follow, refusal = null } = choices
  const valueIn = choices.valueIn ?? ((values, field) => values[field])

  const placeOf = (path: readonly PropertyKey[]): Field => {
    const [whole, last] = [String(path[0]), String(path.at(-1))] as [Field, Field]
    return places[last] ?? (valueIn(start, last) !== undefined ? last : (places[whole] ?? whole))
  }
  const judge = (values: Values) => {
    const parsed = schema.safeParse(toBody === undefined ? values : toBody(values), { error: inputDemand })
    const wrong: Partial<Record<Field, string>> = {}
    for (const { path, message } of parsed.error?.issues ?? []) wrong[placeOf(path)] ??= message
    return { parsed, wrong: { ...wrong, ...check?.(values) } }
  }
  const resolver: Resolver<Values, unknown, FieldValues> = (values) => {
    const { parsed, wrong } = judge(values)
    const errors = Object.entries(wrong).map(([field, message]) => [field, { type: 'contract', message }])
    return errors.length === 0
      ? { values: parsed.data as FieldValues, errors: {} }
      : { values: {}, errors: Object.fromEntries(errors) }
  }
  const form = useForm<Values, unknown, FieldValues>({
    defaultValues: { ...start, ...draft } as DefaultValues<Values>,
    resolver,
    reValidateMode: 'onSubmit',
  })
  const { errors: found, submitCount } = form.formState
  const values = useWatch({ control: form.control }) as Values
  const { wrong } = judge(values)
  // What is shown may have been mended by something else than typing: by a reply that came.
  const errors: Partial<Record<Field, string>> = {}
  for (const [field, error] of Object.entries(found) as [Field, { type: string; message: string }][]) {
    const message = error.type === 'refused' ? error.message : wrong[field]
    if (message !== undefined) errors[field] = message
  }

  const show = (fields: readonly string[]) => {
    if (fields.length > 0) void form.trigger(fields as Path<Values>[])
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of what is typed is what may have mended it
  useEffect(() => show(Object.keys(found)), [values])

  const refused = refusal instanceof ApiError && refusal.field !== undefined ? placeOf(refusal.field.split('.')) : null
  const isBeside = refused !== null && (refused in start || Object.values(places).includes(refused))
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal is said once
  useEffect(() => {
    if (isBeside) form.setError(refused as string as Path<Values>, { type: 'refused', message: refusal!.message })
  }, [refusal])

  const change = (part: Partial<Values>) => {
    const before = form.getValues()
    const next = follow === undefined ? part : follow(before, part)
    for (const name of Object.keys(next) as Path<Values>[])
      if (next[name] !== before[name]) form.setValue(name, next[name]!)
  }
  return {
    values,
    change,
    /** What is wrong, of what is to be shown. */
    errors,
    /** Everything that is wrong. */
    wrong,
    /** Whether something else stands there than at first. */
    isDirty: JSON.stringify(values) !== JSON.stringify(start),
    submitCount,
    /** The refusal, where it is about no field. */
    failure: isBeside ? null : refusal,
    /** `{...text('email')}` for a line of text. */
    text: (name: Path<Values> & Field) => ({ ...form.register(name), error: errors[name] }),
    /** `{...field('leverage')}` for what takes its value as it is. */
    field: <Name extends string & keyof Values & Field>(name: Name) => ({
      value: values[name],
      onChange: (value: Values[Name]) => change({ [name]: value } as unknown as Partial<Values>),
      error: errors[name],
    }),
    reset: (to: Values = start) => form.reset(to),
    /** What is wrong with what was changed is shown when it is left. */
    onBlur: () =>
      afterPress(() => {
        const now = form.getValues()
        const wrong = Object.keys(judge(now).wrong) as Field[]
        show(wrong.filter((field) => JSON.stringify(valueIn(now, field)) !== JSON.stringify(valueIn(start, field))))
      }),
    /** Sends the body, as the contract parsed it, of a form without errors. */
    submit: (send: (body: z.output<Schema>) => unknown) =>
      form.handleSubmit((body) => void send(body as z.output<Schema>)),
  }
}
