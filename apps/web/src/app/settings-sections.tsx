import {
  Bell,
  BellRing,
  BookA,
  CircleX,
  KeyRound,
  ScrollText,
  Send,
  Server,
  ShieldCheck,
  SquareKanban,
  UserRound,
  Users,
} from 'lucide-react'
import { SettingsPage, type SettingsSection } from '../features/settings/settings-page.tsx'

/** What stands in Settings, from several features. The first one is what `/settings` opens on. */
const SECTIONS: readonly SettingsSection[] = [
  {
    path: '',
    label: 'System',
    group: 'Project',
    icon: Server,
    access: 'anyone',
  },
  {
    path: 'tasks',
    label: 'Task board',
    group: 'Project',
    icon: SquareKanban,
    access: 'anyone',
  },
  {
    path: 'glossary',
    label: 'Glossary',
    group: 'Project',
    icon: BookA,
    access: 'anyone',
  },
  { path: 'profile', label: 'Profile', group: 'You', icon: UserRound, access: 'user' },
  { path: 'security', label: 'Security', group: 'You', icon: ShieldCheck, access: 'user' },
  {
    path: 'notifications',
    label: 'Notifications',
    group: 'You',
    icon: Bell,
    access: 'user',
  },
  { path: 'alerts', label: 'Alerts', group: 'You', icon: BellRing, access: 'user' },
  { path: 'users', label: 'Users', group: 'Administration', icon: Users, access: 'admin' },
  {
    path: 'exchange-keys',
    label: 'Exchange keys',
    group: 'Administration',
    icon: KeyRound,
    access: 'admin',
  },
  {
    path: 'outlets',
    label: 'Mail and Telegram',
    group: 'Administration',
    icon: Send,
    access: 'admin',
  },
  {
    path: 'failed-jobs',
    label: 'Failed jobs',
    group: 'Administration',
    icon: CircleX,
    access: 'admin',
  },
  {
    path: 'audit',
    label: 'Audit',
    group: 'Administration',
    icon: ScrollText,
    access: 'admin',
  },
]

export const Settings = () => <SettingsPage sections={SECTIONS} />
