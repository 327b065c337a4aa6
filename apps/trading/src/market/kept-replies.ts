import { PreparedReply } from '@shapecast/platform/http/shared-reply'

const MOST_BYTES = 32 * 1024 ** 2
const MOST_REPLIES = 20_000

interface Kept {
  readonly untilMs: number
  /** Itself, once it is there. */
  reply: PreparedReply | Promise<PreparedReply>
  bytes: number
}

export interface KeptReplies {
  /**
   * The reply that is kept under `key`, or what `load` gives, written out once for all who ask before `untilMs`; a
   * promise only while it is not there yet.
   */
  get(key: string, untilMs: number, load: () => Promise<unknown>): PreparedReply | Promise<PreparedReply>
  /** Drops every reply whose key begins so. */
  forget(prefix: string): void
}

function prepare(payload: unknown): PreparedReply {
  return new PreparedReply(Buffer.from(JSON.stringify({ data: payload })))
}

/**
 * Replies that many ask for, read and written out once: a hundred open dashboards cost one query a second. Bounded in
 * memory; a failure is for those who waited for it and is not kept.
 */
export function createKeptReplies(now: () => number): KeptReplies {
  const kept = new Map<string, Kept>()
  let bytes = 0

  const drop = (key: string) => {
    bytes -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }
  const dropOldest = (except: string) => {
    for (const key of kept.keys()) {
      if (bytes <= MOST_BYTES && kept.size <= MOST_REPLIES) return
      if (key !== except) drop(key)
    }
  }

  return {
    get(key, untilMs, load) {
      const found = kept.get(key)
      if (found !== undefined && now() < found.untilMs) return found.reply
      drop(key)
      const reply = load().then(prepare)
      const entry: Kept = { untilMs, reply, bytes: 0 }
      kept.set(key, entry)
      reply.then(
        (ready) => {
          entry.reply = ready
          const { body } = ready
          if (kept.get(key) !== entry) return
          entry.bytes = body.length
          bytes += body.length
          dropOldest(key)
        },
        () => {
          if (kept.get(key) === entry) drop(key)
        },
      )
      return reply
    },
    forget(prefix) {
      for (const key of [...kept.keys()]) if (key.startsWith(prefix)) drop(key)
    },
  }
}
