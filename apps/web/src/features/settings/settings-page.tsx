import type { LucideIcon } from 'lucide-react'
import { Navigate, NavLink, Outlet, useLocation, useNavigate } from 'react-router'
import layout from '#kit/ui/layout.module.css'
import { Columns, Text } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { paths } from '#routes/paths.ts'
import { useUser } from '#wire/session/auth-context.ts'
import css from './settings-page.module.css'

interface SettingsSection {
  /** Below `/settings`; empty for the one that it opens on. */
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
}

export interface SettingsGroup {
  readonly name: string
  /** Who finds it here; the services decide by themselves who may do what. */
  readonly access: 'anyone' | 'user' | 'admin'
  readonly sections: readonly SettingsSection[]
}

const addressOf = ({ path }: SettingsSection) => (path === '' ? paths.settings : paths.settingsPage(path))

/** Settings and the pages below it: their names at the left, in a select below md. What somebody may not see leads to the dashboard. */
export function SettingsPage({ groups }: { groups: readonly SettingsGroup[] }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const user = useUser()
  const shown = groups.filter(
    ({ access }) => access === 'anyone' || (user !== null && (access === 'user' || user.role === 'admin')),
  )
  const options = shown.flatMap(({ name, sections }) =>
    sections.map((section) => ({ value: addressOf(section), label: section.label, note: name })),
  )
  return (
    <Columns gap={3} lineGap={2} align="start" at={{ md: '208px minmax(0, 1fr)' }}>
      <div>
        <Text size="h1" className={css.title}>
          Settings
        </Text>
        <div className={css.narrow}>
          <SelectField
            label="Section"
            value={pathname}
            onChange={(address) => void navigate(address)}
            options={options}
          />
        </div>
        <nav aria-label="Settings" className={css.wide}>
          {shown.map(({ name, sections }) => (
            <div key={name} style={{ marginBottom: 20 }}>
              <Text as="div" size="label" tone="text2" className={css.groupName}>
                {name}
              </Text>
              {sections.map((section) => (
                <NavLink key={section.path} to={addressOf(section)} end className={css.entry ?? ''}>
                  <section.icon size={16} aria-hidden />
                  {section.label}
                </NavLink>
              ))}
            </div>
          ))}
        </nav>
      </div>
      <div className={layout.shrinks}>
        {options.some(({ value }) => value === pathname) ? <Outlet /> : <Navigate to={paths.dashboard} replace />}
      </div>
    </Columns>
  )
}
