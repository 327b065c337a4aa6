import { Box, Typography } from '@mui/material'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Navigate, NavLink, Route, Routes, useLocation, useNavigate } from 'react-router'
import { colors } from '#kit/theme/tokens.ts'
import { typeScale } from '#kit/theme/typography.ts'
import { SelectField } from '#kit/ui/select-field.tsx'
import { paths } from '#routes/paths.ts'
import { useUser } from '#wire/session/auth-context.ts'

const GROUPS = ['Project', 'You', 'Administration'] as const

export interface SettingsSection {
  /** Below `/settings`; empty for the one that it opens on. */
  readonly path: string
  readonly label: string
  readonly group: (typeof GROUPS)[number]
  readonly icon: LucideIcon
  /** Who finds it here; the services decide by themselves who may do what. */
  readonly access: 'anyone' | 'user' | 'admin'
  readonly element: ReactNode
}

const addressOf = ({ path }: SettingsSection) => (path === '' ? paths.settings : paths.settingsPage(path))

/** Settings and the pages below it: their names at the left, in a select below md. Any other address leads to the dashboard. */
export function SettingsPage({ sections }: { sections: readonly SettingsSection[] }) {
  const user = useUser()
  const shown = sections.filter(
    ({ access }) => access === 'anyone' || (user !== null && (access === 'user' || user.role === 'admin')),
  )
  return (
    <Box sx={pageStyle}>
      <Box>
        <Typography variant="h1" sx={{ px: { md: 1.5 }, mb: { xs: 1.5, md: 2 } }}>
          Settings
        </Typography>
        <NarrowNavigation sections={shown} />
        <WideNavigation sections={shown} />
      </Box>
      <Box sx={{ minWidth: 0 }}>
        <Routes>
          {shown.map((section) => (
            <Route key={section.path} path={section.path} element={section.element} />
          ))}
          <Route path="*" element={<Navigate to={paths.dashboard} replace />} />
        </Routes>
      </Box>
    </Box>
  )
}

function NarrowNavigation({ sections }: { sections: readonly SettingsSection[] }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  if (sections.length < 2) return null
  return (
    <Box sx={{ display: { xs: 'block', md: 'none' } }}>
      <SelectField
        label="Section"
        value={pathname}
        onChange={(address) => void navigate(address)}
        options={sections.map((section) => ({ value: addressOf(section), label: section.label, note: section.group }))}
      />
    </Box>
  )
}

const WideNavigation = ({ sections }: { sections: readonly SettingsSection[] }) => (
  <Box component="nav" aria-label="Settings" sx={{ display: { xs: 'none', md: 'block' } }}>
    {GROUPS.map((group) => {
      const members = sections.filter((section) => section.group === group)
      return (
        members.length > 0 && (
          <Box key={group} sx={{ mb: 2.5 }}>
            <Typography variant="label" component="div" sx={{ px: 1.5, mb: 0.75, color: colors.text2 }}>
              {group}
            </Typography>
            {members.map((section) => (
              <Box key={section.path} component={NavLink} to={addressOf(section)} end sx={entryStyle}>
                <section.icon size={16} aria-hidden />
                {section.label}
              </Box>
            ))}
          </Box>
        )
      )
    })}
  </Box>
)

const pageStyle = {
  display: 'grid',
  columnGap: 3,
  rowGap: 2,
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '208px minmax(0, 1fr)' },
} as const

const entryStyle = {
  ...typeScale.bodyStrong,
  display: 'flex',
  alignItems: 'center',
  gap: 1.5,
  height: 36,
  px: 1.5,
  borderRadius: 1,
  color: colors.text2,
  textDecoration: 'none',
  '&:hover': { color: colors.text, backgroundColor: colors.rowHover },
  '&.active': { color: colors.text, backgroundColor: colors.button },
} as const
