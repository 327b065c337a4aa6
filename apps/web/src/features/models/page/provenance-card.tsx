import type { EngineVersions } from '@shapecast/contracts/engine-versions'
import { featuresOf, GROUP_LABELS } from '@shapecast/contracts/features'
import type { ArtifactDetail } from '@shapecast/contracts/ml'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { UploadFacts } from '@shapecast/contracts/uploaded-model'
import { formatCount, formatCounted, formatFileSize, formatUpTo } from '#kit/format/number.ts'
import { formatBps } from '#kit/format/percent.ts'
import { formatDateRange, formatDateTimeYear, formatExactTime } from '#kit/format/time.ts'
import { Card } from '#kit/ui/card.tsx'
import { type Fact, Facts } from '#kit/ui/facts.tsx'
import { Columns } from '#kit/ui/primitives.tsx'

const SHOWN_HASH = 16

/** `learningRate` in words: `Learning rate`. */
const settingName = (key: string): string =>
  key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace('logistic c', 'logistic C')
    .replace(/^(lstm|har|.)/, (begin) => begin.toUpperCase())

/** What an artifact was made of: candles, ranges, settings, hashes. */
export function ProvenanceCard({ artifact }: { artifact: ArtifactDetail }) {
  const { candles, settings, upload } = artifact
  const known = Object.entries(settings ?? {})
    .filter((entry): entry is [string, number] => entry[1] !== null)
    .map(([key, value]) => ({ label: settingName(key), value: formatUpTo(value, 6) }))
  const facts: Fact[] = [
    { label: 'Series', value: `${artifact.symbol} · ${artifact.timeframe} · ${artifact.venue}` },
    { label: upload === null ? 'Trained' : 'Uploaded', value: formatExactTime(artifact.createdAt) },
    { label: 'Candles', value: `${formatCount(candles.count)} · ${formatDateRange(candles.from, candles.to)}` },
    { label: 'Seen (training and validation)', value: seenWords(artifact) },
    ...(upload === null ? [{ label: 'Features', value: featuresLearnt(artifact) }] : []),
    { label: 'Judged on', value: formatDateRange(artifact.holdoutFrom, artifact.holdoutTo) },
    { label: 'Signal threshold', value: `P(up) ½ ± ${formatUpTo(artifact.signalThreshold, 4)}` },
    { label: 'Cost of a round trip', value: formatBps(artifact.roundTripCostBps) },
    ...(upload === null ? [{ label: 'Engine', value: engineWords(artifact.engine) }] : []),
    { label: 'Artifact', value: <span title={artifact.hash}>{artifact.hash.slice(0, SHOWN_HASH)}…</span> },
    { label: 'Candles hash', value: <span title={candles.hash}>{candles.hash.slice(0, SHOWN_HASH)}…</span> },
    ...(upload === null ? known : fileFacts(upload)),
  ]
  const third = Math.ceil(facts.length / 3)
  return (
    <Card title="What it is made of">
      <Columns gap={5} lineGap={1} align="start" at={{ md: 3 }}>
        {[0, 1, 2].map((column) => (
          <Facts key={column} facts={facts.slice(column * third, (column + 1) * third)} />
        ))}
      </Columns>
    </Card>
  )
}

function seenWords({ trainedFrom, trainedTo, holdoutFrom, upload }: ArtifactDetail): string {
  if (upload === null) return `up to ${formatDateTimeYear(holdoutFrom)}`
  if (upload.corpusUntil !== null) return `all until ${formatDateTimeYear(upload.corpusUntil)}, its author says`
  if (trainedFrom === null || trainedTo === null) return 'not told'
  return `${formatDateRange(trainedFrom, trainedTo)}, its author says`
}

const engineWords = (engine: EngineVersions | null): string =>
  engine === null ? 'unknown' : `ml ${engine.ml}, ONNX Runtime ${engine.onnxRuntime}`

const fileFacts = ({ lookback, inputs, output, quantileUnit, opset, producer, nodes, bytes }: UploadFacts): Fact[] => [
  { label: 'Lookback', value: formatCounted(lookback, 'candle') },
  { label: 'Inputs', value: <span title={inputs.join(', ')}>{formatCount(inputs.length)}</span> },
  output === 'classes'
    ? { label: 'Says', value: 'P(up) alone' }
    : {
        label: output === 'fan' ? 'Quantiles are in' : 'Return is in',
        value: quantileUnit === 'sigma' ? 'volatilities' : 'log returns',
      },
  { label: 'File', value: formatFileSize(bytes) },
  { label: 'Made with', value: producer || 'not told' },
  { label: 'ONNX opset', value: `${opset}, ${formatCounted(nodes, 'node')}` },
]

/** `All 27`, or how many and which, whole groups by their name: `4 of 27: all of Oscillators, MACD`. */
export function featuresLearnt({ timeframe, features }: { timeframe: Timeframe; features: readonly string[] }): string {
  const known = featuresOf(timeframe)
  const isLearnt = ({ name }: { name: string }) => features.includes(name)
  if (known.every(isLearnt)) return `All ${known.length}`
  const isWhole = (group: string) => {
    const members = known.filter((feature) => feature.group === group)
    return members.length > 1 && members.every(isLearnt)
  }
  const parts = known
    .filter(isLearnt)
    .map(({ group, label }) => (isWhole(group) ? `all of ${GROUP_LABELS[group]}` : label))
  return `${features.length} of ${known.length}: ${[...new Set(parts)].join(', ')}`
}
