import type { Channel } from '@shapecast/contracts/notifications'
import type { NotificationChannel } from './channel.ts'
import { webhook } from './webhook.ts'

export type Channels = Readonly<Record<Channel, NotificationChannel>>

export const CHANNEL_SENDERS: Channels = { webhook }

/** The purpose under which secrets of receivers are sealed. */
export const RECEIVER_SEAL = 'webhook-secrets'
