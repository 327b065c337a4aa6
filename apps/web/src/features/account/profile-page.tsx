import layout from '#kit/ui/layout.module.css'
import { useUser } from '#wire/session/auth-context.ts'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { YourData } from './your-data.tsx'

/** The own name, address and password, and all own data: to download, or to delete with the account. */
export function ProfilePage() {
  const user = useUser()
  if (user === null) return null
  return (
    <div className={layout.formColumn}>
      <NameForm key={`${user.username} ${user.email}`} user={user} />
      <PasswordForm />
      <YourData />
    </div>
  )
}
