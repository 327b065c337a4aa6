import type { User } from '@shapecast/contracts/auth'
import { describe, expect, it } from 'vitest'
import { hasRole } from './auth-context.ts'

const user = (role: User['role']): User => ({
  id: '0190f3c2-6f3e-7a10-9d2b-0a1b2c3d4e5f',
  username: 'u',
  email: 'e',
  role,
})

describe('role check', () => {
  it('is true where the role is in the list', () => {
    expect(hasRole(user('bot_manager'), ['admin', 'bot_manager'])).toBe(true)
    expect(hasRole(user('user'), ['admin', 'bot_manager'])).toBe(false)
  })
  it('is false where nobody is signed in', () => expect(hasRole(null, ['admin', 'bot_manager', 'user'])).toBe(false))
})
