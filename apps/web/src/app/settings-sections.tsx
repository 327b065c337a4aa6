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
import { type SettingsGroup, SettingsPage } from '../features/settings/settings-page.tsx'

/** What stands in Settings, from several features. The first one is what `/settings` opens on. */
const GROUPS: readonly SettingsGroup[] = [
  {
    name: 'Project',
    access: 'anyone',
    sections: [
      { path: '', label: 'System', icon: Server },
      { path: 'tasks', label: 'Task board', icon: SquareKanban },
      { path: 'glossary', label: 'Glossary', icon: BookA },
    ],
  },
  {
    name: 'You',
    access: 'user',
    sections: [
      { path: 'profile', label: 'Profile', icon: UserRound },
      { path: 'security', label: 'Security', icon: ShieldCheck },
      { path: 'notifications', label: 'Notifications', icon: Bell },
      { path: 'alerts', label: 'Alerts', icon: BellRing },
    ],
  },
  {
    name: 'Administration',
    access: 'admin',
    sections: [
      { path: 'users', label: 'Users', icon: Users },
      { path: 'exchange-keys', label: 'Exchange keys', icon: KeyRound },
      { path: 'outlets', label: 'Mail and Telegram', icon: Send },
      { path: 'failed-jobs', label: 'Failed jobs', icon: CircleX },
      { path: 'audit', label: 'Audit', icon: ScrollText },
    ],
  },
]

export const Settings = () => <SettingsPage groups={GROUPS} />
