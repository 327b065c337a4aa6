import {
  Bell,
  BookA,
  CircleX,
  KeyRound,
  ScrollText,
  Server,
  ShieldCheck,
  SquareKanban,
  UserRound,
  Users,
} from 'lucide-react'
import { lazily } from '#kit/ui/lazily.tsx'
import { ProfilePage } from '../features/account/profile-page.tsx'
import { SecurityPage } from '../features/account/security-page.tsx'
import { NotificationsPage } from '../features/notifications/notifications-page.tsx'
import { ExchangeKeysPage } from '../features/settings/exchange-keys-page.tsx'
import { SettingsPage, type SettingsSection } from '../features/settings/settings-page.tsx'
import { SystemPage } from '../features/settings/system-page.tsx'
import { TaskBoard } from '../features/tasks/task-board.tsx'
import { UsersPage } from '../features/users/users-page.tsx'

const AuditPage = lazily(async () => (await import('../features/users/audit-page.tsx')).AuditPage)
const FailedJobsPage = lazily(async () => (await import('../features/users/failed-jobs-page.tsx')).FailedJobsPage)
const GlossaryPage = lazily(async () => (await import('../features/settings/glossary-page.tsx')).GlossaryPage)

/** What stands in Settings, from several features. The first one is what `/settings` opens on. */
const SECTIONS: readonly SettingsSection[] = [
  {
    path: '',
    label: 'System',
    group: 'Project',
    icon: Server,
    access: 'anyone',
    element: (
      <SystemPage>
        <TaskBoard />
      </SystemPage>
    ),
  },
  {
    path: 'tasks',
    label: 'Task board',
    group: 'Project',
    icon: SquareKanban,
    access: 'anyone',
    element: <TaskBoard />,
  },
  {
    path: 'glossary',
    label: 'Glossary',
    group: 'Project',
    icon: BookA,
    access: 'anyone',
    element: <GlossaryPage />,
  },
  { path: 'profile', label: 'Profile', group: 'You', icon: UserRound, access: 'user', element: <ProfilePage /> },
  { path: 'security', label: 'Security', group: 'You', icon: ShieldCheck, access: 'user', element: <SecurityPage /> },
  {
    path: 'notifications',
    label: 'Notifications',
    group: 'You',
    icon: Bell,
    access: 'user',
    element: <NotificationsPage />,
  },
  { path: 'users', label: 'Users', group: 'Administration', icon: Users, access: 'admin', element: <UsersPage /> },
  {
    path: 'exchange-keys',
    label: 'Exchange keys',
    group: 'Administration',
    icon: KeyRound,
    access: 'admin',
    element: <ExchangeKeysPage />,
  },
  {
    path: 'failed-jobs',
    label: 'Failed jobs',
    group: 'Administration',
    icon: CircleX,
    access: 'admin',
    element: <FailedJobsPage />,
  },
  {
    path: 'audit',
    label: 'Audit',
    group: 'Administration',
    icon: ScrollText,
    access: 'admin',
    element: <AuditPage />,
  },
]

export const Settings = () => <SettingsPage sections={SECTIONS} />
