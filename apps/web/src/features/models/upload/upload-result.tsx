import type { UploadedModel } from '@shapecast/contracts/uploads'
import { formatCounted } from '#kit/format/number.ts'
import { formatInterval, formatShareRatio } from '#kit/format/percent.ts'
import { sentence } from '#kit/format/sentence.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { LinkButton } from '#kit/ui/link-button.tsx'
import { paths } from '#routes/paths.ts'

/** What came of an upload: where it stands, how it fared, what is known of what it has seen, and the way to its page. */
export function UploadResult({ uploaded: { version, stage, artifact } }: { uploaded: UploadedModel }) {
  const { accuracy, symbol, timeframe, active, comparison, upload } = artifact
  const series = `${symbol} ${timeframe}`
  const standing = active
    ? `It predicts ${series} for ${version}, in ${stage}.`
    : `It does not predict ${series} yet. ${comparison === null ? '' : sentence(comparison.verdict)}`
  const figures = `Accuracy ${formatShareRatio(accuracy.accuracy)}, ${formatInterval(accuracy.interval)}, over ${formatCounted(accuracy.outcomes, 'outcome')}.`
  return (
    <Banner
      kind="info"
      title={`${version} is uploaded`}
      action={<LinkButton to={paths.model(version, artifact.id)}>Open its page</LinkButton>}
    >
      {[standing, figures, upload?.seenWords].join(' ')}
    </Banner>
  )
}
