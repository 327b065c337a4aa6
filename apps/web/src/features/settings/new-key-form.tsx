import { zodResolver } from '@hookform/resolvers/zod'
import { Box, Button, Typography } from '@mui/material'
import { ExchangeKeys, keptKeys, putKeys } from '@shapecast/contracts/exchange-keys'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { errorText } from '../../shared/api/error-text.ts'
import { endpointKey, useEndpointMutation } from '../../shared/api/use-endpoint.ts'
import { colors } from '../../shared/theme/tokens.ts'
import { Banner } from '../../shared/ui/banner.tsx'
import { busyPress } from '../../shared/ui/busy-press.ts'
import { Card } from '../../shared/ui/card.tsx'
import { PasswordField } from '../../shared/ui/password-field.tsx'
import { TextField } from '../../shared/ui/text-field.tsx'

/** Takes a key of the exchange, which tries it before it is kept. */
export function NewKeyForm({ isReplacing }: { isReplacing: boolean }) {
  const queryClient = useQueryClient()
  const form = useForm({
    resolver: zodResolver(ExchangeKeys),
    defaultValues: { apiKey: '', secret: '', password: undefined },
  })
  const { errors } = form.formState
  const save = useEndpointMutation(putKeys, {
    onSuccess: () => {
      form.reset()
      return queryClient.invalidateQueries({ queryKey: endpointKey(keptKeys) })
    },
  })
  return (
    <Card title={isReplacing ? 'Replace the key' : 'Add a key'}>
      <Box
        component="form"
        noValidate
        onSubmit={form.handleSubmit((body) => save.mutate({ body }))}
        sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: 'minmax(0, 1fr)' }}
      >
        {save.isError && (
          <Banner kind="error" title={errorText(save.error, 'The key was not kept.')} onDismiss={() => save.reset()} />
        )}
        {save.isSuccess && <Banner kind="info" title={`Kept. The key ends with ${save.data.lastFour}`} />}
        <TextField label="API key" autoComplete="off" error={errors.apiKey?.message} {...form.register('apiKey')} />
        <PasswordField label="Secret" autoComplete="off" error={errors.secret?.message} {...form.register('secret')} />
        <PasswordField
          label="Passphrase"
          labelNote="only where your exchange asks for one"
          autoComplete="off"
          error={errors.password?.message}
          {...form.register('password', { setValueAs: (text: string) => text || undefined })}
        />
        <Typography variant="small" sx={{ color: colors.text2 }}>
          Give the key the right to trade, never to withdraw. It is tried at the exchange before it is kept.
        </Typography>
        <Box>
          <Button type="submit" variant="contained" {...busyPress(save.isPending)}>
            {save.isPending ? 'Trying it…' : 'Save key'}
          </Button>
        </Box>
      </Box>
    </Card>
  )
}
