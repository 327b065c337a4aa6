import { expect, it } from 'vitest'
import { openApiOf } from './openapi.ts'

it('OpenAPI states the bounds of a prediction cloud', () => {
  const api = JSON.parse(JSON.stringify(openApiOf('trading', '1', '/bot')))
  const { schema } = api.paths['/api/ml/predict-cloud'].post.requestBody.content['application/json']
  const { horizon_steps, lookback } = schema.properties
  expect(horizon_steps).toMatchObject({ minimum: 1, maximum: 8, default: 8 })
  expect(horizon_steps.description).toBe('Candles ahead, 1 to 8: models learn no more.')
  expect(lookback).toMatchObject({ minimum: 1, maximum: 1000, default: 30 })
  expect(lookback.description).toContain('any other number than its own is refused')
})
