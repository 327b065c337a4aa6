import { profile } from '@shapecast/contracts/auth'
import { type FailedJob, failedJobs, resumeJob } from '@shapecast/contracts/jobs'
import { users } from '@shapecast/contracts/users'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp } from '../../testing/render-app.tsx'

const ADMIN = { ...MIRA, role: 'admin' as const }
const JOB: FailedJob = {
  id: '01890000-0000-7000-8000-000000000001',
  kind: 'training',
  title: 'v3 on BTCUSDT 1h',
  userId: MIRA.id,
  error: 'The training was interrupted more than once and given up. Start it again.',
  failedAt: Date.UTC(2025, 0, 2, 3, 4),
}
const OWN: FailedJob = { ...JOB, id: JOB.id.replace(/1$/, '2'), kind: 'download', title: 'ETHUSDT 1h', userId: null }

function withJobs(jobs: () => FailedJob[]) {
  const server = emptyInstallation()
  const managed = { state: 'active' as const, hasSecondFactor: false, sessions: 1, createdAt: 0, lastSeenAt: 0 }
  server.on(profile, () => ({ user: ADMIN }))
  server.on(users, () => ({
    users: [{ ...ADMIN, ...managed, deletesAt: null }],
    total: 1,
    active: 1,
    disabled: 0,
    invited: 0,
  }))
  server.on(failedJobs, jobs)
  return server
}

it('shows what failed, why and for whom, and runs a job again', async () => {
  let jobs = [JOB, OWN]
  const server = withJobs(() => jobs)
  server.on(resumeJob, ({ params }) => {
    jobs = jobs.filter(({ id }) => id !== (params as { id: string }).id)
    return { id: JOB.id }
  })
  await openApp(server, '/settings/failed-jobs')
  await screen.findByText('Training v3 on BTCUSDT 1h')
  await screen.findByText(/given up\. Start it again\. By mira, /)
  screen.getByText(/By the installation, /)
  fireEvent.click(screen.getByRole('button', { name: 'Run again: Training v3 on BTCUSDT 1h' }))
  await waitFor(() => expect(screen.queryByText('Training v3 on BTCUSDT 1h')).toBeNull())
  screen.getByText('Download ETHUSDT 1h')
})

it('says that no job failed', async () => {
  await openApp(
    withJobs(() => []),
    '/settings/failed-jobs',
  )
  await screen.findByText('No failed jobs')
})

it('says why a job does not run again, and why the list cannot be read', async () => {
  const server = withJobs(() => [JOB])
  server.on(resumeJob, () => {
    throw new Refusal(409, 'conflict', 'The same is already waiting or running. Wait for it to end.')
  })
  await openApp(server, '/settings/failed-jobs')
  fireEvent.click(await screen.findByRole('button', { name: /^Run again/ }))
  await screen.findByText('The same is already waiting or running. Wait for it to end.')
  server.on(failedJobs, () => {
    throw new Refusal(500, 'internal', 'Something went wrong.')
  })
  await openApp(server, '/settings/failed-jobs')
  await screen.findByText('The failed jobs could not be loaded')
})

it('is for admins alone', async () => {
  await openApp(emptyInstallation(), '/settings/failed-jobs')
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'))
})
