import '@shapecast/platform/load-once'

const { runServer } = await import('./server/run-server.ts')
await runServer()
