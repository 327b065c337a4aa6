import type { Task } from '@shapecast/contracts/tasks'
import { afterAll } from 'vitest'
import { createSocialBench, type Person, type SocialBench } from './social-bench.ts'

/** The bench of all tests of a file, with two users, a manager and an admin, who are signed in. Closed after the last test. */
export async function benchOfFile(): Promise<
  Record<'ann' | 'bob' | 'manager' | 'admin', Person> & { bench: SocialBench; propose: Propose }
> {
  const bench = await createSocialBench()
  afterAll(() => bench.close())
  return {
    bench,
    admin: await bench.person('root', 'admin'),
    manager: await bench.person('mira', 'bot_manager'),
    ann: await bench.person('Ann'),
    bob: await bench.person('Bob'),
    async propose(as, more = {}) {
      const draft = { title: 'Show funding cost', description: 'List it as a line of its own.', ...more }
      const { status, body } = await bench.ask('POST', '/api/tasks', as, draft)
      if (status !== 200) throw new Error(`The task was refused: ${JSON.stringify(body)}`)
      return body.task
    },
  }
}

/** Proposes a task as somebody. */
type Propose = (as: Person, more?: object) => Promise<Task>
