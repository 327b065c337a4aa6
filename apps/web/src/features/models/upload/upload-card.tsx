import { besideOf, FAN_QUANTILES, FORECAST_HORIZONS, type ForeignModelCard } from '@shapecast/contracts/foreign-card'
import type { UploadedModel } from '@shapecast/contracts/uploads'
import { Download } from 'lucide-react'
import { memo, type ReactNode, useState } from 'react'
import { formatCounted } from '#kit/format/number.ts'
import { formatInterval, formatShareRatio } from '#kit/format/percent.ts'
import { sentence } from '#kit/format/sentence.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton, LinkButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import { FileDrop } from '#kit/ui/file-drop.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Columns, Text } from '#kit/ui/primitives.tsx'
import { ProgressLine } from '#kit/ui/progress-bar.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { paths } from '#routes/paths.ts'
import { saveFile } from '#wire/calls/save-file.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
import { OtherSeries } from './other-series.tsx'
import css from './upload-card.module.css'
import { CARD_TEMPLATE, cardLines, useUpload } from './use-upload.ts'

/** Brings a network in that was made elsewhere: its file, its card, and the version and coin that it is for. */
export const UploadCard = memo(function UploadCard({
  symbols,
  symbol,
}: {
  symbols: readonly string[]
  /** The coin that the page works on. */
  symbol: string | undefined
}) {
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const upload = useUpload(symbol)
  return (
    <Card
      title="Upload a model"
      facts="an ONNX file and its card"
      actions={
        <Button variant="text" size="small" style={{ marginRight: -8 }} onClick={() => setIsHelpOpen(true)}>
          What must the file look like?
        </Button>
      }
    >
      <Column gap={1.5}>
        <div className={layout.halves} style={{ alignItems: 'start' }}>
          <FileDrop
            label="ONNX file"
            prompt="Drop the .onnx file here, or choose it"
            hint={`weights inside, at most ${upload.largestMb} MB`}
            accept=".onnx,.json"
            multiple
            file={upload.onnx}
            onFiles={upload.take}
            error={upload.errors.onnx}
          />
          <FileDrop
            label="Card of the model"
            prompt="Drop its card .json here, or choose it"
            hint="what it is given and what its numbers mean"
            accept=".json,.onnx,application/json"
            multiple
            file={upload.cardFile}
            onFiles={upload.take}
            error={upload.errors.card}
          />
        </div>
        {upload.card !== null && <CardSummary card={upload.card} />}
        <Columns
          gap={1.5}
          align="start"
          at={{ sm: 'minmax(0, 1fr) minmax(0, 1fr) 140px', md: 'calc(50% - 6px) minmax(0, 1fr) 140px' }}
        >
          <TextField
            label="Version"
            labelNote="new, or one of yours"
            value={upload.version}
            onChange={({ target }) => upload.change({ version: target.value.trim() })}
            placeholder="my-model"
            autoComplete="off"
            error={upload.errors.version}
          />
          <SelectField
            label="Symbol"
            value={upload.symbol}
            onChange={(symbol) => upload.change({ symbol })}
            options={symbols.map((name) => ({ value: name, label: name }))}
            error={upload.errors.symbol}
          />
          <div className={css.send}>
            <Button
              fullWidth
              disabled={upload.missing !== undefined}
              title={upload.missing}
              {...busyButton(upload.isPending, upload.send)}
            >
              {upload.isPending ? 'Trying it out…' : 'Upload'}
            </Button>
          </div>
        </Columns>
        {upload.card !== null && upload.symbol !== '' && (
          <OtherSeries symbol={upload.symbol} timeframe={upload.card.timeframe} beside={besideOf(upload.card)} />
        )}
        {upload.isPending && (
          <div>
            <ProgressLine aria-label="Uploading the model" />
            <Text role="status" size="small" tone="text2" above={1}>
              It is checked, loaded in a process of its own, and judged on the newest 400 candles. Nothing is kept where
              that fails.
            </Text>
          </div>
        )}
        {upload.failure !== null && (
          <FailureBanner
            error={upload.failure}
            text="The model could not be uploaded"
            onDismiss={() => upload.change()}
          />
        )}
        {upload.result !== undefined && <UploadResult uploaded={upload.result} />}
      </Column>
      {isHelpOpen && <UploadHelp onClose={() => setIsHelpOpen(false)} />}
    </Card>
  )
})

function CardSummary({ card }: { card: ForeignModelCard }) {
  return (
    <Columns
      as="dl"
      gap={2}
      lineGap={0.5}
      at={{ sm: '112px minmax(0, 1fr)' }}
      aria-label="What the card says"
      className={css.facts}
    >
      {cardLines(card).map(({ label, value, isWarning }) => (
        <div key={label} style={{ display: 'contents' }}>
          <Text as="dt" size="small" tone="text3">
            {label}
          </Text>
          <Text as="dd" size="small" tone={isWarning ? 'warn' : 'text2'} breaks className={css.fact}>
            {value}
          </Text>
        </div>
      ))}
    </Columns>
  )
}

function UploadResult({ uploaded: { version, stage, artifact } }: { uploaded: UploadedModel }) {
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

const EXPORT = `names = ['x', 'quantiles', 'up_logit']
torch.onnx.export(
    net, (torch.randn(2, 30, 3),), 'model.onnx',
    input_names=names[:1], output_names=names[1:],
    dynamic_axes={n: {0: 'batch'} for n in names},
    opset_version=17, dynamo=False)`

const levels = FAN_QUANTILES.map((level) => 100 * level).join(', ')

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section style={{ marginBottom: 16 }}>
      <Text as="h3" weight={500} style={{ marginBottom: 4 }}>
        {title}
      </Text>
      <Text as="div" size="small" tone="text2">
        {children}
      </Text>
    </section>
  )
}

const saveTemplate = () =>
  saveFile(
    { name: null, content: new Blob([`${JSON.stringify(CARD_TEMPLATE, null, 2)}\n`], { type: 'application/json' }) },
    'card.json',
  )

function UploadHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title="What must the file look like?"
      onClose={onClose}
      actions={
        <>
          <Button startIcon={<Download />} onClick={saveTemplate}>
            Card template
          </Button>
          <Button variant="contained" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <Part title="The network">
        One ONNX file of standard operators, opset 11 to 22, weights inside, at most 20 MB (64 MB for managers). All
        numbers are float32 and the batch is left open. Trees of LightGBM, XGBoost or CatBoost are taken as they are
        exported, with <code>"output": "classes"</code> in the card.
      </Part>
      <Part title="What it is given">
        <code>x</code> [batch, lookback, inputs]: the newest candles, oldest first, in the columns that the card names:
        our features, or open, high, low, close and volume, each as (value − mean) / sd.
      </Part>
      <Part title="What it gives">
        <code>quantiles</code> [batch, {FORECAST_HORIZONS * FAN_QUANTILES.length}]: the {levels} % quantiles of the
        return 1 to {FORECAST_HORIZONS} candles ahead. <code>up_logit</code> [batch, 1]: above 0 it calls a rise. A
        window must give the same alone as among others. The card may name other levels, such as deciles. A classifier
        gives the probabilities of its classes alone, the last of them up.
      </Part>
      <Part title="From PyTorch">
        <Text as="pre" tabIndex={0} aria-label="Export from PyTorch" className={css.code}>
          {EXPORT}
        </Text>
      </Part>
      <Part title="What happens with it">
        It is checked, loaded in a process of its own with limits on time and memory, and judged on the newest 400
        candles. A new version starts in staging. Say in the card what it was trained on (<code>trained</code>):
        otherwise nobody can tell its figures from hindsight.
      </Part>
    </Dialog>
  )
}
