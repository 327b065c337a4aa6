import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mui/material'
import { NewPassword, PASSWORDS_DIFFER } from '@shapecast/contracts/auth'
import { changePassword, security } from '@shapecast/contracts/own-account'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { formatDate } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Card } from '#kit/ui/card.tsx'
import { registered } from '#kit/ui/form-fields.ts'
import layout from '#kit/ui/layout.module.css'
import { PasswordField } from '#kit/ui/password-field.tsx'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'

const PasswordFields = z
  .object({
    currentPassword: z.string().min(1, 'Password is required'),
    newPassword: NewPassword,
    confirmPassword: z.string(),
  })
  .refine((form) => form.newPassword === form.confirmPassword, { path: ['confirmPassword'], message: PASSWORDS_DIFFER })

/** A new password for the old one. */
export function PasswordForm() {
  const changedAt = useEndpointQuery(security, {}).data?.passwordChangedAt
  const form = useForm({
    resolver: zodResolver(PasswordFields),
    defaultValues: { currentPassword: '', newPassword: '', confirmPassword: '' },
  })
  const save = useEndpointMutation(changePassword)
  const submit = form.handleSubmit(({ currentPassword, newPassword }) =>
    save.mutate({ body: { currentPassword, newPassword } }, { onSuccess: () => form.reset() }),
  )
  return (
    <Card title="Password" {...(changedAt !== undefined && { facts: `changed ${formatDate(changedAt)}` })}>
      <form noValidate onSubmit={submit} className={layout.formFields}>
        <FailedChange change={save} text="The password was not changed." />
        {save.isSuccess && <Banner kind="info" title="The password is changed. Your other sessions have ended." />}
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...registered(form, 'currentPassword')}
        />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          help="At least 6 characters"
          {...registered(form, 'newPassword')}
        />
        <PasswordField label="Confirm password" autoComplete="new-password" {...registered(form, 'confirmPassword')} />
        <div>
          <Button type="submit" {...busyPress(save.isPending)}>
            {save.isPending ? 'Changing…' : 'Change password'}
          </Button>
        </div>
      </form>
    </Card>
  )
}
