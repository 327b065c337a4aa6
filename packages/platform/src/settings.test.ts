import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadConfig, withEnvFile } from './config.ts'
import { parseSettings } from './settings.ts'

describe('settings', () => {
  it('has the documented defaults in an empty environment', () => {
    expect(parseSettings({})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      tradingPort: 3000,
      socialPort: 4000,
      dataDir: join(process.cwd(), 'data'),
      databaseUrl: null,
      market: 'auto',
      testnet: true,
      role: 'all',
      workers: null,
      logLevel: 'info',
      replayFrom: null,
      replaySpeed: 0,
      proxies: 0,
      metricsToken: null,
    })
  })

  it('turns a service port off where it is empty, and takes 0 for any free one', () => {
    expect(parseSettings({ TRADING_PORT: '', SOCIAL_PORT: '', PORT: '0' })).toMatchObject({
      tradingPort: null,
      socialPort: null,
      port: 0,
    })
  })

  it.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['PORT', '80.5'],
    ['TRADING_PORT', '-1'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_URL', 'nonsense'],
    ['TESTNET', 'perhaps'],
    ['ROLE', 'boss'],
    ['WORKERS', '-1'],
    ['WORKERS', '1.5'],
    ['SECRET_KEY', 'short'],
    ['OPENAI_BASE_URL', 'ftp://x'],
    ['OPENAI_PRICES', '0.15'],
    ['LOG_LEVEL', 'loud'],
    ['REPLAY_FROM', 'yesterday'],
    ['REPLAY_SPEED', '-3'],
    ['MARKET', 'Binance!'],
    ['MARKET_URLS', 'https://mirror.example'],
    ['MARKET_URLS', '["a list"]'],
    ['SANDBOX_URLS', 'http://127.0.0.1:9000'],
    ['TRUST_PROXY', 'all'],
    ['TRUST_PROXY', '10'],
  ])('names %s where it is "%s"', (name, value) => {
    expect(() => parseSettings({ [name]: value })).toThrow(new RegExp(`^${name} must be`))
  })

  it('names every bad variable at once, and shows no secret', () => {
    expect(() => parseSettings({ PORT: 'x', ROLE: 'y', SECRET_KEY: 'hunter2' })).toThrow(
      /^(?=[\s\S]*PORT)(?=[\s\S]*ROLE)(?=[\s\S]*SECRET_KEY)(?![\s\S]*hunter2)/,
    )
  })

  it('reads the addresses of an exchange as JSON', () => {
    const urls = { api: { public: 'https://mirror.example/api/v3' } }
    expect(parseSettings({ MARKET_URLS: JSON.stringify(urls) }).marketUrls).toEqual(urls)
    expect(parseSettings({ MARKET_URLS: '' }).marketUrls).toBeNull()
  })

  it.each([
    ['true', 1],
    ['yes', 1],
    ['1', 1],
    ['2', 2],
    ['0', 0],
    ['no', 0],
    ['', 0],
  ])('takes TRUST_PROXY=%s for %i proxies', (value, proxies) => {
    expect(parseSettings({ TRUST_PROXY: value }).proxies).toBe(proxies)
  })

  it('takes blanks for an empty value, not for a 0', () => {
    expect(
      parseSettings({ PORT: ' ', TRADING_PORT: ' ', WORKERS: ' ', MODELS_KEPT: ' ', BOT_CANDLES_KEPT: ' ' }),
    ).toMatchObject({
      port: 8080,
      tradingPort: null,
      workers: null,
      modelsKept: 20,
      botCandlesKept: 20_000,
    })
  })

  it('reads a replay start as a date or as milliseconds', () => {
    expect(parseSettings({ REPLAY_FROM: '2024-01-31T00:00:00Z' }).replayFrom).toBe(1_706_659_200_000)
    expect(parseSettings({ REPLAY_FROM: '1706659200000' }).replayFrom).toBe(1_706_659_200_000)
  })
})

describe('the configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shapecast-config-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('makes a key once, for its owner only, and keeps it', () => {
    const first = loadConfig({ DATA_DIR: join(folder, 'a') })
    expect(first.secretKey.length).toBeGreaterThanOrEqual(43)
    expect(statSync(join(folder, 'a', 'secret-key')).mode & 0o777).toBe(0o600)
    expect(loadConfig({ DATA_DIR: join(folder, 'a') }).secretKey).toBe(first.secretKey)
    expect(loadConfig({ DATA_DIR: join(folder, 'b') }).secretKey).not.toBe(first.secretKey)
  })

  it('takes a key that is given and writes none down', () => {
    const secretKey = 'k'.repeat(40)
    expect(loadConfig({ DATA_DIR: join(folder, 'c'), SECRET_KEY: secretKey }).secretKey).toBe(secretKey)
    expect(() => readFileSync(join(folder, 'c', 'secret-key'))).toThrow()
  })

  it('names DATA_DIR where the folder cannot be made', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => loadConfig({ DATA_DIR: join(folder, 'file', 'data') })).toThrow(/^DATA_DIR/)
  })

  it('reads .env, and lets the environment win over it', () => {
    writeFileSync(join(folder, '.env'), 'PORT=9000\nMARKET="replay"\n')
    const env = withEnvFile({ PORT: '9001' }, folder)
    expect(parseSettings(env)).toMatchObject({ port: 9001, market: 'replay' })
  })
})
