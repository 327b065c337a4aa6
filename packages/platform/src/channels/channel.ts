import type { NotificationKind } from '@shapecast/contracts/notifications'

/** What a person is told, as a channel sends it. */
export interface Message {
  readonly id: string
  readonly kind: NotificationKind | 'test' | 'quiet'
  /** One line. */
  readonly title: string
  readonly text: string
  /** A path of the web client. */
  readonly link: string | null
  readonly createdAtMs: number
}

export interface Receiver {
  /** A URL, an email address, the id of a chat. */
  readonly address: string
  /** What messages are signed with, or where browsers take them; empty for a channel without. */
  readonly secret: string
  /** Whether an address that a person gave may be on this machine or in a private network. */
  readonly allowPrivate: boolean
}

/** What came of sending once. */
export interface Answer {
  readonly isTaken: boolean
  /** What the other side said: a status, and its words. */
  readonly words: string
  /** Before so long it takes nothing, ms. */
  readonly waitMs?: number
  /** It will never take anything there again. */
  readonly isGone?: boolean
  /** The receiver's secret from now on, where that has changed. */
  readonly secret?: string
}

/** A way out of the app. Sends once; throws without an answer. What is sent twice under one id is one message where the other side knows ids. */
export interface NotificationChannel {
  send(message: Message, to: Receiver, atMs: number): Promise<Answer>
}

/** Nothing is waited for longer than this, ms. */
export const PATIENCE_MS = 10_000

/** Where a message leads, in full; null where it leads nowhere, or nobody knows where this installation is reached. */
export const fullLink = (publicUrl: string | null, link: string | null): string | null =>
  publicUrl === null || link === null ? null : `${publicUrl}${link}`
