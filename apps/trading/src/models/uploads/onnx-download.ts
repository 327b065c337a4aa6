import { readFileSync } from 'node:fs'
import { AppError } from '@shapecast/contracts/errors'
import { unpackArtifact } from '@shapecast/ml/artifact/artifact'
import type { ModelCard } from '@shapecast/ml/artifact/card'
import { ownCard } from '@shapecast/ml/foreign/own-card'
import { unpackForeignModel } from '@shapecast/ml/foreign/packed-foreign'
import { isUploaded } from '@shapecast/ml/open-model'
import type { FileToKeep } from '@shapecast/platform/http/register-endpoint'
import { ZipFile } from 'yazl'
import type { ModelStore } from '../model-store.ts'

const iso = (ms: number): string => new Date(ms).toISOString()

const named = (networks: ModelCard['networks'], ending: string): string =>
  Object.keys(networks)
    .map((name) => `${name}.${ending}`)
    .join(', ')

/** What the files of a downloaded model are, and what is to be done around the networks. */
const kitReadme = (
  { source, settings, features, horizons, quantiles, ranges, calibration, signal, networks }: ModelCard,
  version: string,
): string => `# ${version} on ${source.symbol} ${source.timeframe} from ${source.venue}

Learnt from candles ${iso(ranges.train.from)} to ${iso(ranges.train.to)}, validated to ${iso(ranges.validation.to)}, judged on ${iso(ranges.holdout.from)} to ${iso(ranges.holdout.to)}.

| file | what it is |
|---|---|
| ${named(networks, 'onnx')} | the networks: standard ONNX operators, opset 17, the batch left open |
| card.json | the whole model: scaling, volatility model, logistic regression, calibration, evaluation |
| ${named(networks, 'card.json')} | a card for each network, with which it can be uploaded to Shapecast by itself |
| run.py | an example: \`python3 run.py features.csv\` with onnxruntime, or torch for the LSTM |

## Inputs

\`x\`, float32 [batch, ${settings.lookback}, ${features.names.length}]: the newest ${settings.lookback} candles, oldest first, the one just closed last. Columns, in this order:

${features.names.join(', ')}

Their formulas are in Shapecast's docs/models.md; \`features.csv\` of a downloaded dataset holds them, before scaling. Each is scaled by \`features.mean\` and \`features.sd\` of card.json, (value − mean) / sd, and clipped at ± 5; a value that is not known is 0.

## Outputs

- \`quantiles\`, float32 [batch, ${horizons * quantiles.length}]: for each of the next ${horizons} closes the ${quantiles.map((q) => `${100 * q}`).join(', ')} % quantiles of the log return from the last close, in units of σ_h.
- \`up_logit\`, float32 [batch, 1]: P(close is higher ${settings.signalHorizon} ${settings.signalHorizon === 1 ? 'candle' : 'candles'} ahead) = 1 / (1 + exp(−up_logit)).

σ_h is the forecast of the volatility model, \`har\` in card.json: scale × √h × exp(intercept + Σ weight × standardised input). In the networks' own cards one EWMA volatility (λ 0.97) times √h stands in for it.

## What Shapecast makes of them

1. Quantiles: σ_h × (½ mean of the networks + ½ \`har.residualQuantiles\`), sorted.
2. P(up): ½ mean of the networks + ½ the logistic regression (\`logistic\`, on the same scaled features of the last candle).
3. Calibration: c + w (p − c) with c = ${calibration.climatology} and w = ${calibration.weight}.
4. The fan is widened or narrowed conformally, by how the last 500 forecasts fared.
5. BUY above ½ + ${signal.threshold}, SELL below ½ − ${signal.threshold}, else HOLD.
`

const RUN = readFileSync(new URL('./kit-run.py', import.meta.url))
const SHOWN_HASH = 12

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

/** The files that somebody takes along: of an upload those that came, of ours all that the networks need elsewhere. */
function filesOf(bytes: Uint8Array, version: string): Record<string, Uint8Array> {
  if (isUploaded(bytes)) {
    const { onnx, card } = unpackForeignModel(bytes)
    return { 'model.onnx': onnx, 'card.json': card }
  }
  const { card, files } = unpackArtifact(bytes)
  return {
    'README.md': Buffer.from(kitReadme(card, version)),
    'card.json': json(card),
    ...Object.fromEntries(
      Object.entries(card.networks).flatMap(([name, { file }]) => [
        [`${name}.onnx`, files[file]!],
        [`${name}.card.json`, json(ownCard(card, name, version))],
      ]),
    ),
    'run.py': RUN,
  }
}

/** A model as files to take along, in a zip; the same artifact gives the same content. Throws `not_found`. */
export async function onnxZip(models: ModelStore, id: string): Promise<FileToKeep> {
  const [kept, stored] = [await models.artifact(id), await models.stored(id)]
  if (kept === undefined || stored === undefined) throw new AppError('not_found', 'There is no such trained model.')
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(filesOf(stored.bytes, kept.version)))
    zip.addBuffer(Buffer.from(content.buffer, content.byteOffset, content.byteLength), name, { mtime: new Date(0) })
  zip.end()
  const { version, symbol, timeframe, hash } = kept
  return {
    name: `onnx-${version}-${symbol}-${timeframe}-${hash.slice(0, SHOWN_HASH)}.zip`,
    content: zip.outputStream,
  }
}
