import { FAN_QUANTILES, FORECAST_HORIZONS } from '@shapecast/contracts/foreign-card'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#kit/ui/button.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import { Text } from '#kit/ui/text.tsx'
import { saveFile } from '#wire/calls/save-file.ts'
import { CARD_TEMPLATE } from './card-words.ts'
import css from './upload-card.module.css'

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

/** What a network and its card must be, with a card to fill in. */
export function UploadHelp({ onClose }: { onClose: () => void }) {
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
