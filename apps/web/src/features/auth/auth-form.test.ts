import { describe, expect, it } from 'vitest'
import { SignInForm, SignUpForm } from './auth-form.ts'

/** The first message of each field, as the form shows it. */
function messages(schema: typeof SignInForm | typeof SignUpForm, input: unknown): Record<string, string> {
  const found: Record<string, string> = {}
  for (const issue of schema.safeParse(input).error?.issues ?? []) found[issue.path.join('.')] ??= issue.message
  return found
}

const good = {
  username: 'mira',
  email: 'mira@example.org',
  password: 'secret',
  confirmPassword: 'secret',
  code: '',
  invitation: '',
}

describe('Sign In', () => {
  it('wants an email and a password', () => {
    expect(messages(SignInForm, { email: ' ', password: '', code: '' })).toEqual({
      email: 'Email is required',
      password: 'Password is required',
    })
  })

  it('wants the email to be one', () => {
    expect(messages(SignInForm, { email: 'mira', password: 'x', code: '' })).toEqual({
      email: 'Enter an email address',
    })
    const long = `${'a'.repeat(250)}@example.org`
    expect(messages(SignInForm, { email: long, password: 'x', code: '' })).toEqual({
      email: 'Email must be at most 254 characters long',
    })
  })

  it('takes a password of any length: an old one may be shorter than a new one must be', () => {
    expect(SignInForm.parse({ email: ' Mira@Example.org ', password: 'x', code: '' })).toEqual({
      email: 'mira@example.org',
      password: 'x',
      code: '',
    })
  })
})

describe('Sign Up', () => {
  it('takes a user name of 3 and a password of 6 characters', () => {
    expect(messages(SignUpForm, { ...good, username: 'abc' })).toEqual({})
    expect(messages(SignUpForm, { ...good, username: 'ab' })).toEqual({
      username: 'Username must be at least 3 characters long',
    })
    expect(messages(SignUpForm, { ...good, password: '12345', confirmPassword: '12345' })).toEqual({
      password: 'Password must be at least 6 characters long',
    })
  })

  it('does not count spaces around a user name', () => {
    expect(messages(SignUpForm, { ...good, username: ' ab ' })).toHaveProperty('username')
  })

  it('wants both passwords to be the same', () => {
    expect(messages(SignUpForm, { ...good, confirmPassword: 'Secret' })).toEqual({
      confirmPassword: 'Passwords do not match',
    })
  })

  it('says what is missing', () => {
    expect(messages(SignUpForm, { ...good, email: '', password: '', confirmPassword: '' })).toEqual({
      email: 'Email is required',
      password: 'Password is required',
    })
  })
})
