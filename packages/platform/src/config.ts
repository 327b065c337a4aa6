import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { type Environment, parseSettings, type Settings, SettingsError } from './settings.ts'

/** The settings with what they need on disk: the data folder and the installation's key. */
export interface Config extends Settings {
  readonly secretKey: string
}

/** The environment over what an `.env` file in `folder` says; the environment wins. */
export function withEnvFile(env: Environment, folder: string): Environment {
  const file = resolve(folder, '.env')
  if (!existsSync(file)) return env
  return { ...parseEnv(readFileSync(file, 'utf8')), ...env }
}

/**
 * The checked settings of this process. Makes the data folder, and in it (mode 600) a key where none is given.
 * Throws a SettingsError that names the variable.
 */
export function loadConfig(env: Environment = withEnvFile(process.env, process.cwd())): Config {
  const settings = parseSettings(env)
  makeDataFolder(settings.dataDir)
  return { ...settings, secretKey: settings.secretKey ?? keptKey(settings.dataDir) }
}

function makeDataFolder(folder: string): void {
  // As root the database server runs as another user, who has to be able to pass through.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  try {
    mkdirSync(folder, { recursive: true, mode })
  } catch (cause) {
    throw new SettingsError(`DATA_DIR: the folder ${folder} cannot be made (${reasonOf(cause)}).`)
  }
}

/** Several processes may start at once on an empty folder: the first link wins and all read the same key. */
function keptKey(folder: string): string {
  const file = join(folder, 'secret-key')
  try {
    if (!existsSync(file)) {
      const mine = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
      writeFileSync(mine, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true })
      try {
        linkSync(mine, file)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      } finally {
        rmSync(mine, { force: true })
      }
    }
    const key = readFileSync(file, 'utf8').trim()
    if (key.length >= 32) return key
  } catch (cause) {
    throw new SettingsError(`DATA_DIR: the key in ${file} cannot be read or made (${reasonOf(cause)}).`)
  }
  throw new SettingsError(`SECRET_KEY: ${file} is too short to be a key. Restore it from a backup or set SECRET_KEY.`)
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
