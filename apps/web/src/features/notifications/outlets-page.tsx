import type { ReplyOf } from '@shapecast/contracts/endpoint'
import {
  forgetMail,
  forgetTelegram,
  MAIL_SECURITY,
  outlets,
  setMail,
  setTelegram,
  TELEGRAM_API,
} from '@shapecast/contracts/outlets'
import { type FormEvent, useState } from 'react'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { PasswordField, TextField, useTyped } from '#kit/ui/text-field.tsx'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'

type Known = ReplyOf<typeof outlets>

const SECURITY_WORDS: Readonly<Record<(typeof MAIL_SECURITY)[number], string>> = {
  tls: 'TLS from the start',
  starttls: 'STARTTLS, required',
  none: 'None',
}
const emptyMail = () => ({
  host: '',
  port: 465,
  security: 'tls' as (typeof MAIL_SECURITY)[number],
  username: '',
  from: '',
  publicUrl: window.location.origin,
})

function MailCard({ mail }: { mail: Known['mail'] }) {
  const { hasPassword = false, ...stored } = mail ?? (emptyMail() as NonNullable<Known['mail']>)
  const [typed, setTyped] = useState(stored)
  const password = useTyped()
  const save = useEndpointMutation(setMail, { onSuccess: () => password.set('') })
  const forget = useEndpointMutation(forgetMail)
  const text = (name: 'host' | 'username' | 'from' | 'publicUrl') => ({
    value: typed[name],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) =>
      setTyped((before) => ({ ...before, [name]: event.target.value })),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ body: { ...typed, ...(password.text !== '' && { password: password.text }) } })
  }
  const error = save.error ?? forget.error
  return (
    <Card title="Mail server" facts={mail === null ? 'none' : mail.host}>
      <form noValidate onSubmit={submit} className={layout.formFields}>
        <FailureBanner error={error} text="The mail server was not changed." />
        {save.isSuccess && (
          <Banner kind="info" title="It took a test message to your address">
            {save.data.words}
          </Banner>
        )}
        <TextField label="Host" placeholder="smtp.example.org" {...text('host')} />
        <NumberField
          label="Port"
          value={typed.port}
          onChange={(port) => setTyped((before) => ({ ...before, port: port ?? 0 }))}
        />
        <SelectField
          label="Encryption"
          value={typed.security}
          onChange={(security) => setTyped((before) => ({ ...before, security }))}
          options={MAIL_SECURITY.map((value) => ({ value, label: SECURITY_WORDS[value] }))}
        />
        <TextField label="User name" help="Empty where the server asks for none" {...text('username')} />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          {...password.field}
          help={
            hasPassword ? 'One is stored. Left empty, it stays, unless host or user name change.' : 'Stored encrypted'
          }
        />
        <TextField label="From" type="email" placeholder="shapecast@example.org" {...text('from')} />
        <TextField label="Address of this installation" help="Links in messages lead there" {...text('publicUrl')} />
        <Text size="small" tone="text2">
          Once it is set up, people are told things by mail if they want, and reset forgotten passwords by it. The
          server may be in a private network.
        </Text>
        <Row gap={1} wrap>
          <Button type="submit" variant="contained" {...busyButton(save.isPending)}>
            {save.isPending ? 'Sending a test…' : 'Save and send a test'}
          </Button>
          {mail !== null && (
            <Button variant="text" {...busyButton(forget.isPending, () => forget.mutate({}))}>
              Forget
            </Button>
          )}
        </Row>
      </form>
    </Card>
  )
}

function TelegramCard({ bot }: { bot: string | null }) {
  const token = useTyped()
  const apiUrl = useTyped(TELEGRAM_API)
  const save = useEndpointMutation(setTelegram, { onSuccess: () => token.set('') })
  const forget = useEndpointMutation(forgetTelegram)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ body: { token: token.text, apiUrl: apiUrl.text } })
  }
  const error = save.error ?? forget.error
  return (
    <Card title="Telegram bot" facts={bot === null ? 'none' : `@${bot}`}>
      <form noValidate onSubmit={submit} className={layout.formFields}>
        <FailureBanner error={error} text="The bot was not changed." />
        {save.isSuccess && <Banner kind="info" title={`Telegram knows it as @${save.data.bot}`} />}
        <PasswordField
          label="Token"
          autoComplete="off"
          {...token.field}
          help="Of @BotFather in Telegram: /newbot. Stored encrypted."
        />
        <TextField
          label="Bot API server"
          autoComplete="off"
          {...apiUrl.field}
          help="Telegram's own, unless you run one"
        />
        <Row gap={1} wrap>
          <Button type="submit" variant="contained" disabled={token.text.trim() === ''} {...busyButton(save.isPending)}>
            {save.isPending ? 'Asking Telegram…' : 'Save and test'}
          </Button>
          {bot !== null && (
            <Button variant="text" {...busyButton(forget.isPending, () => forget.mutate({}))}>
              Forget
            </Button>
          )}
        </Row>
      </form>
    </Card>
  )
}

/** What this installation sends by, which an admin sets up. */
export function OutletsPage() {
  const reply = useEndpointQuery(outlets, {})
  const known = reply.data
  return (
    <div className={layout.formColumn}>
      {known === undefined ? (
        <Card title="Mail server" flush>
          <QueryBoundary reply={reply} of="the settings" px={36} rows={5} inset />
        </Card>
      ) : (
        <>
          <MailCard key={known.mail?.host ?? ''} mail={known.mail} />
          <TelegramCard bot={known.telegram} />
        </>
      )}
    </div>
  )
}
