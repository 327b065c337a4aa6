import { openThread } from '../open-thread.ts'
import type { SampleCalls } from './sample-thread.ts'

// Threads that are neither closed nor left with a call: whether this process ends is up to them.
const start = () => openThread<SampleCalls>(new URL('./sample-thread.ts', import.meta.url))
start()
const thread = start()
const words = [thread.call('later', { ms: 300, word: 'slow' }), thread.call('later', { ms: 1, word: 'fast' })]
for (const word of words) void word.then((said) => process.stdout.write(`${said} `))
await Promise.all(words)
process.stdout.write(await thread.call('later', { ms: 50, word: 'again' }))
