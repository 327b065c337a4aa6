import { type ReactNode, useId } from 'react'
import type { FieldErrors, FieldValues, Path, UseFormRegister } from 'react-hook-form'
import { Note, Text } from './primitives.tsx'

export interface FieldTexts {
  label: string
  /** A quiet word after the label: '3 of 5'. */
  labelNote?: string | undefined
  /** A line below that helps; an error takes its place. */
  help?: ReactNode
  /** What is wrong, as a sentence. */
  error?: string | undefined
}

export interface FieldIds {
  controlId: string
  labelId: string
  /** For `aria-describedby`, where a line stands below. */
  describedBy: string | undefined
  invalid: boolean
}

/** Label above, control, help or error below. The control takes its ids from the argument of `children`. */
export function Field({
  label,
  labelNote,
  help,
  error,
  children,
  labelFor = true,
}: FieldTexts & { children: (ids: FieldIds) => ReactNode; labelFor?: boolean }) {
  const controlId = useId()
  const labelId = `${controlId}-label`
  const lineId = `${controlId}-line`
  const line = error ?? help
  return (
    <div style={{ minWidth: 0, width: '100%' }}>
      <Text
        size="label"
        tone="text2"
        id={labelId}
        as={labelFor ? 'label' : 'span'}
        {...(labelFor && { htmlFor: controlId })}
        style={{ display: 'block', marginBottom: 6 }}
      >
        {label}
        {labelNote !== undefined && (
          <Note as="span" style={{ marginLeft: 4 }}>
            {labelNote}
          </Note>
        )}
      </Text>
      {children({
        controlId,
        labelId,
        describedBy: line === undefined ? undefined : lineId,
        invalid: error !== undefined,
      })}
      {line !== undefined && (
        <Note
          tone={error === undefined ? 'text3' : 'down'}
          id={lineId}
          {...(error !== undefined && { role: 'alert' })}
          above={0.75}
        >
          {line}
        </Note>
      )}
    </div>
  )
}

/** A field of a form of react-hook-form, with what is wrong with it: `{...registered(form, 'email')}`. */
export const registered = <Fields extends FieldValues, Name extends Path<Fields> & keyof Fields>(
  { register, formState }: { register: UseFormRegister<Fields>; formState: { errors: FieldErrors<Fields> } },
  name: Name,
) => ({ ...register(name), error: formState.errors[name]?.message as string | undefined })

/** Fields of a form that is kept as one object: `{...field('leverage')}` is its value, its change and what is wrong with it. */
export const fieldsOf =
  <Form extends object, Field extends string>(
    form: Form,
    change: (change: Partial<Form>) => void,
    errors: Partial<Record<Field, string>>,
  ) =>
  <Name extends keyof Form & Field>(name: Name) => ({
    value: form[name],
    onChange: (value: Form[Name]) => change({ [name]: value } as unknown as Partial<Form>),
    error: errors[name],
  })
