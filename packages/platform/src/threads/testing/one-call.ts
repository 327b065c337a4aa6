import { openThread } from '../open-thread.ts'
import type { SampleCalls } from './sample-thread.ts'

// Neither closed nor left with a call: whether this process ends is up to the thread.
const thread = openThread<SampleCalls>(new URL('./sample-thread.ts', import.meta.url))
process.stdout.write(await thread.call('later', { ms: 50, word: 'first ' }))
process.stdout.write(await thread.call('later', { ms: 50, word: 'second' }))
