import type { MailDraft } from '@shapecast/contracts/outlets'
import { eq, inArray } from 'drizzle-orm'
import webPush from 'web-push'
import type { Orm } from '../database/database.ts'
import { keep, keepFirst } from '../kept.ts'
import { createSeal } from '../seal.ts'
import { installation } from '../tables.ts'

export type MailOutlet = Omit<MailDraft, 'password'> & { readonly password: string }

export interface TelegramOutlet {
  readonly token: string
  /** Its name, without @. */
  readonly bot: string
  /** Where the Bot API answers, without a path. */
  readonly apiUrl: string
}

/** The keys (P-256, base64url) by which push services know this installation: VAPID, RFC 8292. */
export interface PushOutlet {
  readonly publicKey: string
  readonly privateKey: string
}

/** What an installation sends by. */
export interface Outlets {
  readonly mail: MailOutlet | null
  readonly telegram: TelegramOutlet | null
  readonly push: PushOutlet
  /** Where it is reached, without a path; null while nobody has said so. */
  readonly publicUrl: string | null
}

const KEYS = { mail: 'mail', telegram: 'telegram', push: 'push' } as const
type Outlet = keyof typeof KEYS
/** The purpose under which the secrets of outlets are sealed. */
const OUTLET_SEAL = 'outlets'

/** Mail server, Telegram bot and push keys of the installation, which are kept with their secrets sealed. */
export function createOutlets(orm: Orm, secretKey: string) {
  const { seal, open } = createSeal(secretKey, OUTLET_SEAL)

  const write = (on: Orm, name: Outlet, value: object, secret: string): Promise<void> =>
    keep(on, KEYS[name], { ...value, secret: seal(secret, name) })

  /** The keys of the first process that wants to push. */
  async function makePush(): Promise<PushOutlet> {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys()
    await keepFirst(orm, KEYS.push, { publicKey, secret: seal(privateKey, KEYS.push) })
    return (await readAll()).get(KEYS.push) as unknown as PushOutlet
  }

  /** Each with its opened secret under its name; what was sealed under another SECRET_KEY counts as not set up. */
  async function readAll(): Promise<Map<string, Record<string, unknown>>> {
    const names: Readonly<Record<Outlet, string>> = { mail: 'password', telegram: 'token', push: 'privateKey' }
    const rows = await orm
      .select()
      .from(installation)
      .where(inArray(installation.key, Object.values(KEYS)))
    return new Map(
      rows.flatMap(({ key, value }) => {
        const { secret, ...rest } = value as { secret: string }
        const opened = open(secret, key)
        return opened === null ? [] : [[key, { ...rest, [names[key as Outlet]]: opened }]]
      }),
    )
  }

  return {
    async read(): Promise<Outlets> {
      const all = await readAll()
      const mail = (all.get('mail') ?? null) as MailOutlet | null
      return {
        mail,
        telegram: (all.get('telegram') ?? null) as TelegramOutlet | null,
        push: (all.get('push') as PushOutlet | undefined) ?? (await makePush()),
        publicUrl: mail?.publicUrl ?? null,
      }
    },
    setMail: (on: Orm, { password, ...rest }: MailOutlet) => write(on, 'mail', rest, password),
    setTelegram: (on: Orm, { token, ...rest }: TelegramOutlet) => write(on, 'telegram', rest, token),
    forget: async (on: Orm, name: 'mail' | 'telegram'): Promise<void> => {
      await on.delete(installation).where(eq(installation.key, KEYS[name]))
    },
  }
}
export type OutletStore = ReturnType<typeof createOutlets>
