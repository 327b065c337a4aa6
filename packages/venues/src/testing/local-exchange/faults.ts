/** What goes wrong with a request. `at` is matched against `GET /api/v3/klines`. */
export interface RestFault {
  readonly at?: RegExp
  /** How many requests it strikes; 1 by default. */
  readonly times?: number
  readonly fault:
    | { readonly kind: 'slow'; readonly ms: number }
    /** Not looked at before what `until` answers, once it strikes, resolves. */
    | { readonly kind: 'held'; readonly until: () => Promise<unknown> }
    /** 429 or 418 with Retry-After. */
    | { readonly kind: 'limited'; readonly status: 429 | 418; readonly retryAfterS: number }
    | { readonly kind: 'status'; readonly status: number; readonly body?: string }
    /** The connection ends before the request is looked at. */
    | { readonly kind: 'drop' }
    /** The request is done, and the connection ends before the answer. */
    | { readonly kind: 'lose-reply' }
    /** The request is done, and 503 says that nobody knows. */
    | { readonly kind: 'unknown-outcome' }
}

/** What goes wrong on the streams, counted over all messages of prices: every n-th is struck; 0 is never. */
export interface StreamFaults {
  duplicateEvery: number
  /** Held back until `lateBy` others have been sent. */
  lateEvery: number
  lateBy: number
  loseEvery: number
  /** Nothing is sent, connections stay open and pings are answered. */
  silent: boolean
}

export interface InjectedFault {
  readonly atMs: number
  readonly what: string
}

/** The faults that are set, and the log of those that struck. */
export class Faults {
  readonly log: InjectedFault[] = []
  readonly stream: StreamFaults = { duplicateEvery: 0, lateEvery: 0, lateBy: 3, loseEvery: 0, silent: false }
  /** Ratios of their quantity at which the next orders fill at first. */
  readonly partialFills: number[] = []
  readonly #rest: { at: RegExp | undefined; left: number; fault: RestFault['fault'] }[] = []
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Lets a fault strike the next requests that it is for. */
  rest(fault: RestFault): void {
    this.#rest.push({ at: fault.at, left: fault.times ?? 1, fault: fault.fault })
  }

  /** Whatever is still to strike is called off. */
  clear(): void {
    this.#rest.length = 0
    this.partialFills.length = 0
    Object.assign(this.stream, { duplicateEvery: 0, lateEvery: 0, loseEvery: 0, silent: false })
  }

  /** Writes down that something struck. */
  note(what: string): void {
    this.log.push({ atMs: this.#now(), what })
  }

  /** The fault that strikes this request, used up by it. */
  strike(request: string): RestFault['fault'] | null {
    const found = this.#rest.find((f) => f.left > 0 && (f.at === undefined || f.at.test(request)))
    if (found === undefined) return null
    found.left--
    this.note(`${found.fault.kind}${'status' in found.fault ? ` ${found.fault.status}` : ''}: ${request}`)
    return found.fault
  }
}
