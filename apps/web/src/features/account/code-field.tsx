import { TextField } from '#kit/ui/text-field.tsx'

/** Takes a code of the authenticator app. */
export const CodeField = ({
  value,
  onChange,
  help,
}: {
  value: string
  onChange: (code: string) => void
  help?: string
}) => (
  <TextField
    label="Code"
    autoComplete="one-time-code"
    value={value}
    onChange={(event) => onChange(event.target.value)}
    help={help}
  />
)
