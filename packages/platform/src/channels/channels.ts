import type { Channel } from '@shapecast/contracts/notifications'
import type { NotificationChannel } from './channel.ts'
import { mailChannel } from './mail.ts'
import type { Outlets } from './outlets.ts'
import { pushChannel } from './push.ts'
import { telegramChannel } from './telegram.ts'
import { webhook } from './webhook.ts'

export type Channels = Readonly<Record<Channel, NotificationChannel>>

/** The channels of an installation. One that an admin has not set up throws when it is sent by. */
export const channelsOf = ({ mail, telegram, push, publicUrl }: Outlets): Channels => ({
  webhook,
  email: mail === null ? off('mail server') : mailChannel(mail),
  telegram: telegram === null ? off('Telegram bot') : telegramChannel(telegram, publicUrl),
  push: pushChannel(push, publicUrl),
})

const off = (what: string): NotificationChannel => ({
  send: () => Promise.reject(new Error(`this installation has no ${what}`)),
})

/** The purpose under which secrets of receivers are sealed. */
export const RECEIVER_SEAL = 'webhook-secrets'
