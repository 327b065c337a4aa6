import { z } from 'zod'
import type { ErrorCode } from './errors.ts'

export type Service = 'trading' | 'social'

/**
 * Who may call an endpoint: `public` needs no token, `user` any signed-in person, `manager` admin or bot_manager,
 * `admin` admins. Ownership ("owner or admin") is a rule of the service, on top of `user`.
 */
export type Access = 'public' | 'user' | 'manager' | 'admin'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What a reply is: JSON checked by a schema, a file to download, or a stream of events. */
export type ReplyKind = 'json' | 'file' | 'events'

/** Everything: what the whole session may read has changed. */
export type Touched = readonly AnyEndpoint[] | 'everything'

export interface EndpointSpec<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  service: Service
  method: Method
  /** Relative to the service: for a browser `/api/bots/:id` is `/bot/api/bots/:id`. */
  path: string
  summary: string
  access: Access
  /** The reads whose replies a change makes old: a client that shows them reads them again. */
  touches?: Touched
  /** The read twin under `/public/...` that needs no token and shows public things only. */
  publicPath?: string
  params?: Params
  query?: Query
  body?: Body
  /** `multipart` bodies are files; their fields travel in the query. */
  bodyKind?: 'json' | 'multipart'
  /**
   * The largest body in bytes where the usual 64 KB (16 KB for `public`) do not do; never for `public`. Of files, what of
   * them is held in memory.
   */
  bodyLimit?: number
  /** The names of a multipart body's files; one named `file` where it is left out. */
  fileParts?: readonly string[]
  /** Open to a session that may do nothing but set up the second factor that its role requires. */
  whileLimited?: true
  /**
   * Weakens an account or a limit, moves real money, or hands out power, `always` or `sometimes` (its summary says when):
   * then it takes fresh proof of who calls, the second factor, or the password of an account without one. Answered with
   * `confirmation_required` without.
   */
  proof?: 'always' | 'sometimes'
  /** Takes the header Idempotency-Key: the same request again under the same key is answered, and not done again. */
  takesKey?: true
  reply: Reply
  replyKind?: ReplyKind
  /** The media type of a file. */
  fileType?: string
  /** The codes that this endpoint answers with beyond bad_input, unauthorized, forbidden and internal. */
  errors?: readonly ErrorCode[]
}

export type Endpoint<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = Readonly<
  EndpointSpec<P, Q, B, R>
>

// biome-ignore lint/suspicious/noExplicitAny: a table of endpoints holds every shape of schema
export type AnyEndpoint = Endpoint<any, any, any, any>

export type ParamsOf<E extends AnyEndpoint> = E['params'] extends z.ZodType ? z.output<E['params']> : undefined
export type QueryOf<E extends AnyEndpoint> = E['query'] extends z.ZodType ? z.output<E['query']> : undefined
export type BodyOf<E extends AnyEndpoint> = E['body'] extends z.ZodType ? z.output<E['body']> : undefined
export type ReplyOf<E extends AnyEndpoint> = z.output<E['reply']>
/** What a handler may return: the schema's input side (defaults may be left out). */
export type ReplyInputOf<E extends AnyEndpoint> = z.input<E['reply']>

/** A call as it is written in requests: `GET /api/bots/:id`. The path is Fastify's, relative to the service. */
type Call = `${Method} /${string}`
type MethodOf<C extends Call> = C extends `${infer M extends Method} /${string}` ? M : never
type PathOf<C extends Call> = C extends `${Method} ${infer Path}` ? Path : never

/** Whatever is no GET says what it touches, be it nothing: what only computes, or begins work that tells of itself. */
type Declared<C extends Call> = Omit<EndpointSpec, 'service' | 'method' | 'path' | 'access' | 'reply' | 'touches'> & {
  access?: Access
  reply?: z.ZodType
} & (C extends `GET ${string}` ? unknown : { touches: Touched })

const ById = z.object({ id: z.uuid() })
/** That it was done; a handler may answer with nothing. */
const Done = z.object({ ok: z.literal(true) }).default({ ok: true })
type OfId = { readonly params: typeof ById; readonly errors: readonly ['not_found'] }
type Defaults<C extends Call> = { readonly access: 'user'; readonly reply: typeof Done } & (C extends
  | `${string}/:id`
  | `${string}/:id/${string}`
  ? OfId
  : unknown)

/**
 * What a declaration leaves out: any signed-in person may call it, and it answers `{ ok: true }`. A path with `:id` takes a
 * UUID, and may answer `not_found`.
 */
const defaultsOf = (path: string) => ({
  access: 'user',
  reply: Done,
  ...(path.split('/').includes(':id') ? { params: ById, errors: ['not_found'] } : {}),
})

const declaring =
  <const S extends Service>(service: S) =>
  <const C extends Call, const E extends Declared<C>>(call: C, spec: E) => {
    const [method, path] = call.split(' ') as [MethodOf<C>, PathOf<C>]
    return { ...defaultsOf(path), ...spec, service, method, path } as E &
      Omit<Defaults<C>, keyof E> & { readonly service: S; readonly method: MethodOf<C>; readonly path: PathOf<C> }
  }

/** Declares an endpoint of the trading service. Its reply travels as `{ "data": … }`. */
export const tradingEndpoint = declaring('trading')

/** Declares an endpoint of the social service. Its reply travels as it is. */
export const socialEndpoint = declaring('social')

/** The reply of an endpoint that answers with a file of a media type. */
export const fileOf = <const Type extends string>(fileType: Type) =>
  ({ reply: z.unknown(), replyKind: 'file', fileType }) as const
