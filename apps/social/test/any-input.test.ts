import { endpointsOf } from '@shapecast/contracts/table'
import { refusalComplaint, type Sent, soundParts, spoiledRequests } from '@shapecast/platform/testing/spoiled-requests'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { createSocialBench } from './social-bench.ts'

/** Generated requests to every endpoint: each is answered as the contract says. */
const RUNS = Number(process.env.RUNS ?? 4)
const bench = await createSocialBench()
afterAll(() => bench.close())

describe.each(endpointsOf('social').map(([name, endpoint]) => ({ name, endpoint })))('$name', ({ name, endpoint }) => {
  it('answers whatever is sent', async () => {
    const admin = await bench.person(`admin of ${name}`, 'admin')
    const draft = { title: 'A task to vote on', description: 'Of nobody in particular.' }
    const id = (await bench.ask('POST', '/api/tasks', admin, draft)).body.task._id
    const known = {
      ...draft,
      id,
      taskId: id,
      userId: admin.userId,
      username: 'Somebody',
      email: 'somebody@example.org',
      password: 'correct horse',
      voteType: 'for',
      code: '123456',
      url: 'https://example.org',
    }
    const complaintOf = async (request: Sent) => {
      const headers = { ...request.headers, authorization: `Bearer ${await bench.signIn(admin.userId, 'admin')}` }
      const { statusCode, body } = await bench.app.inject({ ...request, headers })
      if (statusCode >= 400) return refusalComplaint(endpoint, statusCode, body)
      // Without its id it is the address of another call.
      if (/\/(\?|$)/.test(request.url)) return null
      const parsed = endpoint.replyKind === 'file' ? null : endpoint.reply.safeParse(JSON.parse(body))
      return parsed?.success === false ? ['a reply outside its schema', body] : null
    }
    await fc.assert(
      fc.asyncProperty(spoiledRequests(endpoint, endpoint.path, soundParts(endpoint, known)), async (request) => {
        expect(await complaintOf(request)).toBeNull()
      }),
      { numRuns: RUNS },
    )
  })
})
