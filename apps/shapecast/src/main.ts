import '@shapecast/platform/resolve-once'

const { runServer } = await import('./server/run-server.ts')
await runServer()
