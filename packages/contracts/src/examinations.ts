import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { FeatureImportance } from './importance.ts'
import { LeakAudit, LeakVerdict } from './leak-audit.ts'

export const ExaminationStatus = z.enum(['queued', 'running', 'completed', 'failed'])
export type ExaminationStatus = z.infer<typeof ExaminationStatus>

/** What was tried on an artifact to find out whether it knows the future, and what it looks at. */
export const Examination = z.object({
  artifactId: z.uuid(),
  status: ExaminationStatus,
  verdict: LeakVerdict,
  /** Of the last run that came to an end; null before. A new run leaves it until it has one of its own. */
  audit: LeakAudit.nullable(),
  /** As `audit`; null also for a model whose inputs cannot be told apart. */
  importance: FeatureImportance.nullable(),
  /** Why the last run failed, and what to do. */
  error: z.string().nullable(),
  requestedAt: z.number(),
  /** When `audit` was found; null before. `importance` takes longer. */
  examinedAt: z.number().nullable(),
  /** When the last run ended, however it did; null while one waits or runs. */
  finishedAt: z.number().nullable(),
})
export type Examination = z.infer<typeof Examination>

const ById = z.object({ id: z.uuid() })

export const examination = tradingEndpoint({
  method: 'GET',
  path: '/api/ml/artifacts/:id/examination',
  publicPath: '/public/ml/artifacts/:id/examination',
  summary: 'The leak audit of an artifact and the importance of its inputs; null before it was asked for.',
  access: 'user',
  params: ById,
  reply: Examination.nullable(),
  errors: ['not_found'],
})

export const requestExamination = tradingEndpoint({
  method: 'POST',
  path: '/api/ml/artifacts/:id/examination',
  summary: 'Examine an artifact again. Queues a job; follow it by reading the examination.',
  access: 'user',
  params: ById,
  reply: Examination,
  errors: ['not_found', 'conflict', 'too_many_requests'],
})
