import type { LucideIcon } from 'lucide-react'
import { Navigate, NavLink, Outlet, useLocation, useNavigate } from 'react-router'
import layout from '#kit/ui/layout.module.css'
import { Columns, Text } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { paths } from '#routes/paths.ts'
import { useUser } from '#wire/session/auth-context.ts'
import css from './settings-page.module.css'

const GROUPS = ['Project', 'You', 'Administration'] as const

export interface SettingsSection {
  /** Below `/settings`; empty for the one that it opens on. */
  readonly path: string
  readonly label: string
  readonly group: (typeof GROUPS)[number]
  readonly icon: LucideIcon
  /** Who finds it here; the services decide by themselves who may do what. */
  readonly access: 'anyone' | 'user' | 'admin'
}

const addressOf = ({ path }: SettingsSection) => (path === '' ? paths.settings : paths.settingsPage(path))

/** Settings and the pages below it: their names at the left, in a select below md. What somebody may not see leads to the dashboard. */
export function SettingsPage({ sections }: { sections: readonly SettingsSection[] }) {
  const { pathname } = useLocation()
  const user = useUser()
  const shown = sections.filter(
    ({ access }) => access === 'anyone' || (user !== null && (access === 'user' || user.role === 'admin')),
  )
  return (
    <Columns gap={3} lineGap={2} align="start" at={{ md: '208px minmax(0, 1fr)' }}>
      <div>
        <Text size="h1" className={css.title}>
          Settings
        </Text>
        <NarrowNavigation sections={shown} />
        <WideNavigation sections={shown} />
      </div>
      <div className={layout.shrinks}>
        {shown.some((section) => addressOf(section) === pathname) ? (
          <Outlet />
        ) : (
          <Navigate to={paths.dashboard} replace />
        )}
      </div>
    </Columns>
  )
}

function NarrowNavigation({ sections }: { sections: readonly SettingsSection[] }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  if (sections.length < 2) return null
  return (
    <div className={css.narrow}>
      <SelectField
        label="Section"
        value={pathname}
        onChange={(address) => void navigate(address)}
        options={sections.map((section) => ({ value: addressOf(section), label: section.label, note: section.group }))}
      />
    </div>
  )
}

const WideNavigation = ({ sections }: { sections: readonly SettingsSection[] }) => (
  <nav aria-label="Settings" className={css.wide}>
    {GROUPS.map((group) => {
      const members = sections.filter((section) => section.group === group)
      return (
        members.length > 0 && (
          <div key={group} style={{ marginBottom: 20 }}>
            <Text as="div" size="label" tone="text2" className={css.groupName}>
              {group}
            </Text>
            {members.map((section) => (
              <NavLink key={section.path} to={addressOf(section)} end className={css.entry ?? ''}>
                <section.icon size={16} aria-hidden />
                {section.label}
              </NavLink>
            ))}
          </div>
        )
      )
    })}
  </nav>
)
