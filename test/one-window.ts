import { builtinEnvironments, type Environment } from 'vitest/runtime'

/**
 * One window for all test files of a process: what they share, such as React, keeps the window that it was loaded in.
 * It goes with the process.
 */
const oneWindow: Environment = {
  name: 'one-window',
  viteEnvironment: 'client',
  async setup(global, options) {
    if (!('window' in global)) await builtinEnvironments['happy-dom'].setup(global, options)
    return { teardown() {} }
  },
}
export default oneWindow
