import type { FieldErrors, FieldValues, Path, UseFormRegister } from 'react-hook-form'

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
