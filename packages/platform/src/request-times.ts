import type { FastifyInstance } from 'fastify'

/** Upper bounds in seconds. */
const BOUNDS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const NAME = 'shapecast_http_request_seconds'

/** Requests of one listener, method, route and status. */
interface Times {
  /** By the first bound that they do not exceed; those beyond the last bound come last. */
  readonly within: Float64Array
  sumS: number
  count: number
}

/**
 * Durations of requests by listener, method, route (never by address, which is unbounded) and status, as a Prometheus
 * histogram. Counted in plain arrays that are found by the route and written out when somebody asks: a general histogram
 * looks its labels up by their text at every request, which took longer than to answer a short one.
 */
export class RequestTimes {
  readonly #series = new Map<string, Times>()

  observe(fastify: FastifyInstance, listener: string): void {
    fastify.addHook('onRoute', (route) => {
      const observe = this.#of(listener, route.url)
      const others = route.onResponse === undefined ? [] : [route.onResponse].flat()
      route.onResponse = [
        ...others,
        (request, reply, done) => {
          observe(request.method, reply.statusCode, reply.elapsedTime / 1000)
          done()
        },
      ]
    })
    const unknown = this.#of(listener, 'unknown')
    fastify.addHook('onResponse', (request, reply, done) => {
      if (request.is404) unknown(request.method, reply.statusCode, reply.elapsedTime / 1000)
      done()
    })
  }

  #of(listener: string, route: string) {
    const byMethod = new Map<string, Map<number, Times>>()
    const find = (method: string, status: number): Times => {
      let byStatus = byMethod.get(method)
      if (byStatus === undefined) {
        byStatus = new Map()
        byMethod.set(method, byStatus)
      }
      let times = byStatus.get(status)
      if (times === undefined) {
        times = this.#add(labels({ listener, method, route, status: String(status) }))
        byStatus.set(status, times)
      }
      return times
    }
    return (method: string, status: number, seconds: number) => {
      const times = find(method, status)
      let i = 0
      while (i < BOUNDS_S.length && seconds > BOUNDS_S[i]!) i++
      times.within[i]!++
      times.sumS += seconds
      times.count++
    }
  }

  #add(name: string): Times {
    // Two listeners of a process may have a route in common.
    let times = this.#series.get(name)
    if (times === undefined) {
      times = { within: new Float64Array(BOUNDS_S.length + 1), sumS: 0, count: 0 }
      this.#series.set(name, times)
    }
    return times
  }

  /** In Prometheus' text format (exposition formats, version 0.0.4): the counts of a bucket include the smaller ones. */
  text(): string {
    const lines = [`# HELP ${NAME} Duration of HTTP requests in seconds`, `# TYPE ${NAME} histogram`]
    for (const [name, { within, sumS, count }] of this.#series) {
      let upTo = 0
      BOUNDS_S.forEach((bound, i) => {
        upTo += within[i]!
        lines.push(`${NAME}_bucket{le="${bound}",${name}} ${upTo}`)
      })
      lines.push(`${NAME}_bucket{le="+Inf",${name}} ${count}`)
      lines.push(`${NAME}_sum{${name}} ${sumS}`, `${NAME}_count{${name}} ${count}`)
    }
    return `${lines.join('\n')}\n`
  }
}

const labels = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`)
    .join(',')
