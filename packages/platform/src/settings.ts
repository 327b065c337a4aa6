import { resolve } from 'node:path'
import { AUTO_EXCHANGE } from '@shapecast/contracts/exchanges'
import { z } from 'zod'

const PORT_TEXT = 'must be a port number from 0 to 65535'
const Port = z.coerce.number(PORT_TEXT).int(PORT_TEXT).min(0, PORT_TEXT).max(65_535, PORT_TEXT)
/** Superseded models of a version and series, where `MODELS_KEPT` says nothing. */
export const MODELS_KEPT_BY_DEFAULT = 20
/** Candles of a bot whose decisions are kept, where `BOT_CANDLES_KEPT` says nothing. */
export const BOT_CANDLES_KEPT_BY_DEFAULT = 20_000
const KEPT_TEXT = 'must be a whole number from 1 to 10000'
const CANDLES_TEXT = 'must be a whole number from 5000 to 10000000'
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
const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

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
  WORKERS: optional(
    z.coerce
      .number('must be a whole number from 0 to 256')
      .int('must be a whole number from 0 to 256')
      .min(0, 'must be a whole number from 0 to 256')
      .max(256, 'must be a whole number from 0 to 256'),
  ),
  MODELS_KEPT: orDefault(
    z.coerce.number(KEPT_TEXT).int(KEPT_TEXT).min(1, KEPT_TEXT).max(10_000, KEPT_TEXT),
    String(MODELS_KEPT_BY_DEFAULT),
  ),
  BOT_CANDLES_KEPT: orDefault(
    z.coerce.number(CANDLES_TEXT).int(CANDLES_TEXT).min(5_000, CANDLES_TEXT).max(10_000_000, CANDLES_TEXT),
    String(BOT_CANDLES_KEPT_BY_DEFAULT),
  ),
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
export type ProcessRole = (typeof ROLES_OF_PROCESS)[number]

/** The server of the language model; null where a part was not named. */
export interface OpenaiSettings {
  readonly apiKey: string | null
  readonly baseUrl: string | null
  readonly model: string | null
  /** What tokens cost, US dollars. */
  readonly usdPerMillion: { readonly input: number; readonly output: number } | null
}

/** The settings of one process, checked. `DATA_DIR` is absolute; a port of null is off. */
export interface Settings {
  readonly host: string
  /** Names that the product answers to beyond those of this machine; `*` is any. */
  readonly allowedHosts: readonly string[]
  /** 0 picks a free one. */
  readonly port: number
  readonly tradingPort: number | null
  readonly socialPort: number | null
  /** Names of the variables that were given, so that a clash of a default can be told from a clash of a wish. */
  readonly given: ReadonlySet<string>
  readonly dataDir: string
  /** null: the embedded PostgreSQL. */
  readonly databaseUrl: string | null
  readonly market: string
  /** Addresses in place of the exchange's own, in the form of ccxt's `urls`. */
  readonly marketUrls: object | null
  readonly testnet: boolean
  /** Addresses in place of those of the exchange's sandbox, in the form of ccxt's `urls`; unused on the mainnet. */
  readonly sandboxUrls: object | null
  readonly role: ProcessRole
  /** null: as many as the machine can feed. */
  readonly workers: number | null
  /** Superseded models of a version and series that are kept where nothing names them. */
  readonly modelsKept: number
  readonly botCandlesKept: number
  readonly secretKey: string | null
  readonly openai: OpenaiSettings
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** Where a replay starts, ms. */
  readonly replayFrom: number | null
  /** Market seconds a second; 0 stands at the last candle. */
  readonly replaySpeed: number
  /** How many proxies in front of us add the caller's address to X-Forwarded-For. */
  readonly proxies: number
  /** What /metrics asks for as a bearer token; null lets anybody read it. */
  readonly metricsToken: string | null
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
  const e = parsed.data
  return {
    host: e.HOST,
    allowedHosts: e.ALLOWED_HOSTS,
    port: e.PORT,
    tradingPort: e.TRADING_PORT,
    socialPort: e.SOCIAL_PORT,
    given: new Set(Object.keys(e).filter((name) => env[name] !== undefined && env[name] !== '')),
    dataDir: resolve(e.DATA_DIR),
    databaseUrl: e.DATABASE_URL ?? null,
    market: e.MARKET,
    marketUrls: e.MARKET_URLS ?? null,
    testnet: e.TESTNET,
    sandboxUrls: e.SANDBOX_URLS ?? null,
    role: e.ROLE,
    workers: e.WORKERS ?? null,
    modelsKept: e.MODELS_KEPT,
    botCandlesKept: e.BOT_CANDLES_KEPT,
    secretKey: e.SECRET_KEY ?? null,
    openai: {
      apiKey: e.OPENAI_API_KEY ?? null,
      baseUrl: e.OPENAI_BASE_URL ?? null,
      model: e.OPENAI_MODEL ?? null,
      usdPerMillion: e.OPENAI_PRICES ?? null,
    },
    logLevel: e.LOG_LEVEL,
    replayFrom: e.REPLAY_FROM ?? null,
    replaySpeed: e.REPLAY_SPEED,
    proxies: e.TRUST_PROXY,
    metricsToken: e.METRICS_TOKEN ?? null,
  }
}
