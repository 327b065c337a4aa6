import { spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { dirname } from 'node:path'

/** Whom PostgreSQL runs as. It refuses root, so as root it gets a system user of its own. */
export interface ServerUser {
  readonly ids: { readonly uid: number; readonly gid: number } | null
  /** Whether this user can pass through `folder` and its parents. */
  canReach(folder: string): boolean
  /** Hands a file or a folder over to this user. */
  own(path: string): void
}

const NAME = 'shapecast'

/** Ourselves, or as root the system user `shapecast`, made where it is missing. */
export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return { ids: null, canReach: () => true, own: () => undefined }
  const ids = lookUp() ?? create()
  return {
    ids,
    canReach(folder) {
      const probe = spawnSync('/bin/sh', ['-c', 'cd "$1" && cd "$2"', 'sh', dirname(folder), folder], {
        ...ids,
        cwd: '/',
        stdio: 'ignore',
      })
      return probe.status === 0
    },
    own: (path) => chownSync(path, ids.uid, ids.gid),
  }
}

function lookUp(): { uid: number; gid: number } | null {
  const id = (flag: string) => {
    const answer = spawnSync('id', [flag, NAME], { encoding: 'utf8' })
    return answer.status === 0 ? Number.parseInt(answer.stdout, 10) : Number.NaN
  }
  const [uid, gid] = [id('-u'), id('-g')]
  return Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0 ? { uid, gid } : null
}

function create(): { uid: number; gid: number } {
  const flags = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent']
  const made = spawnSync('useradd', [...flags, '--shell', '/usr/sbin/nologin', NAME], { encoding: 'utf8' })
  // Where two starts race, the slower one finds the user that the other made.
  const ids = lookUp()
  if (ids !== null) return ids
  const reason = made.error?.message ?? made.stderr?.trim() ?? 'unknown'
  throw new Error(
    `PostgreSQL does not run as root, and the system user "${NAME}" cannot be made (${reason}). Make it by hand, start Shapecast as an ordinary user, or set DATABASE_URL.`,
  )
}
