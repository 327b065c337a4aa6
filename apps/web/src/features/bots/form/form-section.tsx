import { markets, ticker } from '@shapecast/contracts/market'
import { TriangleAlert } from 'lucide-react'
import { createContext, type ReactNode, use, useEffect, useMemo, useRef } from 'react'
import { Field, type FieldTexts, fieldsOf } from '#kit/ui/field.tsx'
import { Column, Columns, Text, type TextProps } from '#kit/ui/primitives.tsx'
import { ToggleGroup, type ToggleGroupProps } from '#kit/ui/toggle-group.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import css from './bot-form.module.css'
import { type BotForm, FIELD_LABEL, type FormErrors, type FormField, SELECTABLE_PAIRS } from './bot-form.ts'

interface TypedForm {
  readonly values: BotForm
  readonly change: (change: Partial<BotForm>) => void
  /** Everything that is wrong. */
  readonly wrong: FormErrors
  /** Of it what is to be shown. */
  readonly errors: FormErrors
}

/** What each section of a dialog needs. */
function sectionOf({ values: form, change, wrong, errors }: TypedForm) {
  const fields = fieldsOf(form, change, errors)
  /** `{...field('leverage')}` is a field with its label. */
  const field = <Name extends keyof BotForm & FormField>(name: Name) => ({
    label: FIELD_LABEL[name],
    ...fields(name),
  })
  return { form, change, wrong, errors, field }
}

const FormContext = createContext<ReturnType<typeof sectionOf> | null>(null)
export const useBotForm = () => use(FormContext)!

/** The sections of a form. A try to send it gives the focus to its first wrong field, which may be out of sight. */
export function BotFields({
  form,
  errors = form.errors,
  children,
}: {
  form: TypedForm & { readonly submitCount: number; onBlur: () => void }
  errors?: FormErrors
  children: ReactNode
}) {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (form.submitCount > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form.submitCount])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears what its fields do
    <div ref={fields} onBlur={form.onBlur} style={{ display: 'contents' }}>
      <FormContext value={sectionOf({ ...form, errors })}>{children}</FormContext>
    </div>
  )
}

/** A part of the dialog: its name beside its fields; with a head, above them. */
export const FormSection = ({ title, head, children }: { title: string; head?: ReactNode; children: ReactNode }) => (
  <section aria-label={title} className={head === undefined ? css.section : `${css.section} ${css.headed}`}>
    <div className={css.head}>
      <Text size="h2" as="h3">
        {title}
      </Text>
      {head}
    </div>
    <Column gap={2}>{children}</Column>
  </section>
)

/** Fields beside each other where there is room; `columns` is a grid template from 600 px on. */
export const FieldRow = ({ columns, children }: { columns: string; children: ReactNode }) => (
  <Columns gap={1.5} align="start" at={{ sm: columns }}>
    {children}
  </Columns>
)

/** Words of which one is chosen, with their label above, as a field has it. */
export const ToggleField = <Value extends string>({
  label,
  labelNote,
  help,
  error,
  ...toggle
}: FieldTexts & Omit<ToggleGroupProps<Value>, 'size'>) => (
  <Field label={label} labelNote={labelNote} help={help} error={error} labelFor={false}>
    {() => <ToggleGroup label={label} fullWidth {...toggle} />}
  </Field>
)

/** A quiet line of the form; in amber and with a sign where it warns. */
export const FormNote = ({
  isWarning = false,
  children,
  ...look
}: Pick<TextProps<'p'>, 'tone' | 'weight' | 'above' | 'role'> & { isWarning?: boolean; children: ReactNode }) => (
  <Text as="p" size="label" weight={400} tone="text2" {...look} {...(isWarning && { tone: 'warn' })} style={NOTE_STYLE}>
    {isWarning && <TriangleAlert size={14} style={{ flexShrink: 0, marginTop: 1 }} />}
    <span>{children}</span>
  </Text>
)

const NOTE_STYLE = { display: 'flex', gap: 6 } as const

/** Which of the pairs this market has, and of the first chosen one its price and smallest order, quote. */
export function useChosenMarket(chosen: readonly string[]) {
  const list = useEndpointQuery(markets, {}, { staleTime: 5 * 60_000 }).data
  const first = chosen[0]
  const price = useEndpointQuery(
    ticker,
    { params: { symbol: first ?? '' } },
    { enabled: first !== undefined, staleTime: 30_000 },
  )
  const pairs = useMemo(() => {
    const known = new Set((list ?? []).map((market) => market.id))
    return SELECTABLE_PAIRS.filter((pair) => list === undefined || known.has(pair))
  }, [list])
  const market = list?.find(({ id }) => id === first)
  /** Of the only pair; null with several. */
  const base = chosen.length === 1 ? (market?.base ?? null) : null
  return { pairs, base, price: price.data?.last ?? null, smallestOrder: market?.minNotional ?? null }
}
