import { examination, requestExamination } from '@shapecast/contracts/examinations'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { ExaminationDesk } from './examination-desk.ts'

/** What was found out about an artifact, and asking for it again. */
export function examinationRoutes(app: ServiceApp, desk: ExaminationDesk): void {
  registerEndpoint(app, examination, ({ params }) => desk.read(params.id))
  registerEndpoint(app, requestExamination, ({ params, caller, request }) =>
    desk.request(params.id, caller, request.ip),
  )
}
