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
  ALLOWED_HOSTS: orDefault(Names, ''),
  PORT: orDefault(Port, '8080'),
  TRADING_PORT: servicePort(3000),
  SOCIAL_PORT: servicePort(4000),
  DATA_DIR: orDefault(z.string(), './data'),
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
  MARKET_URLS: optional(JsonObject('must be JSON such as {"api":{"public":"https://mirror.example/api/v3"}}')),
  TESTNET: orDefault(Flag, 'true'),
  SANDBOX_URLS: optional(JsonObject('must be JSON such as {"api":{"private":"http://127.0.0.1:9000/api/v3"}}')),
  ROLE: orDefault(z.enum(ROLES_OF_PROCESS, 'must be all, api or worker'), 'all'),
  WORKERS: optional(whole(0, 256)),
  MODELS_KEPT: orDefault(whole(1, 10_000), String(MODELS_KEPT_BY_DEFAULT)),
  BOT_CANDLES_KEPT: orDefault(whole(5_000, 10_000_000), String(BOT_CANDLES_KEPT_BY_DEFAULT)),
  SECRET_KEY: optional(z.string().min(32, 'must be at least 32 characters long')),
  OPENAI_API_KEY: optional(z.string()),
  OPENAI_BASE_URL: optional(Url(['http:', 'https:'], 'must be an http or https address')),
  OPENAI_MODEL: optional(z.string()),
  OPENAI_PRICES: optional(Prices),
  LOG_LEVEL: orDefault(z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`), 'info'),
  REPLAY_FROM: optional(
    z
      .string()
      .refine(
        (value) => /^\d+$/.test(value) || !Number.isNaN(Date.parse(value)),
        'must be a time, such as 2024-01-31T00:00:00Z, or milliseconds since 1970',
      )
      .transform((value) => (/^\d+$/.test(value) ? Number(value) : Date.parse(value))),
  ),
  REPLAY_SPEED: orDefault(z.coerce.number('must be a number').min(0, 'must be 0 or more'), '0'),
  TRUST_PROXY: orDefault(Proxies, 'false'),
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
export function parseSettings(environment: Environment): Settings {
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
  const given = Object.keys(parsed.data).filter((name) => env[name] !== undefined && env[name] !== '')
  return settingsOf(parsed.data, new Set(given))
}

const settingsOf = (e: z.output<typeof Environment>, given: ReadonlySet<string>) => ({
  host: e.HOST,
  /** Names that the product answers to beyond those of this machine; `*` is any. */
  allowedHosts: e.ALLOWED_HOSTS,
  /** 0 picks a free one. */
  port: e.PORT,
  /** A port of null is off. */
  tradingPort: e.TRADING_PORT,
  socialPort: e.SOCIAL_PORT,
  /** Names of the variables that were given, so that a clash of a default can be told from a clash of a wish. */
  given,
  /** Absolute. */
  dataDir: resolve(e.DATA_DIR),
  /** null: the embedded PostgreSQL. */
  databaseUrl: e.DATABASE_URL,
  market: e.MARKET,
  /** Addresses in place of the exchange's own, in the form of ccxt's `urls`. */
  marketUrls: e.MARKET_URLS,
  testnet: e.TESTNET,
  /** Addresses in place of those of the exchange's sandbox, in the form of ccxt's `urls`; unused on the mainnet. */
  sandboxUrls: e.SANDBOX_URLS,
  role: e.ROLE,
  /** null: as many as the machine can feed. */
  workers: e.WORKERS,
  /** Superseded models of a version and series that are kept where nothing names them. */
  modelsKept: e.MODELS_KEPT,
  botCandlesKept: e.BOT_CANDLES_KEPT,
  secretKey: e.SECRET_KEY,
  openai: {
    apiKey: e.OPENAI_API_KEY,
    baseUrl: e.OPENAI_BASE_URL,
    model: e.OPENAI_MODEL,
    usdPerMillion: e.OPENAI_PRICES,
  } satisfies OpenaiSettings,
  logLevel: e.LOG_LEVEL,
  /** Where a replay starts, ms. */
  replayFrom: e.REPLAY_FROM,
  /** Market seconds a second; 0 stands at the last candle. */
  replaySpeed: e.REPLAY_SPEED,
  /** How many proxies in front of us add the caller's address to X-Forwarded-For. */
  proxies: e.TRUST_PROXY,
  /** What /metrics asks for as a bearer token; null lets anybody read it. */
  metricsToken: e.METRICS_TOKEN,
})
/** The settings of one process, checked. */
export type Settings = Readonly<ReturnType<typeof settingsOf>>
