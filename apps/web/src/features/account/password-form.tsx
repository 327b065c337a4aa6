import { zodResolver } from '@hookform/resolvers/zod'
import { Box, Button } from '@mui/material'
import { changePassword, NewPassword, PASSWORDS_DIFFER } from '@shapecast/contracts/auth'
import { ownSessions, security } from '@shapecast/contracts/own-account'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { errorText } from '../../shared/api/error-text.ts'
import { useEndpointChange, useEndpointQuery } from '../../shared/api/use-endpoint.ts'
import { formatDate } from '../../shared/format/time.ts'
import { Banner } from '../../shared/ui/banner.tsx'
import { busyPress } from '../../shared/ui/busy-press.ts'
import { Card } from '../../shared/ui/card.tsx'
import { formFields } from '../../shared/ui/page-layout.ts'
import { PasswordField } from '../../shared/ui/password-field.tsx'

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
  const { errors } = form.formState
  const save = useEndpointChange(changePassword, [security, ownSessions])
  const submit = form.handleSubmit(({ currentPassword, newPassword }) =>
    save.mutate({ body: { currentPassword, newPassword } }, { onSuccess: () => form.reset() }),
  )
  return (
    <Card title="Password" {...(changedAt !== undefined && { facts: `changed ${formatDate(changedAt)}` })}>
      <Box component="form" noValidate onSubmit={submit} sx={formFields}>
        {save.isError && (
          <Banner
            kind="error"
            title={errorText(save.error, 'The password was not changed.')}
            onDismiss={() => save.reset()}
          />
        )}
        {save.isSuccess && <Banner kind="info" title="The password is changed. Your other sessions have ended." />}
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          error={errors.currentPassword?.message}
          {...form.register('currentPassword')}
        />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          help="At least 6 characters"
          error={errors.newPassword?.message}
          {...form.register('newPassword')}
        />
        <PasswordField
          label="Confirm password"
          autoComplete="new-password"
          error={errors.confirmPassword?.message}
          {...form.register('confirmPassword')}
        />
        <Box>
          <Button type="submit" {...busyPress(save.isPending)}>
            {save.isPending ? 'Changing…' : 'Change password'}
          </Button>
        </Box>
      </Box>
    </Card>
  )
}
