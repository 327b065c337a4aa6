import { SERVICE_BASE } from '@shapecast/contracts/client'
import type { AnyEndpoint } from '@shapecast/contracts/endpoint'
import { ErrorReply } from '@shapecast/contracts/errors'
import { ENDPOINTS } from '@shapecast/contracts/table'
import { expect, it } from 'vitest'
import { readReplies } from '../e2e/pictures/replies.ts'

const ROUTES = [...ENDPOINTS.values()].flatMap((endpoint) =>
  [endpoint.path, endpoint.publicPath]
    .filter((path) => path !== undefined)
    .map((path) => ({
      endpoint,
      pattern: new RegExp(`^${endpoint.method} ${SERVICE_BASE[endpoint.service]}${path.replace(/:\w+/g, '[^/]+')}$`),
    })),
)

/** Where a path has a name and another route a parameter, the name is meant. */
const endpointOf = (call: string): AnyEndpoint | undefined => {
  const [method, address] = call.split(' ')
  const path = `${method} ${address!.split('?')[0]}`
  return ROUTES.filter(({ pattern }) => pattern.test(path)).toSorted(
    (a, b) => a.pattern.source.split('[^/]+').length - b.pattern.source.split('[^/]+').length,
  )[0]?.endpoint
}

it('the replies that pictures of screens are taken with are replies of the contract', async () => {
  const { replies } = await readReplies()
  expect(replies.length).toBeGreaterThan(50)
  for (const { as, call, status, reply } of replies) {
    const endpoint = endpointOf(call)
    expect(endpoint, `the endpoint of ${call}`).toBeDefined()
    const sent = endpoint?.service === 'trading' && status < 400 ? (reply as { data: unknown }).data : reply
    const { error } = (status < 400 ? endpoint!.reply : ErrorReply).safeParse(sent)
    expect(error?.issues, `${call} as ${as}`).toBeUndefined()
  }
})
