import { resolve } from 'node:path'
import { AUTO_EXCHANGE } from '@shapecast/contracts/exchanges'
import { z } from 'zod'

const whole = (from: number, to: number, what = 'whole number') => {
  const text = `must be a ${what} from ${from} to ${to}`
  return z.coerce.number(text).int(text).min(from, text).max(to, text)
}
const Port = whole(0, 65_535, 'port number')
/** Superseded models of a version and series, where `MODELS_KEPT` says nothing. */
export const MODELS_KEPT_BY_DEFAULT = 20
/** Candles of a bot whose decisions are kept, where `BOT_CANDLES_KEPT` says nothing. */
export const BOT_CANDLES_KEPT_BY_DEFAULT = 20_000
const YES_OR_NO = 'must be true or false'
const Flag = z
  .enum(['true', 'false', '1', '0', 'yes', 'no'], YES_OR_NO)
  .transform((value) => value === 'true' || value === '1' || value === 'yes')

const Proxies = z
  .string()
  .regex(/^(true|yes|false|no|\d)$/, 'must be true, false, or how many proxies stand in front, at most 9')
  .transform((value) => (/^\d$/.test(value) ? Number(value) : Number(value === 'true' || value === 'yes')))

/** `value` in the environment's form, or what stands for a missing or an empty one. */
const orDefault = <S extends z.ZodType>(schema: S, fallback: string) =>
  z.preprocess((value) => (value === undefined || value === '' ? fallback : value), schema)
/** Null where it is missing or empty. */
const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === undefined || value === '' ? null : value), schema.nullable())

/** Off where the variable is there but empty; a list of every setting is in docs/operations.md. */
const servicePort = (fallback: number) =>
  z.preprocess((value) => (value === undefined ? fallback : value === '' ? null : value), Port.nullable())

const Url = (protocols: readonly string[], text: string) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), text)

const JsonObject = (text: string) =>
  z.string().transform((value, context): object => {
    try {
      const parsed: unknown = JSON.parse(value)
      if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed
    } catch {
      // Said below, as for JSON that is no object.
    }
    context.addIssue({ code: 'custom', message: text })
    return z.NEVER
  })

export const ROLES_OF_PROCESS = ['all', 'api', 'worker'] as const
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const Names = z.string().transform((value) =>
  value
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => name !== ''),
)

/** Dollars a million tokens that go in, and that come out. */
const Prices = z
  .string()
  .regex(
    /^\d+(\.\d+)?\/\d+(\.\d+)?$/,
    'must be two prices in dollars a million tokens, input/output, such as 0.15/0.60',
  )
  .transform((text) => {
    const [input, output] = text.split('/').map(Number)
    return { input: input!, output: output! }
  })

const Environment = z.object({
  HOST: orDefault(z.string(), '127.0.0.1'),
  /** Names that the product answers to beyond those of this machine; `*` is any. */
  ALLOWED_HOSTS: orDefault(Names, ''),
  /** 0 picks a free one. */
  PORT: orDefault(Port, '8080'),
  TRADING_PORT: servicePort(3000),
  SOCIAL_PORT: servicePort(4000),
  DATA_DIR: orDefault(
    z.string().transform((path) => resolve(path)),
    './data',
  ),
  /** Null: the embedded PostgreSQL. */
  DATABASE_URL: optional(
    Url(
      ['postgres:', 'postgresql:'],
      'must be a PostgreSQL address such as postgres://user:password@host:5432/shapecast',
    ),
  ),
  MARKET: orDefault(
    z.string().regex(/^[a-z0-9_-]{1,40}$/, `must be auto, replay, simulated or an exchange such as ${AUTO_EXCHANGE}`),
    'auto',
  ),
  /** Addresses in place of the exchange's own, in the form of ccxt's `urls`. */
  MARKET_URLS: optional(JsonObject('must be JSON such as {"api":{"public":"https://mirror.example/api/v3"}}')),
  TESTNET: orDefault(Flag, 'true'),
  /** The same of the exchange's sandbox; unused on the mainnet. */
  SANDBOX_URLS: optional(JsonObject('must be JSON such as {"api":{"private":"http://127.0.0.1:9000/api/v3"}}')),
  ROLE: orDefault(z.enum(ROLES_OF_PROCESS, 'must be all, api or worker'), 'all'),
  /** Null: as many as the machine can feed. */
  WORKERS: optional(whole(0, 256)),
  /** Superseded models of a version and series that are kept where nothing names them. */
  MODELS_KEPT: orDefault(whole(1, 10_000), String(MODELS_KEPT_BY_DEFAULT)),
  BOT_CANDLES_KEPT: orDefault(whole(5_000, 10_000_000), String(BOT_CANDLES_KEPT_BY_DEFAULT)),
  SECRET_KEY: optional(z.string().min(32, 'must be at least 32 characters long')),
  OPENAI_API_KEY: optional(z.string()),
  OPENAI_BASE_URL: optional(Url(['http:', 'https:'], 'must be an http or https address')),
  OPENAI_MODEL: optional(z.string()),
  OPENAI_PRICES: optional(Prices),
  LOG_LEVEL: orDefault(z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`), 'info'),
  /** Where a replay starts, ms. */
  REPLAY_FROM: optional(
    z
      .string()
      .refine(
        (value) => /^\d+$/.test(value) || !Number.isNaN(Date.parse(value)),
        'must be a time, such as 2024-01-31T00:00:00Z, or milliseconds since 1970',
      )
      .transform((value) => (/^\d+$/.test(value) ? Number(value) : Date.parse(value))),
  ),
  /** Market seconds a second; 0 stands at the last candle. */
  REPLAY_SPEED: orDefault(z.coerce.number('must be a number').min(0, 'must be 0 or more'), '0'),
  /** `proxies`: how many in front of us add the caller's address to X-Forwarded-For. */
  TRUST_PROXY: orDefault(Proxies, 'false'),
  /** What /metrics asks for as a bearer token; null lets anybody read it. */
  METRICS_TOKEN: optional(
    z.string().regex(/^[\x21-\x7e]{16,}$/, 'must be at least 16 visible characters, without blanks'),
  ),
})

export type Environment = Readonly<Record<string, string | undefined>>

/** The server of the language model; null where a part was not named. */
export interface OpenaiSettings {
  readonly apiKey: string | null
  readonly baseUrl: string | null
  readonly model: string | null
  /** What tokens cost, US dollars. */
  readonly usdPerMillion: { readonly input: number; readonly output: number } | null
}

/** A setting that cannot be used. The text names the variable and says what it may be. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** Never repeated in a complaint. */
const SECRETS: ReadonlySet<string> = new Set(['SECRET_KEY', 'DATABASE_URL', 'METRICS_TOKEN'])

/** Reads the settings out of an environment; throws one SettingsError that names every bad variable. */
export function parseSettings(environment: Environment) {
  // Blanks are as good as nothing; as a number they would be 0.
  const env: Environment = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value?.trim() === '' ? '' : value]),
  )
  const parsed = Environment.safeParse(env)
  if (!parsed.success)
    throw new SettingsError(
      parsed.error.issues
        .map((issue) => {
          const name = String(issue.path[0])
          const shown = SECRETS.has(name) ? '' : ` (it is "${env[name]}")`
          return `${name} ${issue.message}${shown}.`
        })
        .join('\n'),
    )
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL, OPENAI_PRICES, TRUST_PROXY, ...plain } = parsed.data
  const openai: OpenaiSettings = {
    apiKey: OPENAI_API_KEY,
    baseUrl: OPENAI_BASE_URL,
    model: OPENAI_MODEL,
    usdPerMillion: OPENAI_PRICES,
  }
  /** Names of the variables that were given, so that a clash of a default can be told from a clash of a wish. */
  const given: ReadonlySet<string> = new Set(Object.keys(parsed.data).filter((name) => (env[name] ?? '') !== ''))
  return { ...inCamelCase(plain), openai, proxies: TRUST_PROXY, given }
}

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}`
  : Lowercase<Name>

/** `TRADING_PORT` as `tradingPort`: what the program calls a setting. */
const inCamelCase = <T extends object>(of: T) =>
  Object.fromEntries(
    Object.entries(of).map(([name, value]) => [
      name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  ) as { readonly [Name in keyof T & string as Camel<Name>]: T[Name] }

/** The settings of one process, checked. */
export type Settings = Readonly<ReturnType<typeof parseSettings>>
