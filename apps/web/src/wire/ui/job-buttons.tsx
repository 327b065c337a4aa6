import { cancelJob, resumeJob } from '@shapecast/contracts/jobs'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { errorInFull } from '../calls/error-text.ts'
import { useEndpointMutation } from '../calls/use-endpoint.ts'

/** Goes on with a job that failed or was cancelled; says under its name why it could not. */
export function ResumeJob({ id, job }: { id: string; job: string }) {
  const resume = useEndpointMutation(resumeJob)
  return (
    <Button
      size="small"
      aria-label={`Go on with the ${job}`}
      {...(resume.isError && { variant: 'danger', title: errorInFull(resume.error, 'It could not go on.') })}
      {...busyButton(resume.isPending, () => resume.mutate({ params: { id } }))}
    >
      {resume.isError ? 'Not begun, again' : 'Go on'}
    </Button>
  )
}

/** Cancels a job that is under way; says under its name why it could not. */
export function CancelJob({ id, job }: { id: string; job: string }) {
  const cancel = useEndpointMutation(cancelJob)
  return (
    <Button
      variant="text"
      size="small"
      aria-label={`Cancel the ${job}`}
      {...(cancel.isError && { variant: 'danger', title: errorInFull(cancel.error, 'It could not be cancelled.') })}
      {...busyButton(cancel.isPending, () => cancel.mutate({ params: { id } }))}
    >
      {cancel.isPending ? 'Cancelling…' : cancel.isError ? 'Not cancelled, again' : 'Cancel'}
    </Button>
  )
}
