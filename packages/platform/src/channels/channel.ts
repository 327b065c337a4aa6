import type { NotificationKind } from '@shapecast/contracts/notifications'

/** What a person is told, as a channel sends it. */
export interface Message {
  readonly id: string
  readonly kind: NotificationKind | 'test'
  /** One line. */
  readonly title: string
  readonly text: string
  /** A path of the web client. */
  readonly link: string | null
  readonly createdAtMs: number
}

export interface Receiver {
  readonly url: string
  /** What messages are signed with; empty for a channel without. */
  readonly secret: string
  /** Whether it may be on this machine or in a private network. */
  readonly allowPrivate: boolean
}

/** A way out of the app. */
export interface NotificationChannel {
  /** Why messages may not go there; null when they may. */
  refusal(url: URL, allowPrivate: boolean): string | null
  /** Sends once, and gives the status of the answer: 200 to 299 means that it was taken. Throws without an answer. */
  send(message: Message, to: Receiver, atMs: number): Promise<number>
}
